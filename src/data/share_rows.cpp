#include "data/share_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/tree_sum.h"
#include "data/own_rows.h"
#include "data/row_moves.h"
#include "data/select_rows.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

struct Span {
  std::size_t begin, end;  // rows
};

template <class Value>
SparseRows<Value> part_of(const SparseRows<Value>& rows, Span span) {
  const std::span<const std::uint64_t> offsets = rows.offsets();
  const std::uint64_t first = offsets[span.begin], last = offsets[span.end];
  Buffer<std::uint64_t> own(span.end - span.begin + 1);
  for (std::size_t i = span.begin; i <= span.end; ++i) own[i - span.begin] = offsets[i] - first;
  Buffer<std::uint32_t> columns;
  columns.append(rows.columns().subspan(first, last - first));
  Buffer<Value> values;
  values.append(rows.values().subspan(first, last - first));
  return own_sparse_rows(rows.width(), std::move(own), std::move(columns), std::move(values));
}

template <class Value>
DenseRows<Value> part_of(const DenseRows<Value>& rows, Span span) {
  Buffer<Value> values;
  values.append(rows.values().subspan(span.begin * rows.width(), (span.end - span.begin) * rows.width()));
  return own_dense_rows(span.end - span.begin, rows.width(), std::move(values));
}

std::vector<double> part_of(const std::vector<double>& numbers, Span span) {
  if (numbers.empty()) return {};
  return {numbers.begin() + static_cast<std::ptrdiff_t>(span.begin),
          numbers.begin() + static_cast<std::ptrdiff_t>(span.end)};
}

}  // namespace

std::size_t rank_of(const Leaves& leaves) { return static_cast<std::size_t>(leaves.shares()->ranks->rank()); }

std::vector<std::size_t> divide_leaves(std::size_t leaves, std::size_t leaves_per_group, bool dense,
                                       std::size_t ranks) {
  std::size_t unit = 1;
  while (2 * unit * 8 * ranks <= leaves) unit *= 2;
  const std::size_t groups = (leaves + leaves_per_group - 1) / leaves_per_group;
  if (dense || groups >= 2 * ranks) unit = std::max(unit, leaves_per_group);
  std::vector<std::size_t> first;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    first.push_back(std::min(leaves, (2 * leaves * rank + ranks * unit) / (2 * ranks * unit) * unit));
  first.push_back(leaves);
  return first;
}

namespace {

// The first leaf of each rank, where groups of leaves for vectors have at least 4 entries per number.
std::shared_ptr<Shares> divide(std::size_t leaves, std::size_t entries, std::size_t width, bool dense, Ranks& ranks) {
  const std::size_t most = entries / std::max<std::size_t>(4 * width, 1);
  std::size_t per_group = 1;
  while ((leaves + per_group - 1) / per_group > std::max<std::size_t>(most, 1)) per_group *= 2;
  auto shares = std::make_shared<Shares>();
  shares->ranks = &ranks;
  shares->first_leaf = divide_leaves(leaves, per_group, dense, static_cast<std::size_t>(ranks.size()));
  shares->entries = entries;
  return shares;
}

}  // namespace

std::shared_ptr<const Leaves> leaves_of_share(const RowSizes& sizes, Ranks& ranks) {
  const std::size_t leaves = std::max<std::size_t>((sizes.entries + sizes.rows) / leaf_size, 1);
  const auto shares = divide(leaves, sizes.entries, sizes.width, sizes.dense, ranks);
  shares->weighted = sizes.weighted;
  const auto row_of = [&](std::size_t leaf, std::size_t low) {  // its first row, which is not before `low`
    std::size_t high = sizes.rows;
    while (low < high && leaf < leaves) {
      const std::size_t middle = low + (high - low) / 2;
      if (sizes.entries_before(middle) + middle < leaf * leaf_size) low = middle + 1;
      else high = middle;
    }
    return high;
  };
  for (const std::size_t leaf : shares->first_leaf)
    shares->first_row.push_back(leaf == 0 ? 0 : row_of(leaf, shares->first_row.back()));
  const auto here = static_cast<std::size_t>(ranks.rank());
  const std::size_t first = shares->first_leaf[here], last = shares->first_leaf[here + 1];
  std::vector<std::size_t> bounds{0};
  for (std::size_t leaf = first + 1; leaf <= last; ++leaf)
    bounds.push_back(row_of(leaf, shares->first_row[here] + bounds.back()) - shares->first_row[here]);
  return std::make_shared<const Leaves>(std::move(bounds), shares, first);
}

