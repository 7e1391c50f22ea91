#include "data/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>
#include <variant>

#include "base/mapped_files.h"
#include "base/parallel.h"
#include "data/cache_format.h"
#include "data/cache_output.h"
#include "data/resident.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

using namespace cache;

class Mapping {
 public:
  Mapping(const char* begin, std::size_t size) : bytes_(begin, size), registration_(begin, size) {}
  ~Mapping() { munmap(const_cast<char*>(bytes_.data()), bytes_.size()); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::string_view bytes() const { return bytes_; }
  std::string_view bytes(const Section& section) const { return bytes_.substr(section.begin, section.size); }
  template <class T>
  std::span<const T> array(const Section& section) const {
    return {reinterpret_cast<const T*>(bytes_.data() + section.begin), section.size / sizeof(T)};
  }

 private:
  std::string_view bytes_;
  MappedFile registration_;
};

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

// The file is untrusted: every field is checked before it is used.
class CacheReader {
 public:
  explicit CacheReader(const std::string& path) : path_(path), mapping_(map_file(path)) {
    std::memcpy(&header_, mapping_->bytes().data(), sizeof header_);
  }

  Dataset read() {
    check_header(header_, path_, mapping_->bytes().size());
    layout_ = layout_of(header_);
    if (header_.version == 1) check_whole_file();
    else check_sections();
    const auto labels = mapping_->array<double>(layout_.labels);
    const auto weights = mapping_->array<double>(layout_.weights);
    check_numbers(labels, "a label is not finite");
    check_numbers(weights, "a weight is not finite");
    if (std::any_of(weights.begin(), weights.end(), [](double weight) { return weight <= 0; }))
      damaged("a weight is not positive");
    check_padding();
    Rows stored = rows();
    if (header_.nnz < entries_at_least(stored)) damaged("its number of entries is wrong");
    return {.rows = std::move(stored),
            .labels = {labels.begin(), labels.end()},
            .weights = {weights.begin(), weights.end()},
            .nnz = header_.nnz,
            .feature_names = unpack_names(mapping_->bytes(layout_.names), header_, path_),
            .source = path_};
  }

 private:
  void check_whole_file() const {
    Header header = header_;
    header.checksum = 0;
    Checksum sum;
    sum.add(bytes_of(std::span<const Header>(&header, 1)));
    sum.add(mapping_->bytes().substr(sizeof(Header)));
    if (sum.value() != header_.checksum) damaged("its checksum is wrong");
  }

  void check_sections() const {
    Checksum sum;
    sum.add(bytes_of(std::span<const Header>(&header_, 1)));
    for (const Section& section : {layout_.labels, layout_.weights, layout_.offsets, layout_.names, layout_.hashes,
                                   layout_.column_checksums, layout_.value_checksums})
      sum.add(mapping_->bytes(section));
    if (sum.value() != mapping_->array<std::uint64_t>(layout_.seal)[0]) damaged("its checksum is wrong");
    check_extents(layout_.columns, layout_.column_checksums, sizeof(std::uint32_t));
    check_extents(layout_.values, layout_.value_checksums, header_.value_bytes());
  }

  void check_extents(const Section& section, const Section& checksums, std::uint64_t bytes) const {
    const auto expected = mapping_->array<std::uint64_t>(checksums);
    const std::uint64_t size = extent_entries * bytes;
    const auto wrong =
        parallel_sum<std::size_t>(chunks_of(expected.size(), 1, 1024), [&](std::size_t begin, std::size_t end) {
          std::size_t count = 0;
          for (std::size_t e = begin; e < end; ++e)
            count += checksum_of(mapping_->bytes(section).substr(e * size, size)) != expected[e];
          return count;
        });
    if (wrong > 0) damaged("its checksum is wrong");
  }

  Rows rows() const {
    switch (header_.storage) {
      case 0:
        return sparse<double>();
      case 1:
        return sparse<float>();
      case 2:
        return dense<double>();
      default:
        return dense<float>();
    }
  }

  template <class Value>
  SparseRows<Value> sparse() const {
    const auto offsets = mapping_->array<std::uint64_t>(layout_.offsets);
    const auto columns = mapping_->array<std::uint32_t>(layout_.columns);
    const auto values = mapping_->array<Value>(layout_.values);
    if (offsets.front() != 0 || offsets.back() != header_.entries || !std::is_sorted(offsets.begin(), offsets.end()))
      damaged("its rows overlap");
    const auto wrong_rows = parallel_sum<std::size_t>(chunks_of(header_.rows), [&](std::size_t begin, std::size_t end) {
      std::size_t wrong = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const auto row = columns.subspan(offsets[i], offsets[i + 1] - offsets[i]);
        wrong += !row.empty() && row.back() >= header_.width;
        for (std::size_t k = 1; k < row.size(); ++k) wrong += row[k - 1] >= row[k];
      }
      return wrong;
    });
    if (wrong_rows > 0) damaged("its columns are not in order");
    check_numbers(values, "a value is not finite");
    return {header_.width, offsets, columns, values, mapping_};
  }

