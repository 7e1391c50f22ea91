#include "data/cache_reader.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>
#include <variant>

#include "base/buffer.h"
#include "base/cancel.h"
#include "base/parallel.h"
#include "data/extents.h"
#include "seesaw/error.h"

namespace seesaw::cache {
namespace {

std::shared_ptr<const Mapping> map_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about {};
  const bool opened = file >= 0 && fstat(file, &about) == 0;
  const auto size = static_cast<std::size_t>(about.st_size);
  void* begin = MAP_FAILED;
  if (opened && S_ISREG(about.st_mode) && size >= sizeof(Header))
    begin = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  const int reason = errno;
  if (file >= 0) close(file);
  if (!opened) throw Error(fmt::format("{}: cannot be opened ({}); give a .ssw cache.", path, std::strerror(reason)));
  if (begin == MAP_FAILED)
    throw Error(fmt::format("{}: is not a .ssw cache, which is a file of at least {} bytes.", path, sizeof(Header)));
  return std::make_shared<const Mapping>(static_cast<const char*>(begin), size);
}

}  // namespace

Mapping::~Mapping() { munmap(const_cast<char*>(bytes_.data()), bytes_.size()); }

CacheReader::CacheReader(const std::string& path) : path_(path), mapping_(map_file(path)) {
  std::memcpy(&header_, mapping_->bytes().data(), sizeof header_);
  check_header(header_, path_, mapping_->bytes().size());
  layout_ = layout_of(header_);
}

Dataset CacheReader::read() const {
  if (header_.version == 1) check_whole_file();
  else check_seal();
  Dataset all = part(0, header_.rows, nullptr);
  check_entries(entries_at_least(all.rows));
  return all;
}

Dataset CacheReader::part(std::size_t begin, std::size_t end, std::shared_ptr<const Leaves> leaves) const {
  const auto labels = mapping_->array<double>(layout_.labels).subspan(begin, end - begin);
  auto weights = mapping_->array<double>(layout_.weights);
  if (!weights.empty()) weights = weights.subspan(begin, end - begin);
  check_numbers(labels, "a label is not finite");
  check_numbers(weights, "a weight is not finite");
  if (std::any_of(weights.begin(), weights.end(), [](double weight) { return weight <= 0; }))
    damaged("a weight is not positive");
  return {.rows = rows(begin, end, std::move(leaves)),
          .labels = {labels.begin(), labels.end()},
          .weights = {weights.begin(), weights.end()},
          .nnz = header_.nnz,
          .feature_names = unpack_names(mapping_->bytes(layout_.names), header_, path_),
          .source = path_};
}

void CacheReader::check_entries(std::uint64_t at_least) const {
  if (header_.nnz < at_least) damaged("its number of entries is wrong");
}

void CacheReader::check_whole_file() const {
  Header header = header_;
  header.checksum = 0;
  Checksum sum;
  sum.add(bytes_of(std::span<const Header>(&header, 1)));
  sum.add(mapping_->bytes().substr(sizeof(Header)));
  if (sum.value() != header_.checksum) damaged("its checksum is wrong");
  check_padding();
}

void CacheReader::check_seal() const {
  Checksum sum;
  sum.add(bytes_of(std::span<const Header>(&header_, 1)));
  for (const Section& section : {layout_.labels, layout_.weights, layout_.offsets, layout_.names, layout_.hashes,
                                 layout_.column_checksums, layout_.value_checksums})
    sum.add(mapping_->bytes(section));
  if (sum.value() != mapping_->array<std::uint64_t>(layout_.seal)[0]) damaged("its checksum is wrong");
  check_padding();
}

std::uint64_t CacheReader::hash() const {
  return join_leaves(header_.rows, mapping_->array<std::uint64_t>(layout_.hashes));
}

// The extents that have one of the entries first .. last - 1.
void CacheReader::check_extents(const Section& section, const Section& checksums, std::uint64_t bytes,
                                std::uint64_t first, std::uint64_t last) const {
  if (header_.version == 1 || first == last) return;
  const std::uint64_t begin_extent = first / extent_entries, end_extent = (last - 1) / extent_entries + 1;
  const auto expected = mapping_->array<std::uint64_t>(checksums).subspan(begin_extent, end_extent - begin_extent);
  const std::uint64_t size = extent_entries * bytes;
  const CancelPoll poll;
  const auto wrong =
      parallel_sum<std::size_t>(chunks_of(expected.size(), 1, 1024), [&](std::size_t begin, std::size_t end) {
        std::size_t count = 0;
        for (std::size_t e = begin; e < end; ++e) {
          poll();
          count += checksum_of(mapping_->bytes(section).substr((begin_extent + e) * size, size)) != expected[e];
        }
        return count;
      });
  if (wrong > 0) damaged("its checksum is wrong");
}

