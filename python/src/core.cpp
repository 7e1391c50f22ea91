// seesaw._core: the C++ interface (include/seesaw) for the modules of python/seesaw, which check and convert arguments.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <limits>

#include "buffers.h"
#include "errors.h"
#include "report/page.h"
#include "seesaw/seesaw.h"
#include "training.h"

namespace seesaw::python {
namespace {

using Released = py::call_guard<py::gil_scoped_release>;

Data dense(const py::buffer& rows, const py::object& labels, const py::object& weights) {
  Borrowed borrowed;
  const DenseArrays arrays = borrowed.rows(rows);
  Borrowed copied;  // labels and weights: not needed any more afterwards
  const RowLabels of_rows{copied.doubles(labels, "y"), copied.doubles(weights, "sample_weight")};
  const py::gil_scoped_release release;
  return Data::view(arrays, of_rows, borrowed.owner());
}

Data sparse(std::size_t features, const py::buffer& offsets, const py::buffer& columns, const py::buffer& values,
            const py::object& labels, const py::object& weights) {
  Borrowed borrowed;
  const SparseArrays arrays{features, borrowed.indices(offsets, "indptr"), borrowed.indices(columns, "indices"),
                            borrowed.values(values, "data")};
  Borrowed copied;
  const RowLabels of_rows{copied.doubles(labels, "y"), copied.doubles(weights, "sample_weight")};
  const py::gil_scoped_release release;
  return Data::view(arrays, of_rows, borrowed.owner());
}

Data with_labels(const Data& data, const py::object& labels, const py::object& weights) {
  Borrowed copied;
  const RowLabels of_rows{copied.doubles(labels, "y"), copied.doubles(weights, "sample_weight")};
  const py::gil_scoped_release release;
  return data.with_labels(of_rows);
}

Format format_of(const std::string& name) {
  if (name == "guess") return Format::guess;
  if (name == "libsvm") return Format::libsvm;
  if (name == "csv") return Format::csv;
  if (name == "cache") return Format::cache;
  throw InvalidOption("format", name, "choose one of guess, libsvm, csv, cache");
}

Data read(const std::string& path, const std::string& format, std::size_t index_base, const std::string& label_column,
          std::optional<std::size_t> width, bool single, const std::string& weights) {
  const ReadOptions options{.format = format_of(format),
                            .index_base = index_base,
                            .label_column = label_column,
                            .width = width,
                            .width_of = "`n_features`",
                            .precision = single ? Precision::single : Precision::exact};
  const py::gil_scoped_release release;
  return Data::read(path, options, weights);
}

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

py::list list_of(const std::vector<ClassGap>& classes) {
  py::list list;
  for (const ClassGap& one : classes) list.append(py::make_tuple(one.label, one.primal, one.dual, one.gap));
  return list;
}

Numbers scores(std::vector<double> values, std::size_t rows, std::size_t columns) {
  return columns == 1 ? Numbers(std::move(values)) : Numbers(std::move(values), rows, columns);
}

Numbers decision(const Model& model, const Data& data) {
  return scores(model.decision(data), data.rows(), model.outputs());
}

// low, high: as decision(); settled: 0 or 1 per row.
py::tuple decision_bounds(const Model& model, const Data& data) {
  ScoreBounds bounds;
  {
    const py::gil_scoped_release release;
    bounds = model.decision_bounds(data);
  }
  const std::vector<double> settled(bounds.settled.begin(), bounds.settled.end());
  return py::make_tuple(scores(std::move(bounds.low), data.rows(), model.outputs()),
                        scores(std::move(bounds.high), data.rows(), model.outputs()), Numbers(settled));
}
Numbers predict(const Model& model, const Data& data) { return Numbers(model.predict(data)); }
Numbers probabilities(const Model& model, const Data& data) {
  if (!model.has_probabilities()) throw Error("only models of the losses logistic and softmax have probabilities.");
  return {model.probabilities(data), data.rows(), model.labels().size()};
}

void define_data(py::module_& module) {
  py::class_<Numbers>(module, "Numbers", py::buffer_protocol()).def_buffer(&Numbers::buffer);
  py::class_<Data>(module, "Data")
      .def_static("dense", &dense)
      .def_static("sparse", &sparse)
      .def_static("read", &read)
      .def("with_labels", &with_labels)
      .def("with_feature_names", &Data::with_feature_names)
      .def_property_readonly("rows", &Data::rows)
      .def_property_readonly("features", &Data::features)
      .def_property_readonly("entries", &Data::entries)
      .def_property_readonly("bytes", &Data::bytes)
      .def_property_readonly("hash", &Data::hash, Released())
      .def_property_readonly("feature_names", &Data::feature_names)
      .def_property_readonly("labels", [](const Data& data) { return Numbers(data.labels()); })
      .def_property_readonly("weights", [](const Data& data) { return Numbers(data.weights()); });
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
      .def_property_readonly("objective", &objective_of)
      .def_property_readonly("converged", &Model::converged)
      .def_property_readonly("status", &Model::status)
      .def_property_readonly("solver", &Model::solver)
      .def_property_readonly("passes", &Model::passes)
      .def_property_readonly("seed", &Model::seed)
      .def_property_readonly("certificate",
                             [](const Model& m) {
                               const DualityGap c = m.certificate();
                               return py::make_tuple(c.primal, c.dual, c.gap, c.relative_gap, c.distance_bound,
                                                     c.guaranteed);
                             })
      .def_property_readonly("classes", [](const Model& m) { return list_of(m.classes()); })
      .def_property_readonly("has_probabilities", &Model::has_probabilities)
      .def("decision", &decision, Released())
      .def("decision_bounds", &decision_bounds)
      .def("predict", &predict, Released())
      .def("probabilities", &probabilities, Released());
  module.def("verify", [](const Data& data, const Model& model) {
    VerifyResult found;
    {
      const py::gil_scoped_release release;
      found = verify(data, model);
    }
    return py::make_tuple(found.holds, found.primal, found.dual, found.gap, list_of(found.classes), found.problems);
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
  module.def("methods", &methods_as_dicts);
  module.def("losses", &losses_as_dicts);
  module.def("page", [](const std::string& lines) { return page_of(lines); });
  module.def(
      "with_threads",
      [](unsigned threads, const py::function& body) {
        py::object result;
        const py::gil_scoped_release release;
        with_threads(threads, [&] {
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
