#include "buffers.h"

#include <cstdint>
#include <deque>
#include <string>

namespace seesaw::python {
namespace {

// The letter of a format in native byte order; 0: anything else.
char letter_of(const py::buffer_info& info) {
  const std::string& format = info.format;
  if (format.size() == 1) return format[0];
  if (format.size() == 2 && (format[0] == '@' || format[0] == '=' || format[0] == '<')) return format[1];
  return 0;
}

[[noreturn]] void refuse(const char* name, const std::string& why) {
  throw py::type_error(std::string(name) + " " + why);
}

bool contiguous(const py::buffer_info& info) {
  py::ssize_t stride = info.itemsize;
  for (py::ssize_t k = info.ndim - 1; k >= 0; --k) {
    const auto at = static_cast<std::size_t>(k);
    if (info.shape[at] > 1 && info.strides[at] != stride) return false;
    stride *= info.shape[at];
  }
  return true;
}

template <class Element>
std::span<const Element> elements(const py::buffer_info& info) {
  return {static_cast<const Element*>(info.ptr), static_cast<std::size_t>(info.size)};
}

ValueArray typed_values(const py::buffer_info& info, const char* name) {
  const char letter = letter_of(info);
  if (letter == 'd' && info.itemsize == sizeof(double)) return elements<double>(info);
  if (letter == 'f' && info.itemsize == sizeof(float)) return elements<float>(info);
  refuse(name, "must be float64 or float32, in native byte order.");
}

}  // namespace

py::buffer_info Numbers::buffer() {
  const auto size = static_cast<py::ssize_t>(sizeof(double));
  const auto count = static_cast<py::ssize_t>(rows), width = static_cast<py::ssize_t>(columns);
  if (columns == 0) return {values.data(), size, py::format_descriptor<double>::format(), 1, {count}, {size}};
  return {values.data(), size, py::format_descriptor<double>::format(), 2, {count, width}, {width * size, size}};
}

struct Borrowed::Held {
  std::deque<py::buffer_info> views;  // references to its elements stay valid
  ~Held() {
    if (Py_IsInitialized() == 0) {  // too late to release anything
      new std::deque<py::buffer_info>(std::move(views));
      return;
    }
    const py::gil_scoped_acquire gil;
    views.clear();
  }
};

Borrowed::Borrowed() : held_(std::make_shared<Held>()) {}

const py::buffer_info& Borrowed::hold(const py::buffer& array, const char* name, int dimensions) {
  const py::buffer_info& info = held_->views.emplace_back(array.request());
  if (info.ndim != dimensions) refuse(name, "must have " + std::to_string(dimensions) + " dimension(s).");
  if (!contiguous(info)) refuse(name, "must be contiguous, in C order.");
  if (info.size > 0 && reinterpret_cast<std::uintptr_t>(info.ptr) % static_cast<std::uintptr_t>(info.itemsize) != 0)
    refuse(name, "must be aligned in memory.");
  return info;
}

IndexArray Borrowed::indices(const py::buffer& array, const char* name) {
  const py::buffer_info& info = hold(array, name, 1);
  switch (letter_of(info)) {
    case 'i':
    case 'l':
    case 'q':
      if (info.itemsize == 4) return elements<std::int32_t>(info);
      if (info.itemsize == 8) return elements<std::int64_t>(info);
      break;
    case 'I':
    case 'L':
    case 'Q':
      if (info.itemsize == 4) return elements<std::uint32_t>(info);
      if (info.itemsize == 8) return elements<std::uint64_t>(info);
      break;
    default:
      break;
  }
  refuse(name, "must be integers of 32 or 64 bits.");
}

ValueArray Borrowed::values(const py::buffer& array, const char* name) {
  return typed_values(hold(array, name, 1), name);
}

DenseArrays Borrowed::rows(const py::buffer& array) {
  const py::buffer_info& info = hold(array, "X", 2);
  return {static_cast<std::size_t>(info.shape[0]), static_cast<std::size_t>(info.shape[1]), typed_values(info, "X")};
}

std::span<const double> Borrowed::doubles(const py::object& array_or_none, const char* name) {
  if (array_or_none.is_none()) return {};
  if (!py::isinstance<py::buffer>(array_or_none)) refuse(name, "must be an array.");
  const py::buffer_info& info = hold(py::reinterpret_borrow<py::buffer>(array_or_none), name, 1);
  if (letter_of(info) != 'd' || info.itemsize != sizeof(double)) refuse(name, "must be float64.");
  return elements<double>(info);
}

}  // namespace seesaw::python
