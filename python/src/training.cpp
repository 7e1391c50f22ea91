#include "training.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

#include "buffers.h"
#include "seesaw/training.h"
#include "signals.h"

namespace seesaw::python {
namespace {

// False, or numpy's False (numpy.bool_, since numpy 2 numpy.bool), which is what comparisons of numpy return.
bool is_false(const py::object& answer) {
  if (answer.ptr() == Py_False) return true;
  const std::string_view type = Py_TYPE(answer.ptr())->tp_name;
  return (type == "numpy.bool_" || type == "numpy.bool") && !answer.cast<bool>();
}

// The observer of a training that calls `callback`. None and True continue, False and StopIteration stop; any other
// exception stops training and is raised by train().
std::function<bool(const Progress&)> observer_of(const py::object& callback) {
  if (callback.is_none()) return {};
  return [&callback](const Progress& progress) {
    const py::gil_scoped_acquire gil;
    try {
      const py::object answer = callback(progress);
      return !is_false(answer);
    } catch (py::error_already_set& error) {
      if (error.matches(PyExc_StopIteration)) return false;
      throw;
    }
  };
}

// Few entries: one thread does all the work, this one, and it polls for signals itself. Handing the work to another thread
// and back takes 0.07 ms, as much as the training.
constexpr std::size_t entries_for_this_thread = std::size_t{1} << 15;

// An observer that handles signals at most every `interval` seconds, and calls another one as often as that one requests.
class SignalPolls {
 public:
  static constexpr double interval = 0.05;

  explicit SignalPolls(const Training& training)
      : observer_(training.observer), interval_(training.progress_interval) {}

