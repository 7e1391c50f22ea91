#include "base/shared_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/archive_format.h"
#include "base/atomic_file.h"
#include "base/first_rank.h"
#include "base/ranks.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

using namespace archive_format;

constexpr std::size_t archive_piece = std::size_t{4} << 20;  // bytes
using Kind = ArchiveEntry::Kind;

// take(at, bytes) for the pieces of a block of `size` bytes.
template <class Take>
void in_pieces(std::size_t size, const Take& take) {
  for (std::size_t at = 0; at < size; at += archive_piece) take(at, std::min(archive_piece, size - at));
}

// Row numbers of a rank, as those of all rows.
std::vector<std::uint32_t> shifted(const void* rows, std::size_t count, std::size_t by, bool forward) {
  std::vector<std::uint32_t> result(count);
  if (count > 0) std::memcpy(result.data(), rows, count * sizeof(std::uint32_t));
  for (std::uint32_t& row : result) row = static_cast<std::uint32_t>(forward ? row + by : row - by);
  return result;
}

// Elements of an entry, as Archive::matrix() wants them: any number of them, with any width.
template <class T>
class Elements {
 public:
  std::uint64_t size() const { return elements_.size(); }
  std::uint64_t rows() const { return width_; }
  void resize(std::uint64_t width, std::uint64_t columns) {
    width_ = width;
    elements_.resize(width * columns);
  }
  T* data() { return elements_.data(); }
  std::string bytes() const { return {reinterpret_cast<const char*>(elements_.data()), elements_.size() * sizeof(T)}; }

 private:
  std::uint64_t width_ = 0;
  std::vector<T> elements_;
};

}  // namespace

struct SharedArchiveWriter::File {
  explicit File(const std::string& path) : file(path) { XXH3_64bits_reset(&checksum); }
  AtomicFile file;
  XXH3_state_t checksum;
};

template <class Work>
void SharedArchiveWriter::attempt(const Work& work) {
  if (!shares_.ranks->first() || !problem_.empty()) return;
  try {
    work();
  } catch (const Error& error) {
    problem_ = error.what();
  }
}

SharedArchiveWriter::SharedArchiveWriter(const Shares& shares, const std::string& path)
    : Archive(true), shares_(shares) {
  attempt([&] {
    file_ = std::make_unique<File>(path);
    add(magic.data(), magic.size());
  });
}

SharedArchiveWriter::~SharedArchiveWriter() = default;

void SharedArchiveWriter::add(const void* bytes, std::size_t size) {
  if (size == 0) return;
  XXH3_64bits_update(&file_->checksum, bytes, size);
  file_->file.write(std::string_view(static_cast<const char*>(bytes), size));
}

void SharedArchiveWriter::put(const ArchiveEntry& entry, const void* bytes) {
  const std::size_t size = size_of(entry.type);
  if (entry.kind == Kind::shared)
    return attempt([&] {
      const std::string header = header_of(entry);
      add(header.data(), header.size());
      add(bytes, entry.count * size);
    });
  Ranks& ranks = *shares_.ranks;
  const auto here = static_cast<std::size_t>(ranks.rank());
  const std::vector<std::uint64_t> counts = ranks.gather(entry.count);
  ArchiveEntry whole = entry;
  whole.count = 0;
  for (const std::uint64_t count : counts) whole.count += count;
  std::vector<std::uint32_t> rows;
  if (entry.kind == Kind::row_list) {
    if (shares_.first_row.back() > std::numeric_limits<std::uint32_t>::max())
      attempt([&] { throw Error("lists of rows of more than 4294967295 rows cannot be saved."); });
    rows = shifted(bytes, entry.count, shares_.first_row[here], true);
    bytes = rows.data();
  }
  if (!ranks.first())
    return in_pieces(entry.count * size, [&](std::size_t at, std::size_t length) {
      ranks.send(0, static_cast<const char*>(bytes) + at, length);
    });
  attempt([&] {
    const std::string header = header_of(whole);
    add(header.data(), header.size());
    add(bytes, entry.count * size);
  });
  std::string received;
  for (std::size_t rank = 1; rank < counts.size(); ++rank)
    in_pieces(counts[rank] * size, [&](std::size_t, std::size_t length) {
      received.resize(length);
      ranks.receive(static_cast<int>(rank), received.data(), length);
      attempt([&] { add(received.data(), length); });
    });
}

void SharedArchiveWriter::commit() {
  attempt([&] {
    const std::string end = header_of(last_entry);
    add(end.data(), end.size());
    const std::uint64_t checksum = XXH3_64bits_digest(&file_->checksum);
    file_->file.write(std::string_view(reinterpret_cast<const char*>(&checksum), sizeof checksum));
    file_->file.commit();
  });
  agree_on_error(*shares_.ranks, problem_);
}

