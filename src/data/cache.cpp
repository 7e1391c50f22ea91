#include "data/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#ifdef __AVX512F__
#define XXH_VECTOR XXH_AVX2  // limited by memory bandwidth; g++ 12 warns about its own AVX-512 intrinsics
#endif
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/atomic_file.h"
#include "base/mapped_files.h"
#include "base/parallel.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

constexpr std::array<char, 8> magic_bytes = {'S', 'E', 'E', 'S', 'A', 'W', '\0', '\1'};
constexpr std::uint32_t version = 1;
constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::size_t alignment = 64;

struct Header {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t byte_order;  // reads differently on a machine of the other byte order
  std::uint64_t checksum;    // XXH3 of the whole file, with 0 in this field
  std::uint64_t file_size;
  std::uint64_t storage;  // 0 sparse double, 1 sparse float, 2 dense double, 3 dense float: the index in Rows
  std::uint64_t rows;
  std::uint64_t width;
  std::uint64_t entries;      // stored values
  std::uint64_t nnz;          // Dataset::nnz
  std::uint64_t weighted;     // 1 if there are weights
  std::uint64_t names_bytes;  // 0 if there are no names
  std::uint64_t unused[5];

  bool sparse() const { return storage < 2; }
  std::uint64_t value_bytes() const { return storage % 2 == 0 ? sizeof(double) : sizeof(float); }
};
static_assert(sizeof(Header) == 128);

// The arrays after the header, each starting at a multiple of 64; an absent array has size 0.
struct Extent {
  std::uint64_t begin, size;
};
struct Layout {
  Extent labels, weights, offsets, columns, values, names;
  std::uint64_t end;
};

Layout layout_of(const Header& header) {
  std::uint64_t at = sizeof(Header);
  const auto place = [&](std::uint64_t size) {
    const Extent extent{at, size};
    at = (at + size + alignment - 1) / alignment * alignment;
    return extent;
  };
  Layout layout{};
  layout.labels = place(header.rows * sizeof(double));
  layout.weights = place(header.weighted * header.rows * sizeof(double));
  layout.offsets = place(header.sparse() ? (header.rows + 1) * sizeof(std::uint64_t) : 0);
  layout.columns = place(header.sparse() ? header.entries * sizeof(std::uint32_t) : 0);
  layout.values = place(header.entries * header.value_bytes());
  layout.names = place(header.names_bytes);
  layout.end = at;
  return layout;
}

// For each name its length, then its bytes.
std::string pack(const std::vector<std::string>& names) {
  std::string packed;
  for (const auto& name : names) {
    const auto size = static_cast<std::uint32_t>(name.size());
    packed.append(reinterpret_cast<const char*>(&size), sizeof size).append(name);
  }
  return packed;
}

template <class T>
std::string_view bytes_of(std::span<const T> items) {
  return {reinterpret_cast<const char*>(items.data()), items.size_bytes()};
}

std::uint64_t checksum_of(Header header, std::span<const std::string_view> parts) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  header.checksum = 0;
  XXH3_64bits_update(&state, &header, sizeof header);
  for (const auto part : parts) XXH3_64bits_update(&state, part.data(), part.size());
  return XXH3_64bits_digest(&state);
}

class Mapping {
 public:
  Mapping(const char* begin, std::size_t size) : bytes_(begin, size), registration_(begin, size) {}
  ~Mapping() { munmap(const_cast<char*>(bytes_.data()), bytes_.size()); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::string_view bytes() const { return bytes_; }
  template <class T>
  std::span<const T> array(Extent extent) const {
    return {reinterpret_cast<const T*>(bytes_.data() + extent.begin), extent.size / sizeof(T)};
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
    check_header();
    layout_ = layout_of(header_);
    if (layout_.end != header_.file_size) damaged("its sizes are inconsistent");
    const std::array rest = {mapping_->bytes().substr(sizeof(Header))};
    if (checksum_of(header_, rest) != header_.checksum) damaged("its checksum is wrong");
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
            .feature_names = names(),
            .source = path_};
  }

