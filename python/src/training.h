// Training from Python: the GIL is released, signals are handled, callbacks are called.
#pragma once

#include <pybind11/pybind11.h>

namespace seesaw::python {

void define_training(pybind11::module_& module);

}  // namespace seesaw::python
