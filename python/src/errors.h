// The errors of the library as exceptions of Python, all of them ValueErrors.
#pragma once

#include <pybind11/pybind11.h>

namespace seesaw::python {

void define_errors(pybind11::module_& module);

}  // namespace seesaw::python
