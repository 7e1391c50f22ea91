#include "data/readers/numpy_array.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>

#include "data/readers/numbers.h"
#include "seesaw/error.h"

namespace seesaw {
void refuse_numpy(const std::string& name, const std::string& sentence) {
  throw Error(fmt::format("{}: {}", name, sentence));
}

namespace {

// The text after a key of the header, which is a Python dictionary: {'descr': '<f8', 'fortran_order': False, ...}
std::string_view after_key(std::string_view header, std::string_view key, const std::string& name) {
  std::size_t at = header.find(key);
  if (at != header.npos) at = header.find(':', at);
  if (at == header.npos) refuse_numpy(name, fmt::format("the header has no {}; the file is damaged.", key));
  header.remove_prefix(at + 1);
  header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
  return header;
}

void parse_type(NumpyArray& array, std::string_view text, const std::string& name) {
  const std::size_t end = text.empty() ? 0 : text.find(text[0], 1);
  const std::string_view type = end == text.npos || end < 1 ? std::string_view() : text.substr(1, end - 1);
  const auto refuse_type = [&] {
    refuse_numpy(name,
                 fmt::format("its elements have the type {}; save float32, float64 or integers.", in_quotes(type)));
  };
  if (type.size() < 3) refuse_type();
  array.kind = type[1];
  array.item_size = 0;
  for (const char c : type.substr(2)) {
    if (!is_digit(c) || array.item_size > 1000) refuse_type();
    array.item_size = array.item_size * 10 + static_cast<std::size_t>(c - '0');
  }
  const std::size_t size = array.item_size;
  const bool known = array.kind == 'f'                        ? size == 4 || size == 8
                     : array.kind == 'i' || array.kind == 'u' ? size == 1 || size == 2 || size == 4 || size == 8
                     : array.kind == 'b'                      ? size == 1
                                                              : array.kind == 'S' && size > 0;
  if (!known) refuse_type();
  constexpr char native = std::endian::native == std::endian::little ? '<' : '>';
  array.swapped = (type[0] == '<' || type[0] == '>') && type[0] != native;
}

void parse_shape(NumpyArray& array, std::string_view text, const std::string& name) {
  if (text.empty() || text[0] != '(') refuse_numpy(name, "the shape in the header is damaged.");
  bool digits = false;
  std::size_t number = 0;
  for (const char c : text.substr(1)) {
    if (is_digit(c)) {
      if (number > (std::size_t{1} << 48)) refuse_numpy(name, "the shape in the header is damaged.");
      number = number * 10 + static_cast<std::size_t>(c - '0');
      digits = true;
      continue;
    }
    if (digits) array.shape.push_back(number);
    digits = false;
    number = 0;
    if (c == ')') return;
    if ((c != ',' && c != ' ') || array.shape.size() > 8) break;
  }
  refuse_numpy(name, "the shape in the header is damaged.");
}

template <class Number>
double element(const char* bytes, bool swapped) {
  char copy[sizeof(Number)];
  std::memcpy(copy, bytes, sizeof copy);
  if (swapped) std::reverse(copy, copy + sizeof copy);
  Number number;
  std::memcpy(&number, copy, sizeof number);
  if constexpr (sizeof(Number) == 8 && std::is_integral_v<Number>) {
    constexpr Number exact = Number{1} << 53;
    bool beyond = number > exact;
    if constexpr (std::is_signed_v<Number>) beyond = beyond || number < -exact;
    if (beyond) return std::numeric_limits<double>::quiet_NaN();
  }
  return static_cast<double>(number);
}

template <class Number>
void read_elements(const NumpyArray& array, std::size_t begin, std::size_t count, double* to) {
  const char* from = array.bytes.data() + begin * sizeof(Number);
  for (std::size_t k = 0; k < count; ++k, from += sizeof(Number)) to[k] = element<Number>(from, array.swapped);
}

std::string entry_bytes(archive* from, const std::string& path) {
  std::string bytes;
  constexpr std::size_t block = std::size_t{1} << 20;
  for (;;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + block);
    const la_ssize_t got = archive_read_data(from, bytes.data() + before, block);
    if (got < 0)
      refuse_numpy(path,
                   fmt::format("cannot be read to its end ({}): it is damaged or truncated; create it again.",
                               archive_error_string(from) == nullptr ? "no reason given" : archive_error_string(from)));
    bytes.resize(before + static_cast<std::size_t>(got));
    if (got == 0) return bytes;
  }
}

}  // namespace

