// Certificates as tuples of Python.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "seesaw/model.h"
#include "signals.h"

namespace seesaw::python {

inline pybind11::tuple tuple_of(const DualityGap& c) {
  return pybind11::make_tuple(c.primal, c.dual, c.gap, c.relative_gap, c.distance_bound, c.guaranteed);
}

inline pybind11::list list_of(const std::vector<ClassGap>& classes) {
  pybind11::list list;
  for (const ClassGap& one : classes) list.append(pybind11::make_tuple(one.label, one.primal, one.dual, one.gap));
  return list;
}

// verify() of a model or a path; `more`: the groups of rows.
template <class Certified, class... More>
pybind11::tuple verified(const Data& data, const Certified& certified, const More&... more) {
  const VerifyResult found = interruptible(data.entries(), [&] { return verify(data, certified, more...); });
  return pybind11::make_tuple(found.holds, found.primal, found.dual, found.gap, list_of(found.classes), found.problems);
}

}  // namespace seesaw::python
