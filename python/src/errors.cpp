#include "errors.h"

#include <map>
#include <string>

#include "seesaw/error.h"

namespace seesaw::python {
namespace {

namespace py = pybind11;

PyObject* make(py::module_& module, const char* name, PyObject* base, const char* text) {
  const std::string full = std::string("seesaw.") + name;
  PyObject* const type = PyErr_NewExceptionWithDoc(full.c_str(), text, base, nullptr);
  if (type == nullptr) throw py::error_already_set();
  module.add_object(name, py::reinterpret_borrow<py::object>(type));
  return type;  // never freed
}

PyObject *error_type, *parse_type, *option_type, *shape_type, *array_type, *unsupported_type;

// Names of fields as arguments of train() in Python.
std::string in_python(const std::string& message) {
  static const std::map<std::string, std::string> names = {
      {"lambda", "lambda_"}, {"seconds", "time_limit"}, {"class_weights", "class_weight"}, {"labels", "y"},
      {"input", "format"},   {"dates", "date"},         {"weights", "sample_weight"}};
  return replace_fields(message, [](const std::string& field) {
    const auto found = names.find(field);
    return "`" + (found == names.end() ? field : found->second) + "`";
  });
}

// `fields`: attributes of the exception.
void raise(PyObject* type, const Error& error, const std::map<std::string, py::object>& fields = {}) {
  const py::object exception = py::reinterpret_borrow<py::object>(type)(in_python(error.what()));
  for (const auto& [name, value] : fields) exception.attr(name.c_str()) = value;
  PyErr_SetObject(type, exception.ptr());
}

}  // namespace

void define_errors(py::module_& module) {
  error_type = make(module, "Error", PyExc_ValueError, "Invalid input; the base of all errors of this library.");
  parse_type = make(module, "ParseError", error_type, "A file that cannot be parsed: file, line, column, reason.");
  option_type = make(module, "InvalidOption", error_type, "A value that is not allowed: field, value, allowed.");
  shape_type = make(module, "ShapeError", error_type, "Sizes that do not match: expected, actual.");
  array_type = make(module, "InvalidArray", error_type, "An element that is not allowed: array, index.");
  unsupported_type = make(module, "Unsupported", error_type, "A method that cannot solve the problem.");
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const ParseError& e) {
      raise(parse_type, e,
            {{"file", py::str(e.file)},
             {"line", py::int_(e.line)},
             {"column", py::int_(e.column)},
             {"reason", py::str(e.reason)}});
    } catch (const InvalidOption& e) {
      raise(option_type, e,
            {{"field", py::str(e.field)}, {"value", py::str(e.value)}, {"allowed", py::str(e.allowed)}});
    } catch (const ShapeError& e) {
      raise(shape_type, e, {{"expected", py::int_(e.expected)}, {"actual", py::int_(e.actual)}});
    } catch (const InvalidArray& e) {
      raise(array_type, e, {{"array", py::str(e.array)}, {"index", py::int_(e.index)}});
    } catch (const Unsupported& e) {
      raise(unsupported_type, e);
    } catch (const Error& e) {
      raise(error_type, e);
    }
  });
}

}  // namespace seesaw::python