std::size_t CacheReader::entries_before(std::size_t row) const {
  return header_.sparse() ? mapping_->array<std::uint64_t>(layout_.offsets)[row] : row * header_.width;
}

Rows CacheReader::rows(std::size_t begin, std::size_t end, std::shared_ptr<const Leaves> leaves) const {
  switch (header_.storage) {
    case 0:
      return sparse<double>(begin, end, std::move(leaves));
    case 1:
      return sparse<float>(begin, end, std::move(leaves));
    case 2:
      return dense<double>(begin, end, std::move(leaves));
    default:
      return dense<float>(begin, end, std::move(leaves));
  }
}

// Columns and values are those of the mapped file; the offsets of a part are copied, because they begin with 0.
template <class Value>
SparseRows<Value> CacheReader::sparse(std::size_t begin, std::size_t end, std::shared_ptr<const Leaves> leaves) const {
  const bool all = begin == 0 && end == header_.rows;
  std::span<const std::uint64_t> offsets =
      mapping_->array<std::uint64_t>(layout_.offsets).subspan(begin, end - begin + 1);
  const std::uint64_t first = offsets.front(), last = offsets.back();
  if (!std::is_sorted(offsets.begin(), offsets.end()) || last > header_.entries || (begin == 0 && first != 0) ||
      (end == header_.rows && last != header_.entries))
    damaged("its rows overlap");
  const auto columns = mapping_->array<std::uint32_t>(layout_.columns).subspan(first, last - first);
  const auto values = mapping_->array<Value>(layout_.values).subspan(first, last - first);
  check_extents(layout_.columns, layout_.column_checksums, sizeof(std::uint32_t), first, last);
  check_extents(layout_.values, layout_.value_checksums, sizeof(Value), first, last);
  struct Owner {
    std::shared_ptr<const Mapping> mapping;
    Buffer<std::uint64_t> offsets;
  };
  auto owner = std::make_shared<Owner>(Owner{mapping_, {}});
  if (!all) {
    owner->offsets.resize(offsets.size());
    for (std::size_t i = 0; i < offsets.size(); ++i) owner->offsets[i] = offsets[i] - first;
    offsets = owner->offsets.span();
  }
  const auto wrong_rows = parallel_sum<std::size_t>(chunks_of(end - begin), [&](std::size_t from, std::size_t to) {
    std::size_t wrong = 0;
    for (std::size_t i = from; i < to; ++i) {
      const auto row = columns.subspan(offsets[i], offsets[i + 1] - offsets[i]);
      wrong += !row.empty() && row.back() >= header_.width;
      for (std::size_t k = 1; k < row.size(); ++k) wrong += row[k - 1] >= row[k];
    }
    return wrong;
  });
  if (wrong_rows > 0) damaged("its columns are not in order");
  check_numbers(values, "a value is not finite");
  return {header_.width, offsets, columns, values, owner, std::move(leaves)};
}

template <class Value>
DenseRows<Value> CacheReader::dense(std::size_t begin, std::size_t end, std::shared_ptr<const Leaves> leaves) const {
  const std::size_t first = begin * header_.width, last = end * header_.width;
  const auto values = mapping_->array<Value>(layout_.values).subspan(first, last - first);
  check_extents(layout_.values, layout_.value_checksums, sizeof(Value), first, last);
  check_numbers(values, "a value is not finite");
  return {end - begin, header_.width, values, mapping_, std::move(leaves)};
}

template <class Value>
void CacheReader::check_numbers(std::span<const Value> numbers, const char* reason) const {
  const auto wrong =
      parallel_sum<std::size_t>(chunks_of(numbers.size(), 1 << 16), [&](std::size_t begin, std::size_t end) {
        std::size_t infinite = 0;
        for (std::size_t k = begin; k < end; ++k) infinite += !std::isfinite(numbers[k]);
        return infinite;
      });
  if (wrong > 0) damaged(reason);
}

std::uint64_t CacheReader::entries_at_least(const Rows& stored) {
  return std::visit(
      []<class RowsOf>(const RowsOf& rows) -> std::uint64_t {
        if constexpr (requires { rows.offsets(); }) return rows.entries();
        else
          return parallel_sum<std::uint64_t>(chunks_of(rows.entries(), 1 << 16), [&](std::size_t at, std::size_t end) {
            std::uint64_t count = 0;
            for (; at < end; ++at) count += rows.values()[at] != 0;
            return count;
          });
      },
      stored);
}

// The bytes between two arrays are 0.
void CacheReader::check_padding() const {
  std::uint64_t end = sizeof(Header);
  for (const Section& section : layout_.in_order(header_.version)) {
    if (section.begin < end) continue;
    const auto between = mapping_->bytes().substr(end, section.begin - end);
    if (between.find_first_not_of('\0') != std::string_view::npos) damaged("its reserved bytes are not 0");
    end = section.end();
  }
}

}  // namespace seesaw::cache
