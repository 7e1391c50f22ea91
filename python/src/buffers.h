// Arrays of Python as arrays of the C++ interface, through the buffer protocol alone: the same binary works with every
// version of numpy.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "seesaw/data.h"

namespace seesaw::python {

namespace py = pybind11;

// Numbers returned to Python: numpy.asarray(numbers) shares their memory. columns = 0: one dimension.
struct Numbers {
  std::vector<double> values;
  std::size_t rows = 0, columns = 0;

  explicit Numbers(std::vector<double> of) : values(std::move(of)), rows(values.size()) {}
  Numbers(std::vector<double> of, std::size_t count, std::size_t width)
      : values(std::move(of)), rows(count), columns(width) {}
  py::buffer_info buffer();
};

// Buffers of Python objects that are borrowed. Kept alive, and locked against resizing, as long as owner() is held;
// it may be released by any thread, with or without the GIL.
class Borrowed {
 public:
  Borrowed();
  // One dimension, contiguous. A wrong type of element is a TypeError.
  IndexArray indices(const py::buffer& array, const char* name);
  ValueArray values(const py::buffer& array, const char* name);
  DenseArrays rows(const py::buffer& array);                                           // two dimensions, C order
  std::span<const double> doubles(const py::object& array_or_none, const char* name);  // None: empty
  std::shared_ptr<const void> owner() const { return held_; }

 private:
  struct Held;
  const py::buffer_info& hold(const py::buffer& array, const char* name, int dimensions);
  std::shared_ptr<Held> held_;
};

}  // namespace seesaw::python
