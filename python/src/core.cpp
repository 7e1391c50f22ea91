// seesaw._core: the C++ interface (include/seesaw) for the modules of python/seesaw, which check and convert arguments.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <limits>

#include "buffers.h"
#include "certificates.h"
#include "data.h"
#include "errors.h"
#include "path.h"
#include "report/page.h"
#include "seesaw/seesaw.h"
#include "signals.h"
#include "training.h"

namespace seesaw::python {
namespace {

using Released = py::call_guard<py::gil_scoped_release>;

py::dict objective_of(const Model& model) {
  const ObjectiveInfo info = model.objective();
  py::dict dict;
  dict["loss"] = info.loss;
  dict["loss_parameter"] = info.loss_parameter;
  dict["lambda"] = info.lambda;
  dict["l1"] = info.l1;
  dict["intercept"] = std::string(name_of(info.intercept));
  dict["intercept_scaling"] = info.intercept_scaling;
  dict["scaling"] = std::string(name_of(info.scaling));
  dict["class_weight"] = info.class_weights;
  return dict;
}

Numbers scores(std::vector<double> values, std::size_t rows, std::size_t columns) {
  return columns == 1 ? Numbers(std::move(values)) : Numbers(std::move(values), rows, columns);
}

Numbers decision(const Model& model, const Data& data) {
  return scores(interruptible(data.entries(), [&] { return model.decision(data); }), data.rows(), model.outputs());
}

// low, high: as decision(); settled: 0 or 1 per row.
py::tuple decision_bounds(const Model& model, const Data& data) {
  ScoreBounds bounds = interruptible(data.entries(), [&] { return model.decision_bounds(data); });
  const std::vector<double> settled(bounds.settled.begin(), bounds.settled.end());
  return py::make_tuple(scores(std::move(bounds.low), data.rows(), model.outputs()),
                        scores(std::move(bounds.high), data.rows(), model.outputs()), Numbers(settled));
}
Numbers predict(const Model& model, const Data& data) {
  std::vector<double> result = interruptible(data.entries(), [&] { return model.predict(data); });
  if (result.size() > data.rows()) return {std::move(result), data.rows(), model.outputs()};  // several targets
  return Numbers(std::move(result));
}
Numbers probabilities(const Model& model, const Data& data) {
  if (!model.has_probabilities())
    throw Error("only calibrated models and those of the losses logistic and softmax have probabilities.");
  return {interruptible(data.entries(), [&] { return model.probabilities(data); }), data.rows(), model.labels().size()};
}

// low, high: as probabilities().
py::tuple probability_bounds(const Model& model, const Data& data) {
  ProbabilityBounds bounds = interruptible(data.entries(), [&] { return model.probability_bounds(data); });
  const std::size_t labels = model.labels().size();
  return py::make_tuple(Numbers(std::move(bounds.low), data.rows(), labels),
                        Numbers(std::move(bounds.high), data.rows(), labels));
}

void define_model(py::module_& module) {
  py::class_<Model>(module, "Model")
      .def_static("load", &Model::load, Released())
      .def_static("from_bytes", [](const py::bytes& bytes) { return Model::from_bytes(std::string(bytes)); })
      .def("to_bytes", [](const Model& model) { return py::bytes(model.to_bytes()); })
      .def("save", &Model::save, Released())
      .def("save_liblinear", &Model::save_liblinear, Released())
      .def_property_readonly("outputs", &Model::outputs)
      .def_property_readonly("features", &Model::features)
      .def_property_readonly("weights", [](const Model& m) { return scores(m.weights(), m.features(), m.outputs()); })
      .def_property_readonly("scaled_weights",
                             [](const Model& m) {
                               return scores(m.scaled_weights(), m.scaled_weights().size() / m.outputs(), m.outputs());
                             })
      .def_property_readonly("intercepts", [](const Model& m) { return Numbers(m.intercepts()); })
      .def_property_readonly("labels", [](const Model& m) { return Numbers(m.labels()); })
      .def_property_readonly(
          "dual", [](const Model& m) { return scores(m.dual(), m.dual().size() / m.outputs(), m.outputs()); })
      .def_property_readonly("feature_names", &Model::feature_names)
      .def_property_readonly("is_table", &Model::is_table)
      .def_property_readonly("label_names", &Model::label_names)
      .def("read",
           [](const Model& model, const std::string& path, const ReadOptions& options) {
             return interruptible(of_a_file, [&] { return model.read(path, options); });
           })
      .def_property_readonly("objective", &objective_of)
      .def_property_readonly("converged", &Model::converged)
      .def_property_readonly("status", &Model::status)
      .def_property_readonly("solver", &Model::solver)
      .def_property_readonly("passes", &Model::passes)
      .def_property_readonly("seed", &Model::seed)
      .def_property_readonly("certificate", [](const Model& m) { return tuple_of(m.certificate()); })
      .def_property_readonly("classes", [](const Model& m) { return list_of(m.classes()); })
      .def_property_readonly("has_probabilities", &Model::has_probabilities)
      .def("decision", &decision)
      .def("decision_bounds", &decision_bounds)
      .def("predict", &predict)
      .def("probabilities", &probabilities)
      .def("probability_bounds", &probability_bounds);
  module.def("verify", [](const Data& data, const Model& model) { return verified(data, model); });
  module.def("verify_groups", [](const Data& data, const Model& model, const std::vector<std::int64_t>& blocks) {
    return verified(data, model, blocks);
  });
}

py::list methods_as_dicts() {
  py::list list;
  for (const MethodInfo& method : methods()) {
    py::list options;
    for (const MethodOption& option : method.options) {
      py::dict dict;
      dict["name"] = option.name;
      dict["allowed"] = option.allowed;
      dict["default"] = option.default_value;
      dict["meaning"] = option.meaning;
      options.append(dict);
    }
    py::dict dict;
    dict["name"] = method.name;
    dict["summary"] = method.summary;
    dict["paper"] = method.paper;
    dict["family"] = method.family;
    dict["cost"] = method.cost;
    dict["needs"] = method.needs;
    dict["random"] = method.random;
    dict["options"] = options;
    list.append(dict);
  }
  return list;
}

py::list losses_as_dicts() {
  py::list list;
  for (const LossInfo& loss : losses()) {
    py::dict dict;
    dict["name"] = loss.name;
    dict["formula"] = loss.formula;
    dict["target"] = loss.target == TargetKind::number        ? "number"
                     : loss.target == TargetKind::two_classes ? "two classes"
                                                              : "classes";
    dict["smooth"] = loss.smooth;
    dict["parameter"] = loss.parameter;
    dict["parameter_default"] = loss.parameter_default;
    dict["parameter_rule"] = loss.parameter_rule;
    dict["of_groups"] = loss.of_groups;
    list.append(dict);
  }
  return list;
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The C++ interface of Seesaw; use the package seesaw instead.";
  define_errors(module);
  define_data(module);
  define_model(module);
  define_training(module);
  define_path(module);
  module.def("methods", &methods_as_dicts);
  module.def("losses", &losses_as_dicts);
  module.def("page", [](const std::string& lines) { return page_of(lines); });
  module.def(
      "with_threads",
      [](unsigned threads, const py::function& body) {
        py::object result;
        const py::gil_scoped_release release;
        with_threads(threads, [&] {
          const ThreadLimit limit(threads);
          const py::gil_scoped_acquire gil;
          result = body();
        });
        const py::gil_scoped_acquire gil;
        return result;
      },
      py::arg("threads"), py::arg("body"));
  module.attr("version") = version();
}

}  // namespace seesaw::python