std::size_t NumpyArray::size() const {
  std::size_t product = 1;
  for (const std::size_t length : shape) product *= length;
  return product;
}

void NumpyArray::read(std::size_t begin, std::size_t count, double* to) const {
  const std::size_t code = static_cast<std::size_t>(kind) * 16 + item_size;
  switch (code) {
    case 'f' * 16 + 4:
      return read_elements<float>(*this, begin, count, to);
    case 'f' * 16 + 8:
      return read_elements<double>(*this, begin, count, to);
    case 'i' * 16 + 1:
      return read_elements<std::int8_t>(*this, begin, count, to);
    case 'i' * 16 + 2:
      return read_elements<std::int16_t>(*this, begin, count, to);
    case 'i' * 16 + 4:
      return read_elements<std::int32_t>(*this, begin, count, to);
    case 'i' * 16 + 8:
      return read_elements<std::int64_t>(*this, begin, count, to);
    case 'u' * 16 + 2:
      return read_elements<std::uint16_t>(*this, begin, count, to);
    case 'u' * 16 + 4:
      return read_elements<std::uint32_t>(*this, begin, count, to);
    case 'u' * 16 + 8:
      return read_elements<std::uint64_t>(*this, begin, count, to);
    default:  // u1 and bool
      return read_elements<std::uint8_t>(*this, begin, count, to);
  }
}

NumpyArray parse_numpy_array(std::string_view bytes, const std::string& name) {
  constexpr std::string_view magic = "\x93NUMPY";
  if (!bytes.starts_with(magic) || bytes.size() < 12)
    refuse_numpy(name, "is not a .npy file; write it with numpy.save.");
  const auto byte = [&](std::size_t k) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[k])); };
  std::size_t length = byte(8) | byte(9) << 8, begin = 10;
  if (byte(6) >= 2) {
    length |= byte(10) << 16 | byte(11) << 24;
    begin = 12;
  }
  if (byte(6) < 1 || byte(6) > 3 || length > bytes.size() - begin)
    refuse_numpy(name, "the header of the array is damaged.");
  const std::string_view header = bytes.substr(begin, length);
  NumpyArray array;
  parse_type(array, after_key(header, "'descr'", name), name);
  array.fortran_order = after_key(header, "'fortran_order'", name).starts_with("True");
  parse_shape(array, after_key(header, "'shape'", name), name);
  array.bytes = bytes.substr(begin + length);
  std::size_t available = array.bytes.size() / array.item_size;
  for (const std::size_t size : array.shape) {
    if (size == 0) return array;
    available /= size;
  }
  if (available == 0 && !(array.shape.empty() && array.bytes.size() >= array.item_size))
    refuse_numpy(name, "has fewer elements than its header states; the file is truncated.");
  return array;
}

std::map<std::string, std::string> unpacked_files(const std::string& path) {
  const std::unique_ptr<archive, int (*)(archive*)> from(archive_read_new(), archive_read_free);
  if (from == nullptr) throw std::bad_alloc();
  archive_read_support_filter_gzip(from.get());
  archive_read_support_filter_bzip2(from.get());
  archive_read_support_filter_xz(from.get());
  archive_read_support_filter_zstd(from.get());
  archive_read_support_format_zip(from.get());
  archive_read_support_format_raw(from.get());
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_directory(path, ignored))
    refuse_numpy(path, "is a directory; give a .npy or .npz file.");
  if (archive_read_open_filename(from.get(), path == "-" ? nullptr : path.c_str(), std::size_t{1} << 16) != ARCHIVE_OK)
    refuse_numpy(path, fmt::format("cannot be opened ({}); give a .npy or .npz file.",
                                   std::strerror(archive_errno(from.get()))));
  std::map<std::string, std::string> files;
  archive_entry* entry = nullptr;
  int status = ARCHIVE_OK;
  while ((status = archive_read_next_header(from.get(), &entry)) == ARCHIVE_OK || status == ARCHIVE_WARN) {
    const bool raw = (archive_format(from.get()) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_RAW;
    const char* const name = archive_entry_pathname(entry);
    files[raw || name == nullptr ? "" : name] = entry_bytes(from.get(), path);
  }
  if (status != ARCHIVE_EOF)
    refuse_numpy(path, "cannot be read as a .npy or .npz file: it is damaged or truncated; create it again.");
  return files;
}

}  // namespace seesaw
