#include "data/cache_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "seesaw/error.h"

namespace seesaw {

CacheStream::CacheStream(std::string path, Precision precision, std::vector<double> weights, std::size_t most_rows)
    : path_(std::move(path)),
      precision_(precision),
      weights_(std::move(weights)),
      most_rows_(most_rows),
      columns_(path_),
      values_(path_) {
  offsets_.push_back(0);
}

void CacheStream::add(std::span<const double> labels, std::span<const std::uint32_t> sizes,
                      std::span<const std::uint32_t> columns, std::span<const double> values) {
  if (given_ + labels.size() > most_rows_)
    throw Error(
        fmt::format("more than {} rows, with 32 bytes each, need more than `memory` allows; give more.", most_rows_));
  if (weights_.empty()) {
    given_ += labels.size();
    return add_kept(labels, {}, sizes, columns, values);
  }
  if (given_ + labels.size() > weights_.size())
    throw Error(fmt::format("there are more rows than the {} weights; give one per row.", weights_.size()));
  std::size_t first = 0, entry = 0;  // of a run of rows that are kept
  std::size_t end = 0;
  const auto keep = [&](std::size_t last) {
    const std::size_t rows = last - first;
    if (rows > 0)
      add_kept(labels.subspan(first, rows), std::span<const double>(weights_).subspan(given_ + first, rows),
               sizes.subspan(first, rows), columns.subspan(entry, end - entry), values.subspan(entry, end - entry));
  };
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (weights_[given_ + i] > 0) {
      end += sizes[i];
      continue;
    }
    keep(i);
    dropped_ = true;
    end += sizes[i];
    first = i + 1;
    entry = end;
  }
  keep(labels.size());
  given_ += labels.size();
}

void CacheStream::add_kept(std::span<const double> labels, std::span<const double> weights,
                           std::span<const std::uint32_t> sizes, std::span<const std::uint32_t> columns,
                           std::span<const double> values) {
  const std::size_t before = offsets_[offsets_.size() - 1], rows_before = labels_.size(),
                    first_size = rows_before > 0 ? offsets_[1] : sizes[0];
  labels_.append(labels);
  std::size_t end = 0;
  bool full = true;
  for (const std::uint32_t size : sizes) {
    end += size;
    offsets_.push_back(before + end);
    const std::size_t row_width = size > 0 ? std::size_t{columns[end - 1]} + 1 : 0;
    full = full && size == first_size && row_width == first_size;
    width_ = std::max(width_, row_width);
  }
  if (full_ && !full) {
    offsets_.resize(rows_before + 1);
    write_full_columns();
    offsets_.resize(rows_before + 1 + sizes.size());
    full_ = false;
  }
  if (!full_) columns_.append(columns.data(), columns.size_bytes());
  add_values(values);
  hash(labels, weights, sizes, columns, values);
}

// The columns of the rows so far, all of which have the same columns 0, 1, ...
void CacheStream::write_full_columns() {
  const std::size_t rows = offsets_.size() - 1;
  if (rows == 0) return;
  std::vector<std::uint32_t> columns(offsets_[1]);
  std::iota(columns.begin(), columns.end(), 0u);
  for (std::size_t i = 0; i < rows; ++i) columns_.append(columns.data(), columns.size() * sizeof columns[0]);
}

void CacheStream::add_values(std::span<const double> values) {
  for (const double value : values) nonzero_ += value != 0;
  if (!wide_) {
    rounded_.resize(values.size());
    bool exact = true, finite = true;
    for (std::size_t k = 0; k < values.size(); ++k) {
      rounded_[k] = static_cast<float>(values[k]);
      exact = exact && static_cast<double>(rounded_[k]) == values[k];
      finite = finite && std::isfinite(rounded_[k]);
    }
    if (precision_ == Precision::single && !finite)
      throw Error("a value is too large for single precision; leave out `float32`.");
    if (exact || precision_ == Precision::single)
      return values_.append(rounded_.data(), rounded_.size() * sizeof(float));
    Spool doubles(path_);
    std::vector<double> widened;
    values_.for_each_piece([&](std::string_view piece) {
      const std::span floats(reinterpret_cast<const float*>(piece.data()), piece.size() / sizeof(float));
      widened.assign(floats.begin(), floats.end());
      doubles.append(widened.data(), widened.size() * sizeof(double));
    });
    values_.swap(doubles);
    wide_ = true;
  }
  values_.append(values.data(), values.size_bytes());
}