Dataset own_share(const Dataset& whole, Ranks& ranks) {
  const RowSizes sizes = std::visit(
      [&]<class RowsOf>(const RowsOf& rows) -> RowSizes {
        return {rows.count(),
                rows.entries(),
                rows.width(),
                whole.dense(),
                !whole.weights.empty(),
                [&rows](std::size_t row) -> std::size_t {
                  if constexpr (requires { rows.offsets(); }) return rows.offsets()[row];
                  else return row * rows.width();
                }};
      },
      whole.rows);
  const auto own = leaves_of_share(sizes, ranks);
  const std::vector<std::size_t>& first_row = own->shares()->first_row;
  const Span span{first_row[rank_of(*own)], first_row[rank_of(*own) + 1]};
  Dataset result{
      .rows = std::visit([&](const auto& rows) -> Rows { return part_of(rows, span).with_leaves(own); }, whole.rows),
      .labels = part_of(whole.labels, span)};
  result.weights = part_of(whole.weights, span);
  result.nnz = whole.nnz;
  result.feature_names = whole.feature_names;
  result.labelled = whole.labelled;
  result.fixed_width = whole.fixed_width;
  result.source = whole.source;
  result.label_column = whole.label_column;
  return result;
}

namespace {

// The sizes (entries + 1 per row) of all rows before those of this rank, and of all.
struct Sizes {
  std::size_t before = 0, all = 0, all_rows = 0, all_entries = 0;
  std::vector<std::size_t> first_row{0};
};
Sizes sizes_of(Ranks& ranks, const Moved& own) {
  Sizes sizes;
  std::size_t rank = 0;
  for (const Moved& of_rank : ranks.gather(own)) {
    if (rank++ < static_cast<std::size_t>(ranks.rank())) sizes.before += of_rank.rows + of_rank.entries;
    sizes.all_rows += of_rank.rows;
    sizes.all_entries += of_rank.entries;
    sizes.first_row.push_back(sizes.all_rows);
  }
  sizes.all = sizes.all_rows + sizes.all_entries;
  return sizes;
}

// The first row of this rank at size `at` of the whole or beyond it.
template <class RowsOf>
std::size_t row_at(const RowsOf& rows, std::size_t before, std::size_t at) {
  std::size_t row = 0;
  for (; row < rows.count() && before < at; ++row) before += rows.entries(row) + 1;
  return row;
}

template <class RowsOf>
Dataset settle(const RowsOf& rows, Dataset data, Ranks& ranks) {
  const auto count = static_cast<std::size_t>(ranks.size()), here = static_cast<std::size_t>(ranks.rank());
  const Sizes sizes = sizes_of(ranks, {rows.count(), rows.entries()});
  const std::size_t leaves = std::max<std::size_t>(sizes.all / leaf_size, 1);
  const auto shares = divide(leaves, sizes.all_entries, rows.width(), data.dense(), ranks);

  std::vector<Moved> own(count);
  std::size_t row = 0;
  for (std::size_t rank = 0; rank < count; ++rank) {
    const std::size_t border = shares->first_leaf[rank + 1];
    const std::size_t end = border == leaves ? rows.count() : row_at(rows, sizes.before, border * leaf_size);
    own[rank].rows = end - row;
    for (; row < end; ++row) own[rank].entries += rows.entries(row);
  }
  const Moves moves(ranks, own);
  const auto now = moved_rows(rows, moves, ranks);
  std::vector<double> labels(now.count()), weights;
  moves.move<double>(ranks, data.labels, labels.data(), 1, 0);
  bool weighted = false;  // a rank without rows has no weights
  for (const char of_rank : ranks.gather(static_cast<char>(!data.weights.empty()))) weighted = weighted || of_rank != 0;
  shares->weighted = weighted;
  if (weighted) {
    weights.resize(now.count());
    moves.move<double>(ranks, data.weights, weights.data(), 1, 0);
  }
  data.labels = std::move(labels);
  data.weights = std::move(weights);

  const Sizes settled = sizes_of(ranks, {now.count(), now.entries()});
  shares->first_row = settled.first_row;
  const std::size_t first = shares->first_leaf[here], last = shares->first_leaf[here + 1];
  std::vector<std::size_t> bounds;
  std::size_t at = 0, before = settled.before;
  for (std::size_t leaf = first; leaf < last; ++leaf) {
    for (; at < now.count() && before < leaf * leaf_size; ++at) before += now.entries(at) + 1;
    bounds.push_back(leaf == first ? 0 : at);
  }
  bounds.push_back(now.count());
  data.rows = now.with_leaves(std::make_shared<const Leaves>(std::move(bounds), shares, first));
  return data;
}

}  // namespace

