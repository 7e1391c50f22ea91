// Data from Python: arrays that are borrowed, and files.
#pragma once

#include <pybind11/pybind11.h>

namespace seesaw::python {

void define_data(pybind11::module_& module);

}  // namespace seesaw::python