void SharedArchiveWriter::refuse(std::string_view name) const {
  throw Error(fmt::format("the state '{}' cannot be saved.", name));
}

SharedArchiveReader::SharedArchiveReader(const Shares& shares, ArchiveReader* file)
    : Archive(false), shares_(shares), file_(file) {}

ArchiveEntry SharedArchiveReader::next(const ArchiveEntry& expected, std::string& bytes) {
  ArchiveEntry entry = expected;
  const auto take = [&]<class T>(std::vector<T> values) {
    if (expected.kind == Kind::per_row) file_->rows(expected.name, values, expected.width);
    else if (expected.kind == Kind::per_listed) file_->listed(expected.name, values);
    else file_->array(expected.name, values);
    entry.count = values.size();
    bytes.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  };
  if (expected.kind == Kind::row_list) {
    std::vector<std::uint32_t> rows;
    file_->row_list(expected.name, rows);
    entry.count = rows.size();
    bytes.assign(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(std::uint32_t));
    return entry;
  }
  using Type = ArchiveEntry::Type;
  switch (expected.type) {
    case Type::bytes:
      take(std::vector<char>());
      break;
    case Type::float32:
      take(std::vector<float>());
      break;
    case Type::uint32:
      take(std::vector<std::uint32_t>());
      break;
    case Type::uint64:
      take(std::vector<std::uint64_t>());
      break;
    default:
      if (expected.kind != Kind::shared) {
        take(std::vector<double>());
      } else {  // an array or a matrix
        Elements<double> elements;
        file_->matrix(expected.name, elements);
        entry.count = elements.size();
        entry.width = static_cast<std::uint32_t>(elements.rows());
        bytes = elements.bytes();
      }
  }
  return entry;
}

std::vector<std::size_t> SharedArchiveReader::divide(const ArchiveEntry& entry, const std::string& bytes) {
  const std::vector<std::size_t>& first = shares_.first_row;
  const std::size_t count = entry.count, rows = first.back();
  std::vector<std::size_t> begin;
  switch (entry.kind) {
    case Kind::per_row:
      if (count != 0 && count != rows * entry.width) refuse(entry.name);
      for (const std::size_t row : first) begin.push_back(count == 0 ? 0 : row * entry.width);
      break;
    case Kind::row_list: {
      const std::vector<std::uint32_t> list = shifted(bytes.data(), count, 0, true);
      if (!std::is_sorted(list.begin(), list.end()) || (count > 0 && list.back() >= rows)) refuse(entry.name);
      for (const std::size_t row : first)
        begin.push_back(static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), row) - list.begin()));
      listed_ = begin;
      break;
    }
    default:
      if (listed_.empty() || listed_.back() != count) refuse(entry.name);
      begin = listed_;
  }
  return begin;
}

Archive::Found SharedArchiveReader::get(const ArchiveEntry& expected) {
  Ranks& ranks = *shares_.ranks;
  std::string all;  // on the first rank
  std::vector<std::size_t> begin;
  struct Shape {
    std::uint64_t count;
    std::uint32_t width;
  };
  const auto [count, width] = on_first(&ranks, [&] {
    const ArchiveEntry found = next(expected, all);
    if (expected.kind != Kind::shared) begin = divide(found, all);
    return Shape{found.count, found.width};
  });
  ArchiveEntry entry = expected;
  entry.count = count;
  entry.width = width;
  const std::size_t size = size_of(expected.type);
  if (expected.kind == Kind::shared) {
    own_ = std::move(all);
    own_.resize(count * size);
    ranks.broadcast(0, own_.data(), own_.size());
    return {entry, own_.data()};
  }
  ranks.broadcast(0, begin);
  const auto here = static_cast<std::size_t>(ranks.rank());
  entry.count = begin[here + 1] - begin[here];
  if (ranks.first()) {
    own_.assign(all, 0, entry.count * size);
    for (std::size_t rank = 1; rank + 1 < begin.size(); ++rank)
      in_pieces((begin[rank + 1] - begin[rank]) * size, [&](std::size_t at, std::size_t length) {
        ranks.send(static_cast<int>(rank), all.data() + begin[rank] * size + at, length);
      });
  } else {
    own_.resize(entry.count * size);
    in_pieces(own_.size(), [&](std::size_t at, std::size_t length) { ranks.receive(0, own_.data() + at, length); });
  }
  if (expected.kind == Kind::row_list) {
    const std::vector<std::uint32_t> rows = shifted(own_.data(), entry.count, shares_.first_row[here], false);
    if (!rows.empty()) std::memcpy(own_.data(), rows.data(), own_.size());
  }
  return {entry, own_.data()};
}

void SharedArchiveReader::refuse(std::string_view name) const {
  throw Error(fmt::format("the checkpoint does not contain the state '{}' that is expected here.", name));
}

}  // namespace seesaw
