#include "path.h"

#include <pybind11/stl.h>

#include <optional>
#include <utility>

#include "certificates.h"
#include "seesaw/path.h"
#include "training.h"

namespace seesaw::python {
namespace {

namespace py = pybind11;
using Released = py::call_guard<py::gil_scoped_release>;
using Range = std::pair<double, double>;

std::optional<ValueRange> range_of(const std::optional<Range>& range) {
  return range ? std::optional(ValueRange{range->first, range->second}) : std::nullopt;
}
Range pair_of(const ValueRange& range) { return {range.low, range.high}; }

struct PathOfPython {
  ModelPath path;
  std::string status;
  double seconds;
};

PathOfPython train_path_from_python(const Data& data, const Training& given, const py::object& callback,
                                    bool handle_signals, const std::optional<Range>& C,
                                    const std::optional<Range>& lambda, const std::optional<Range>& l1,
                                    std::optional<double> mix, double accuracy, std::size_t points) {
  const PathSpec spec{range_of(C), range_of(lambda), range_of(l1), mix, accuracy, points};
  std::optional<PathResult> result;
  run_training(data, given, callback, handle_signals,
               [&](const Training& training) { result = train_path(data, training, spec); });
  return {std::move(result->path), std::string(name_of(result->status)), result->seconds};
}

py::list entries_of(const ModelPath& path) {
  py::list list;
  for (const PathEntry& entry : path.entries()) {
    std::optional<Range> covers;
    if (entry.covers) covers = pair_of(*entry.covers);
    list.append(py::make_tuple(entry.value, covers, tuple_of(entry.certificate), entry.combined, entry.status,
                               entry.passes, entry.seconds));
  }
  return list;
}

std::vector<Range> uncovered_of(const ModelPath& path) {
  std::vector<Range> result;
  for (const ValueRange& hole : path.uncovered()) result.push_back(pair_of(hole));
  return result;
}

py::object covering(const ModelPath& path, double value) {
  const auto found = path.covering(value);
  if (!found) return py::none();
  return py::make_tuple(found->index, found->primal, found->dual, found->gap);
}

}  // namespace

void define_path(py::module_& module) {
  py::class_<ModelPath>(module, "ModelPath")
      .def_static("load", &ModelPath::load, Released())
      .def("save", &ModelPath::save, Released())
      .def_property_readonly("parameter", &ModelPath::parameter)
      .def_property_readonly("range", [](const ModelPath& path) { return pair_of(path.range()); })
      .def_property_readonly("accuracy", &ModelPath::accuracy)
      .def_property_readonly("complete", &ModelPath::complete)
      .def_property_readonly("entries", &entries_of)
      .def_property_readonly("uncovered", &uncovered_of)
      .def("model", &ModelPath::model)
      .def("model_at_low", &ModelPath::model_at_low)
      .def("model_at_high", &ModelPath::model_at_high)
      .def("covering", &covering);
  module.def("train_path", [](const Data& data, const Training& training, const py::object& callback, bool signals,
                              const std::optional<Range>& C, const std::optional<Range>& lambda,
                              const std::optional<Range>& l1, std::optional<double> mix, double accuracy,
                              std::size_t points) {
    PathOfPython made = train_path_from_python(data, training, callback, signals, C, lambda, l1, mix, accuracy, points);
    return py::make_tuple(std::move(made.path), made.status, made.seconds);
  });
  module.def("verify_path", [](const Data& data, const ModelPath& path) { return verified(data, path); });
}

}  // namespace seesaw::python