Dataset settle_shares(Dataset data, Ranks& ranks) {
  const Rows rows = data.rows;
  return std::visit([&](const auto& of) { return settle(of, std::move(data), ranks); }, rows);
}

std::uint64_t content_hash(const Dataset& whole, Ranks& ranks) {
  const auto count = static_cast<std::size_t>(ranks.size()), here = static_cast<std::size_t>(ranks.rank());
  const std::size_t leaves = (whole.n() + hash_leaf_rows - 1) / hash_leaf_rows;
  const std::vector<std::uint64_t> own = leaf_hashes(whole, leaves * here / count, leaves * (here + 1) / count);
  return join_leaves(whole.n(), ranks.concatenate<std::uint64_t>(own));
}

std::uint64_t content_hash_of_shares(const Dataset& data) {
  const Shares& shares = *data.leaves().shares();
  Ranks& ranks = *shares.ranks;
  const std::size_t here = rank_of(data.leaves()), first = shares.first_row[here], end = shares.first_row[here + 1];
  const std::size_t leaving = std::min(end - first, (hash_leaf_rows - first % hash_leaf_rows) % hash_leaf_rows);
  const std::size_t begin = first + leaving;  // of the leaves that begin here
  const std::size_t whole = (end - begin) / hash_leaf_rows, last = begin + whole * hash_leaf_rows;
  std::vector<Moved> moved(shares.first_row.size() - 1);
  std::vector<std::uint32_t> edge;
  const auto add = [&](std::size_t from, std::size_t to, Moved& count) {
    for (std::size_t row = from - first; row < to - first; ++row) {
      edge.push_back(static_cast<std::uint32_t>(row));
      count.entries += std::visit([&](const auto& rows) { return rows.entries(row); }, data.rows);
    }
    count.rows += to - from;
  };
  if (leaving > 0) {
    const std::size_t leaf = first - first % hash_leaf_rows;
    const auto after = std::upper_bound(shares.first_row.begin(), shares.first_row.end() - 1, leaf);
    add(first, begin, moved[static_cast<std::size_t>(after - shares.first_row.begin()) - 1]);
  }
  add(last, end, moved[here]);
  const Moves moves(ranks, moved);
  const Dataset edges = select_rows(data, edge);
  Dataset rest{.rows = std::visit([&](const auto& rows) -> Rows { return moved_rows(rows, moves, ranks); }, edges.rows),
               .labels = std::vector<double>(moves.to(here).rows)};
  moves.move<double>(ranks, edges.labels, rest.labels.data(), 1, 0);
  if (shares.weighted) {
    rest.weights.resize(rest.labels.size());
    moves.move<double>(ranks, edges.weights, rest.weights.data(), 1, 0);
  }
  std::vector<std::uint64_t> own = leaf_hashes_from(data, leaving, whole);
  if (rest.n() > 0) own.push_back(leaf_hashes_from(rest, 0, 1)[0]);
  return join_leaves(shares.first_row.back(), ranks.concatenate<std::uint64_t>(own));
}

std::vector<double> collect_rows(const Shares& shares, std::vector<double> own, std::size_t per_row) {
  Ranks& ranks = *shares.ranks;
  const std::vector<std::size_t>& first = shares.first_row;
  const std::size_t bytes = per_row * sizeof(double);
  if (!ranks.first()) {
    if (!own.empty()) ranks.send(0, own.data(), own.size() * sizeof(double));
    return {};
  }
  own.resize(first.back() * per_row);
  for (std::size_t rank = 1; rank + 1 < first.size(); ++rank)
    if (first[rank] < first[rank + 1])
      ranks.receive(static_cast<int>(rank), own.data() + first[rank] * per_row,
                    (first[rank + 1] - first[rank]) * bytes);
  return own;
}

std::vector<double> rows_of_rank(const Leaves& leaves, const std::vector<double>& all, std::size_t per_row) {
  if (leaves.shares() == nullptr) return all;
  const std::vector<std::size_t>& first = leaves.shares()->first_row;
  return part_of(all, {first[rank_of(leaves)] * per_row, first[rank_of(leaves) + 1] * per_row});
}

void require_equal_copies(const std::string& path, std::uint64_t hash, Ranks& ranks) {
  const std::vector<std::uint64_t> hashes = ranks.gather(hash);
  const auto other = std::find_if(hashes.begin(), hashes.end(), [&](std::uint64_t of) { return of != hashes[0]; });
  if (other != hashes.end())
    throw Error(fmt::format("{}: the file of process {} is not that of process 0; give all processes equal copies.",
                            path, other - hashes.begin()));
}

}  // namespace seesaw
