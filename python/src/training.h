// Training from Python: the GIL is released, signals are handled, callbacks are called.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>

#include "seesaw/training.h"

namespace seesaw::python {

// Calls body() without the GIL, with `given` and the callback as its observer. handle_signals: this is the main thread of
// Python. Signals are handled meanwhile; an exception of their handlers stops body() and is raised. Except for small data,
// body() runs in another thread then.
void run_training(const Data& data, const Training& given, const pybind11::object& callback, bool handle_signals,
                  const std::function<void(const Training&)>& body);

void define_training(pybind11::module_& module);

}  // namespace seesaw::python