  template <class Value>
  DenseRows<Value> dense() const {
    const auto values = mapping_->array<Value>(layout_.values);
    check_numbers(values, "a value is not finite");
    return {header_.rows, header_.width, values, mapping_};
  }

  template <class Value>
  void check_numbers(std::span<const Value> numbers, const char* reason) const {
    const auto wrong =
        parallel_sum<std::size_t>(chunks_of(numbers.size(), 1 << 16), [&](std::size_t begin, std::size_t end) {
          std::size_t infinite = 0;
          for (std::size_t k = begin; k < end; ++k) infinite += !std::isfinite(numbers[k]);
          return infinite;
        });
    if (wrong > 0) damaged(reason);
  }

  // A lower bound of the number of entries given: all stored ones; of dense rows those that are not 0.
  static std::uint64_t entries_at_least(const Rows& stored) {
    return std::visit(
        []<class RowsOf>(const RowsOf& rows) -> std::uint64_t {
          if constexpr (requires { rows.offsets(); }) return rows.entries();
          else
            return parallel_sum<std::uint64_t>(chunks_of(rows.entries(), 1 << 16),
                                               [&](std::size_t at, std::size_t end) {
                                                 std::uint64_t count = 0;
                                                 for (; at < end; ++at) count += rows.values()[at] != 0;
                                                 return count;
                                               });
        },
        stored);
  }

  // The bytes between two arrays are 0.
  void check_padding() const {
    std::uint64_t end = sizeof(Header);
    for (const Section& section : layout_.in_order(header_.version)) {
      if (section.begin < end) continue;
      const auto between = mapping_->bytes().substr(end, section.begin - end);
      if (between.find_first_not_of('\0') != std::string_view::npos) damaged("its reserved bytes are not 0");
      end = section.end();
    }
  }

  [[noreturn]] void damaged(const std::string& reason) const { refuse_as_damaged(path_, reason); }

  std::string path_;
  std::shared_ptr<const Mapping> mapping_;
  Header header_{};
  Layout layout_{};
};

// write(piece) for the bytes of an array, in their order; of rows on disk extent by extent.
template <class T, class Write>
void for_each_piece(Extents* extents, std::span<const T> array, const Write& write) {
  if (extents == nullptr) return write(bytes_of(array));
  const std::size_t count = extents->bytes().extents();
  for (std::size_t e = 0; e < count; ++e) {
    const Hold hold(*extents, {e, e + 1}, {e + 1, count});
    write(bytes_of(array.subspan(e * extent_entries, std::min(extent_entries, array.size() - e * extent_entries))));
  }
}

}  // namespace

bool is_cache(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return false;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  std::array<char, 8> first{};
  const ssize_t got = read(file, first.data(), first.size());
  close(file);
  return got == static_cast<ssize_t>(first.size()) && first == magic_bytes;
}

Dataset read_cache(const std::string& path) { return CacheReader(path).read(); }

void write_cache(const Dataset& data, const std::string& path) {
  const std::string names = pack_names(data.feature_names);
  Header header{};
  header.storage = data.rows.index();
  header.rows = data.n();
  header.width = data.d();
  header.nnz = data.nnz;
  header.weighted = data.weights.empty() ? 0 : 1;
  header.names_bytes = names.size();
  const std::vector<std::uint64_t> hashes = leaf_hashes(data);
  std::visit(
      [&]<class AnyRows>(const AnyRows& rows) {
        header.entries = rows.entries();
        CacheOutput out(path, header);
        std::span<const std::uint64_t> offsets;
        Extents* const extents = extents_of(rows);
        if constexpr (requires { rows.offsets(); }) {
          offsets = rows.offsets();
          for_each_piece(extents, rows.columns(), [&](std::string_view piece) { out.columns(piece); });
        }
        for_each_piece(extents, rows.values(), [&](std::string_view piece) { out.values(piece); });
        out.finish({data.labels, data.weights, offsets, names, hashes});
      },
      data.rows);
}

}  // namespace seesaw
