// The state of an object as named arrays, saved or restored by the same function:
//
//     void serialize(Archive& archive) {
//       archive.numbers("scalars", primal_, passes_, has_direction_);
//       archive.array("x", x_);
//       archive.rows("z", z_);
//     }
//
// Entries are restored in the order in which they were saved; name, kind and type of each are compared. A file of entries
// (ArchiveWriter, ArchiveReader) ends with a checksum of all bytes before it; docs/formats.md has its layout.
//
// Arrays have a kind, so that a process that has some of the rows can save and restore its part:
//
//     shared      the same for all rows: x, matrices, counts
//     per_row     `width` numbers per row of the data, in their order
//     row_list    row numbers, ascending
//     per_listed  one number per row of the row_list before it
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/atomic_file.h"

namespace seesaw {

struct ArchiveEntry {
  enum class Kind : std::uint8_t { shared, per_row, row_list, per_listed, end };
  enum class Type : std::uint8_t { bytes, float32, float64, uint32, uint64 };
  Kind kind = Kind::shared;
  Type type = Type::bytes;
  std::string_view name;
  std::uint64_t count = 0;  // elements
  std::uint32_t width = 1;  // per_row: numbers per row; matrices: rows
};

class Archive {
 public:
  using Kind = ArchiveEntry::Kind;
  virtual ~Archive() = default;
  bool saving() const { return saving_; }

  // Numbers, flags and enumerations, as doubles; integers below 2^53.
  template <class... Number>
  void numbers(std::string_view name, Number&... values) {
    std::vector<double> all{as_double(values)...};
    const std::size_t count = all.size();
    array(name, all);
    require(all.size() == count, name);
    const double* next = all.data();
    (from_double(*next++, values), ...);
  }
  void integer(std::string_view name, std::uint64_t& value) {
    std::vector<std::uint64_t> one{value};
    array(name, one);
    require(one.size() == 1, name);
    value = one[0];
  }
  void text(std::string_view name, std::string& text) { array(name, text); }

  // std::vector, std::string, Buffer or an Eigen vector: of any length, which is restored.
  template <class Array>
  void array(std::string_view name, Array& values) {
    transfer(name, values, Kind::shared, 1);
  }
  template <class Array>
  void rows(std::string_view name, Array& values, std::size_t width = 1) {
    transfer(name, values, Kind::per_row, width);
  }
  void row_list(std::string_view name, std::vector<std::uint32_t>& rows) { transfer(name, rows, Kind::row_list, 1); }
  template <class Array>
  void listed(std::string_view name, Array& values) {
    transfer(name, values, Kind::per_listed, 1);
  }
  template <class Matrix>
  void matrix(std::string_view name, Matrix& values) {
    using Index = decltype(values.rows());
    transfer_bytes(entry<double>(name, Kind::shared, values.size(), values.rows()), values.data(),
                   [&](const ArchiveEntry& found) {
                     const std::uint64_t columns = found.width > 0 ? found.count / found.width : 0;
                     require(found.count == columns * found.width, name);
                     values.resize(static_cast<Index>(found.width), static_cast<Index>(columns));
                     return values.data();
                   });
  }
  // An object without pointers, as it is in memory.
  template <class Object>
  void object(std::string_view name, Object& value) {
    static_assert(std::is_trivially_copyable_v<Object>);
    std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
    text(name, bytes);
    require(bytes.size() == sizeof value, name);
    if (!saving_) std::memcpy(static_cast<void*>(&value), bytes.data(), sizeof value);
  }
  template <class Number>
  void optional(std::string_view name, Number& value) {  // std::optional of a number
    std::vector<double> held;
    if (value) held.push_back(static_cast<double>(*value));
    array(name, held);
    if (held.empty()) value.reset();
    else value = held[0];
  }

 protected:
  explicit Archive(bool saving) : saving_(saving) {}
  // Writes the entry, or finds the next one and returns it with its bytes.
  virtual void put(const ArchiveEntry& entry, const void* bytes) = 0;
  struct Found {
    ArchiveEntry entry;
    const char* bytes;
  };
  virtual Found get(const ArchiveEntry& expected) = 0;  // throws Error if name, kind or type are others
  [[noreturn]] virtual void refuse(std::string_view name) const = 0;
  void require(bool holds, std::string_view name) const {
    if (!holds) refuse(name);
  }

 private:
  template <class Number>
  static double as_double(const Number& value) {
    static_assert(std::is_arithmetic_v<Number> || std::is_enum_v<Number>);
    return static_cast<double>(value);  // integers: exact below 2^53
  }
  template <class Number>
  static void from_double(double stored, Number& value) {
    if constexpr (std::is_same_v<Number, bool>) value = stored != 0;
    else value = static_cast<Number>(stored);
  }
  template <class T>
  static constexpr ArchiveEntry::Type type_of() {
    using enum ArchiveEntry::Type;
    if constexpr (std::is_same_v<T, double>) return float64;
    else if constexpr (std::is_same_v<T, float>) return float32;
    else if constexpr (std::is_same_v<T, std::uint32_t>) return uint32;
    else if constexpr (std::is_same_v<T, std::uint64_t>) return uint64;
    else {
      static_assert(sizeof(T) == 1);
      return bytes;
    }
  }
  template <class T, class Count, class Width>
  static ArchiveEntry entry(std::string_view name, Kind kind, Count count, Width width) {
    return {kind, type_of<T>(), name, static_cast<std::uint64_t>(count), static_cast<std::uint32_t>(width)};
  }

  template <class Array>
  void transfer(std::string_view name, Array& values, Kind kind, std::size_t width) {
    using Element = std::remove_cvref_t<decltype(*values.data())>;
    transfer_bytes(entry<Element>(name, kind, values.size(), width), values.data(), [&](const ArchiveEntry& found) {
      require(found.width == width && found.count % width == 0, name);
      values.resize(static_cast<decltype(values.size())>(found.count));
      return values.data();
    });
  }
  template <class Element, class Resize>
  void transfer_bytes(const ArchiveEntry& entry, Element* data, const Resize& resized) {
    if (saving_) return put(entry, data);
    const Found found = get(entry);
    Element* const to = resized(found.entry);
    if (found.entry.count > 0) std::memcpy(to, found.bytes, found.entry.count * sizeof(Element));
  }

  bool saving_;
};

class ArchiveWriter final : public Archive {
 public:
  explicit ArchiveWriter(const std::string& path);  // throws Error if it cannot be written
  ~ArchiveWriter() override;
  void commit();  // the checksum; then the file has its name (base/atomic_file.h)

 private:
  void put(const ArchiveEntry& entry, const void* bytes) override;
  Found get(const ArchiveEntry&) override { return {}; }
  [[noreturn]] void refuse(std::string_view name) const override;
  void add(const void* bytes, std::size_t size);

  struct Checksum;
  AtomicFile file_;
  std::unique_ptr<Checksum> checksum_;
};

class ArchiveReader final : public Archive {
 public:
  explicit ArchiveReader(std::string path);  // throws Error if the file cannot be read or is damaged

 private:
  void put(const ArchiveEntry&, const void*) override {}
  Found get(const ArchiveEntry& expected) override;
  [[noreturn]] void refuse(std::string_view name) const override;

  std::string path_;
  std::string bytes_;
  std::size_t at_ = 0;
};

}  // namespace seesaw
