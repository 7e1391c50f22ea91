// Paths from Python.
#pragma once

#include <pybind11/pybind11.h>

namespace seesaw::python {

void define_path(pybind11::module_& module);

}  // namespace seesaw::python