void CacheStream::hash(std::span<const double> labels, std::span<const double> weights,
                       std::span<const std::uint32_t> sizes, std::span<const std::uint32_t> columns,
                       std::span<const double> values) {
  const bool rounds = precision_ == Precision::single;
  std::size_t at = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double weight = weights.empty() ? 1.0 : weights[i];
    if (rounds) hash_.put_row(SparseRow<float>{columns.data() + at, rounded_.data() + at, sizes[i]}, labels[i], weight);
    else hash_.put_row(SparseRow<double>{columns.data() + at, values.data() + at, sizes[i]}, labels[i], weight);
    at += sizes[i];
    if (++hashed_ < hash_leaf_rows) continue;
    hash_leaves_.push_back(hash_.digest());
    hash_ = HashStream();
    hashed_ = 0;
  }
}

// Dense rows from sparse ones.
template <class Value>
void CacheStream::write_filled(cache::CacheOutput& out, std::size_t width) {
  columns_.flush();
  values_.flush();
  constexpr std::size_t rows_at_once = 256;
  std::vector<Value> filled, values;
  std::vector<std::uint32_t> columns;
  for (std::size_t first = 0; first < labels_.size(); first += rows_at_once) {
    const std::size_t last = std::min(labels_.size(), first + rows_at_once), from = offsets_[first],
                      count = offsets_[last] - from;
    columns.resize(count);
    values.resize(count);
    columns_.load(from * sizeof(std::uint32_t), columns.data(), count * sizeof(std::uint32_t));
    values_.load(from * sizeof(Value), values.data(), count * sizeof(Value));
    filled.assign((last - first) * width, Value{0});
    for (std::size_t i = first; i < last; ++i)
      for (std::size_t k = offsets_[i]; k < offsets_[i + 1]; ++k)
        filled[(i - first) * width + columns[k - from]] = values[k - from];
    out.values({reinterpret_cast<const char*>(filled.data()), filled.size() * sizeof(Value)});
  }
}

CacheSize CacheStream::finish(std::size_t width, const std::vector<std::string>& names) {
  if (hashed_ > 0) hash_leaves_.push_back(hash_.digest());
  if (width == 0) width = width_;
  const std::size_t n = labels_.size(), entries = offsets_[n], value = wide_ ? sizeof(double) : sizeof(float);
  const bool already_dense = full_ && width_ > 0 && width == width_;
  if (full_ && !already_dense) write_full_columns();
  const bool dense =
      already_dense || (n > 0 && width > 0 && width <= entries * (value + sizeof(std::uint32_t)) / (n * value));

  std::vector<double> weights;  // of the rows that were kept
  std::copy_if(weights_.begin(), weights_.end(), std::back_inserter(weights), [](double weight) { return weight > 0; });
  if (std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 1; })) weights.clear();
  const std::string packed = cache::pack_names(names);
  cache::Header header{};
  header.storage = (dense ? 2 : 0) + (wide_ ? 0 : 1);
  header.rows = n;
  header.width = width;
  header.entries = dense ? n * width : entries;
  header.nnz = dense && dropped_ ? nonzero_ : entries;
  header.weighted = weights.empty() ? 0 : 1;
  header.names_bytes = packed.size();
  cache::CacheOutput out(path_, header);
  if (!dense) columns_.for_each_piece([&](std::string_view piece) { out.columns(piece); });
  if (!dense || already_dense) values_.for_each_piece([&](std::string_view piece) { out.values(piece); });
  else if (wide_) write_filled<double>(out, width);
  else write_filled<float>(out, width);
  out.finish(
      {labels_.span(), weights, dense ? std::span<const std::uint64_t>() : offsets_.span(), packed, hash_leaves_});
  return {n, width, header.entry_bytes(), header.weighted == 1, !dense, cache::version};
}

}  // namespace seesaw