  bool operator()(const Progress& progress) {
    if (progress.seconds - polled_ >= interval) {
      polled_ = progress.seconds;
      const py::gil_scoped_acquire gil;
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    if (!observer_ || (!progress.is_check && progress.seconds - called_ < interval_)) return true;
    called_ = progress.seconds;
    return observer_(progress);
  }

 private:
  std::function<bool(const Progress&)> observer_;
  double interval_, polled_ = 0, called_ = 0;
};

TrainingResult train_from_python(const Data& data, const Training& given, const py::object& callback,
                                 bool handle_signals) {
  std::optional<TrainingResult> result;
  run_training(data, given, callback, handle_signals,
               [&](const Training& training) { result = train(data, training); });
  return std::move(*result);
}

// Checks as rows of (passes, entry_passes, solve_seconds, check_seconds, primal, dual, gap, nonzeros, class).
Numbers trace_of(const TrainingResult& result) {
  std::vector<double> all;
  for (const TracePoint& p : result.trace)
    for (const double value :
         {p.passes, p.entry_passes, p.solve_seconds, p.check_seconds, p.primal, p.dual, p.gap,
          static_cast<double>(p.nonzeros), p.class_label.value_or(std::numeric_limits<double>::quiet_NaN())})
      all.push_back(value);
  return {std::move(all), result.trace.size(), 9};
}

template <class Enum, Enum of(std::string_view), class Owner>
void named(py::class_<Owner>& type, const char* name, Enum Owner::*field) {
  type.def_property(
      name, [field](const Owner& owner) { return std::string(name_of(owner.*field)); },
      [field](Owner& owner, const std::string& value) { owner.*field = of(value); });
}

}  // namespace

void run_training(const Data& data, const Training& given, const py::object& callback, bool handle_signals,
                  const std::function<void(const Training&)>& body) {
  Training training = given;
  training.observer = observer_of(callback);
  if (!handle_signals) {
    const py::gil_scoped_release release;
    body(training);
  } else if (data.entries() <= entries_for_this_thread && given.threads <= 1) {
    training.threads = 1;
    training.observer = SignalPolls(training);
    training.progress_interval = std::min(training.progress_interval, SignalPolls::interval);
    const py::gil_scoped_release release;
    body(training);
  } else {
    with_signals([&] { body(training); });
  }
}

void define_training(py::module_& module) {
  py::class_<Progress>(module, "Progress", "The state of a training, given to callbacks.")
      .def_readonly("passes", &Progress::passes, "passes over the data so far")
      .def_readonly("primal", &Progress::primal, "the lowest P so far")
      .def_readonly("dual", &Progress::dual, "the highest D so far")
      .def_readonly("gap", &Progress::gap, "P - D: an upper bound of P - P*")
      .def_readonly("seconds", &Progress::seconds, "since training began")
      .def_readonly("is_check", &Progress::is_check, "False: only `seconds` is new")
      .def_readonly("class_label", &Progress::class_label, "one-versus-rest: the class of these values");

  py::class_<Training> training(module, "Training");
  training.def(py::init<>())
      .def_property(
          "loss", [](const Training& t) { return t.loss.name; },
          [](Training& t, const std::string& name) { t.loss.name = name; })
      .def_property(
          "loss_parameter", [](const Training& t) { return t.loss.parameter; },
          [](Training& t, std::optional<double> value) { t.loss.parameter = value; })
      .def_property(
          "penalty", [](const Training& t) { return std::string(name_of(t.penalty.name)); },
          [](Training& t, const std::string& name) { t.penalty.name = penalty_of(name); })
      .def_property(
          "lambda_", [](const Training& t) { return t.penalty.lambda; },
          [](Training& t, std::optional<double> value) { t.penalty.lambda = value; })
      .def_property(
          "l1", [](const Training& t) { return t.penalty.l1; },
          [](Training& t, std::optional<double> value) { t.penalty.l1 = value; })
      .def_property(
          "C", [](const Training& t) { return t.penalty.C; },
          [](Training& t, std::optional<double> value) { t.penalty.C = value; })
      .def_property(
          "penalty_factors", [](const Training& t) { return t.penalty.factors; },
          [](Training& t, std::vector<double> values) { t.penalty.factors = std::move(values); })
      .def_property(
          "lower", [](const Training& t) { return t.penalty.lower; },
          [](Training& t, std::vector<double> values) { t.penalty.lower = std::move(values); })
      .def_property(
          "upper", [](const Training& t) { return t.penalty.upper; },
          [](Training& t, std::vector<double> values) { t.penalty.upper = std::move(values); })
      .def_property(
          "nonnegative", [](const Training& t) { return t.penalty.nonnegative; },
          [](Training& t, bool value) { t.penalty.nonnegative = value; })
      .def_property(
          "precision", [](const Training& t) { return t.precision == Precision::single ? "single" : "exact"; },
          [](Training& t, const std::string& name) {
            if (name != "single" && name != "exact") throw py::value_error("`precision` is 'exact' or 'single'.");
            t.precision = name == "single" ? Precision::single : Precision::exact;
          })
      .def_readwrite("intercept_scaling", &Training::intercept_scaling)
      .def_readwrite("class_weight", &Training::class_weights)
      .def_readwrite("balanced", &Training::balanced)
      .def_readwrite("blocks", &Training::blocks)
      .def_readwrite("solver", &Training::solver)
      .def_readwrite("solver_options", &Training::solver_options)
      .def_readwrite("seed", &Training::seed)
      .def_readwrite("warm_start", &Training::warm_start)
      .def_readwrite("gap", &Training::gap)
      .def_readwrite("gap_abs", &Training::gap_abs)
      .def_readwrite("max_passes", &Training::max_passes)
      .def_readwrite("time_limit", &Training::seconds)
      .def_readwrite("check_every", &Training::check_every)
      .def_readwrite("threads", &Training::threads)
      .def_readwrite("progress_interval", &Training::progress_interval)
      .def_readwrite("keep_lines", &Training::keep_lines);
  named<Intercept, intercept_of>(training, "intercept", &Training::intercept);
  named<Scaling, scaling_of>(training, "scaling", &Training::scaling);

  py::class_<TrainingResult>(module, "TrainingResult")
      .def_readonly("model", &TrainingResult::model)
      .def_property_readonly("status", [](const TrainingResult& r) { return std::string(name_of(r.status)); })
      .def_readonly("method", &TrainingResult::method)
      .def_readonly("passes", &TrainingResult::passes)
      .def_readonly("entry_passes", &TrainingResult::entry_passes)
      .def_readonly("seconds", &TrainingResult::seconds)
      .def_readonly("solve_seconds", &TrainingResult::solve_seconds)
      .def_readonly("check_seconds", &TrainingResult::check_seconds)
      .def_readonly("messages", &TrainingResult::messages)
      .def_readonly("proved_zero", &TrainingResult::proved_zero)
      .def_readonly("lines", &TrainingResult::lines)
      .def_property_readonly("trace", &trace_of);

  module.def("train", &train_from_python, py::arg("data"), py::arg("training"), py::arg("callback"),
             py::arg("handle_signals"));
}

}  // namespace seesaw::python