 private:
  void check_header() const {
    if (header_.magic != magic_bytes) throw Error(fmt::format("{}: is not a .ssw cache; give one, or text.", path_));
    if (header_.byte_order != byte_order)
      throw Error(fmt::format("{}: was written on a machine of another byte order; recreate it from the text.", path_));
    if (header_.version != version)
      throw Error(fmt::format("{}: is a cache of version {}, this program reads version {}; recreate it from the text.",
                              path_, header_.version, version));
    if (header_.file_size != mapping_->bytes().size())
      damaged(fmt::format("it has {} bytes instead of {}", mapping_->bytes().size(), header_.file_size));
    // With these bounds, no sum of sizes overflows.
    const std::uint64_t most = header_.file_size;
    if (header_.rows == 0 || header_.rows > most || header_.entries > most || header_.names_bytes > most ||
        header_.storage > 3 || header_.width > 0xffffffff || header_.weighted > 1 || header_.nnz > header_.entries)
      damaged("its header is wrong");
    if (!header_.sparse() &&
        (header_.width == 0 || header_.entries / header_.width != header_.rows || header_.entries % header_.width != 0))
      damaged("its header is wrong");
    for (const std::uint64_t word : header_.unused)
      if (word != 0) damaged("its reserved bytes are not 0");
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
    const auto bytes = mapping_->bytes();
    for (const Extent& extent : {layout_.labels, layout_.weights, layout_.offsets, layout_.columns, layout_.values,
                                 layout_.names, Extent{layout_.end, 0}}) {
      const auto between = bytes.substr(end, extent.begin - end);
      if (between.find_first_not_of('\0') != std::string_view::npos) damaged("its reserved bytes are not 0");
      end = extent.begin + extent.size;
    }
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    auto left = mapping_->bytes().substr(layout_.names.begin, layout_.names.size);
    while (!left.empty()) {
      std::uint32_t size;
      if (left.size() < sizeof size) damaged("its names are truncated");
      std::memcpy(&size, left.data(), sizeof size);
      left.remove_prefix(sizeof size);
      if (left.size() < size) damaged("its names are truncated");
      names.emplace_back(left.substr(0, size));
      left.remove_prefix(size);
    }
    if (!names.empty() && names.size() != header_.width) damaged("it does not have one name per feature");
    return names;
  }

  [[noreturn]] void damaged(const std::string& reason) const {
    throw Error(fmt::format("{}: is damaged ({}); recreate it from the text.", path_, reason));
  }

  std::string path_;
  std::shared_ptr<const Mapping> mapping_;
  Header header_{};
  Layout layout_{};
};

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
  const std::string names = pack(data.feature_names);
  Header header{};
  header.magic = magic_bytes;
  header.version = version;
  header.byte_order = byte_order;
  header.storage = data.rows.index();
  header.rows = data.n();
  header.width = data.d();
  header.nnz = data.nnz;
  header.weighted = data.weights.empty() ? 0 : 1;
  header.names_bytes = names.size();

  std::string_view offsets, columns, values;
  std::visit(
      [&]<class AnyRows>(const AnyRows& rows) {
        header.entries = rows.entries();
        values = bytes_of(rows.values());
        if constexpr (requires { rows.offsets(); }) {
          offsets = bytes_of(rows.offsets());
          columns = bytes_of(rows.columns());
        }
      },
      data.rows);
  const Layout layout = layout_of(header);
  header.file_size = layout.end;

  constexpr char zeros[alignment] = {};
  std::vector<std::string_view> parts;
  for (const auto part :
       {bytes_of(std::span<const double>(data.labels)), bytes_of(std::span<const double>(data.weights)), offsets,
        columns, values, std::string_view(names)}) {
    if (part.empty()) continue;
    parts.push_back(part);
    parts.emplace_back(zeros, (alignment - part.size() % alignment) % alignment);
  }
  header.checksum = checksum_of(header, parts);

  AtomicFile file(path);
  file.write(bytes_of(std::span<const Header>(&header, 1)));
  for (const auto part : parts) file.write(part);
  file.commit();
}

}  // namespace seesaw
