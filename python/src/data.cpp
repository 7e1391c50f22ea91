#include "data.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <array>

#include "buffers.h"
#include "seesaw/data.h"
#include "seesaw/error.h"
#include "signals.h"

namespace seesaw::python {
namespace {

using Released = py::call_guard<py::gil_scoped_release>;

Data dense(const py::buffer& rows, const py::object& labels, const py::object& weights) {
  Borrowed borrowed;
  const DenseArrays arrays = borrowed.rows(rows);
  Borrowed copied;  // labels and weights: not needed any more afterwards
  const RowLabels of_rows{copied.doubles(labels, "y"), copied.doubles(weights, "sample_weight")};
  return interruptible(arrays.rows * arrays.features, [&] { return Data::view(arrays, of_rows, borrowed.owner()); });
}

Data sparse(std::size_t features, const py::buffer& offsets, const py::buffer& columns, const py::buffer& values,
            const py::object& labels, const py::object& weights) {
  Borrowed borrowed;
  const SparseArrays arrays{features, borrowed.indices(offsets, "indptr"), borrowed.indices(columns, "indices"),
                            borrowed.values(values, "data")};
  Borrowed copied;
  const RowLabels of_rows{copied.doubles(labels, "y"), copied.doubles(weights, "sample_weight")};
  const std::size_t entries = std::visit([](const auto& of) { return of.size(); }, arrays.values);
  return interruptible(entries, [&] { return Data::view(arrays, of_rows, borrowed.owner()); });
}

Data with_labels(const Data& data, const py::object& labels, const py::object& weights) {
  Borrowed copied;
  const RowLabels of_rows{copied.doubles(labels, "y"), copied.doubles(weights, "sample_weight")};
  const py::gil_scoped_release release;
  return data.with_labels(of_rows);
}

// In the order of the enumerations.
constexpr std::array<const char*, 5> format_names = {"guess", "libsvm", "csv", "cache", "numpy"};
constexpr std::array<const char*, 3> impute_names = {"median", "mean", "constant"};

template <class Enum, std::size_t N>
Enum named(const std::array<const char*, N>& names, const char* field, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<Enum>(found - names.begin());
  std::string allowed = "choose one of";
  for (std::size_t k = 0; k < N; ++k) allowed += std::string(k == 0 ? " " : ", ") + names[k];
  throw InvalidOption(field, name, allowed);
}

void define_options(py::module_& module) {
  py::class_<TableOptions>(module, "TableOptions")
      .def(py::init<>())
      .def_property(
          "separator", [](const TableOptions& o) { return std::string(o.separator == 0 ? 0 : 1, o.separator); },
          [](TableOptions& o, const std::string& text) { o.separator = text.empty() ? '\0' : text[0]; })
      .def_readwrite("drop", &TableOptions::drop)
      .def_readwrite("keep", &TableOptions::keep)
      .def_readwrite("categorical", &TableOptions::categorical)
      .def_readwrite("dates", &TableOptions::dates)
      .def_readwrite("min_count", &TableOptions::min_count)
      .def_property(
          "impute", [](const TableOptions& o) { return impute_names[static_cast<std::size_t>(o.impute)]; },
          [](TableOptions& o, const std::string& name) { o.impute = named<Impute>(impute_names, "impute", name); })
      .def_readwrite("constant", &TableOptions::constant)
      .def_readwrite("hash_size", &TableOptions::hash_size)
      .def_readwrite("log_target", &TableOptions::log_target);
  py::class_<ReadOptions>(module, "ReadOptions")
      .def(py::init<>())
      .def_property(
          "format", [](const ReadOptions& o) { return format_names[static_cast<std::size_t>(o.format)]; },
          [](ReadOptions& o, const std::string& name) { o.format = named<Format>(format_names, "format", name); })
      .def_readwrite("index_base", &ReadOptions::index_base)
      .def_readwrite("label_column", &ReadOptions::label_column)
      .def_readwrite("labels", &ReadOptions::labels)
      .def_readwrite("width", &ReadOptions::width)
      .def_readwrite("width_of", &ReadOptions::width_of)
      .def_property(
          "single", [](const ReadOptions& o) { return o.precision == Precision::single; },
          [](ReadOptions& o, bool single) { o.precision = single ? Precision::single : Precision::exact; })
      .def_readwrite("table", &ReadOptions::table)
      .def_readwrite("memory", &ReadOptions::memory);
}

}  // namespace

void define_data(py::module_& module) {
  define_options(module);
  py::class_<Numbers>(module, "Numbers", py::buffer_protocol()).def_buffer(&Numbers::buffer);
  py::class_<Data>(module, "Data")
      .def_static("dense", &dense)
      .def_static("sparse", &sparse)
      .def_static("read",
                  [](const std::string& path, const ReadOptions& options, const std::string& weights) {
                    return interruptible(of_a_file, [&] { return Data::read(path, options, weights); });
                  })
      .def("save", &Data::save, Released())
      .def_property_readonly("on_disk", &Data::on_disk)
      .def_property_readonly("is_table", &Data::is_table)
      .def_property_readonly("label_names", &Data::label_names)
      .def_property_readonly("notes", &Data::notes)
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

}  // namespace seesaw::python
