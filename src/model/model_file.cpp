#include "model/model_file.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/atomic_file.h"
#include "model/liblinear_model.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

using nlohmann::json;

constexpr std::string_view format_name = "seesaw-model";
constexpr std::uint64_t newest_version = 1;

// ---- writing ----------------------------------------------------------------------------------------------------
// One key a line, the short ones first and the long arrays last: `head -n 10` shows what a person wants to know.

using Text = fmt::memory_buffer;

void add(Text& text, std::string_view piece) { text.append(piece); }

// The shortest form that reads back as the same double; JSON has no word for what is not finite.
void add(Text& text, double number) {
  if (std::isfinite(number)) fmt::format_to(fmt::appender(text), FMT_COMPILE("{}"), number);
  else add(text, "null");
}

template <class Item, class Add>
void add_list(Text& text, const std::vector<Item>& items, const Add& add_item) {
  add(text, "[");
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (k > 0) add(text, ", ");
    add_item(items[k]);
  }
  add(text, "]");
}

void add(Text& text, const std::vector<double>& numbers) {
  add_list(text, numbers, [&](double number) { add(text, number); });
}

// Bytes that are not UTF-8 (a CSV header in another encoding) become U+FFFD: JSON could not hold them.
std::string quoted(const std::string& name) { return json(name).dump(-1, ' ', false, json::error_handler_t::replace); }

std::string number(double value) {
  Text text;
  add(text, value);
  return fmt::to_string(text);
}

void add_objective(Text& text, const SolvedObjective& objective) {
  fmt::format_to(fmt::appender(text), R"("objective": {{"loss": {}, )", quoted(objective.loss));
  if (!objective.loss_parameter_name.empty())
    fmt::format_to(fmt::appender(text), R"("loss_parameter": {{"name": {}, "value": {}}}, )",
                   quoted(objective.loss_parameter_name), number(objective.loss_parameter));
  fmt::format_to(fmt::appender(text), R"("lambda": {}, "l1": {}, "intercept": "{}", "class_weights": [)",
                 number(objective.lambda), number(objective.l1), name_of(objective.intercept));
  const char* separator = "";
  for (const auto& [label, weight] : objective.class_weights)
    fmt::format_to(fmt::appender(text), "{}[{}, {}]", std::exchange(separator, ", "), number(label), number(weight));
  add(text, "]},\n");
}

void add_certificate(Text& text, const std::optional<Certificate>& certificate) {
  if (!certificate) return add(text, "\"certificate\": null,\n");
  fmt::format_to(
      fmt::appender(text),
      R"("certificate": {{"primal": {}, "dual": {}, "gap": {}, "relative_gap": {}, "distance_bound": {}, "dual_point": "{}"}},)"
      "\n",
      number(certificate->primal), number(certificate->dual), number(certificate->gap),
      number(certificate->relative_gap()), number(certificate->distance_bound.value_or(infinity)),
      name_of(certificate->dual_point));
}

void add_transform(Text& text, const Transform& transform) {
  fmt::format_to(fmt::appender(text),
                 R"("transform": {{"constant_feature": {}, "scaling": "{}", "factor": {}, "column_factors": )",
                 transform.constant_feature, name_of(transform.scaling), number(transform.factor));
  add(text, transform.column_factors);
  add(text, "},\n");
}

Text model_text(const LinearModel& model) {
  Text text;
  fmt::format_to(fmt::appender(text), "{{\n\"format\": \"{}\",\n\"version\": {},\n", format_name, newest_version);
  add_objective(text, model.objective);
  add(text, "\"labels\": ");
  add(text, model.labels);
  fmt::format_to(fmt::appender(text), ",\n\"intercept\": {},\n", number(model.intercept[0]));
  add_certificate(text, model.certificate);
  fmt::format_to(fmt::appender(text),
                 R"("data": {{"n": {}, "d": {}, "hash": "{:016x}", "float32": {}}},)"
                 "\n",
                 model.n, model.features(), model.data_hash, model.single_precision);
  fmt::format_to(fmt::appender(text),
                 R"("solver": {{"name": {}, "status": {}, "passes": {}, "seed": {}}},)"
                 "\n",
                 quoted(model.solver), quoted(model.status), number(model.passes), model.seed);
  add_transform(text, model.transform);
  add(text, "\"feature_names\": ");
  add_list(text, model.feature_names, [&](const std::string& name) { add(text, quoted(name)); });
  add(text, ",\n\"weights\": ");
  add(text, model.x);
  add(text, ",\n\"dual\": ");
  add(text, model.y);
  add(text, "\n}\n");
  return text;
}

// ---- reading ----------------------------------------------------------------------------------------------------

[[noreturn]] void refuse(const std::string& path, const std::string& sentence) {
  throw Error(fmt::format("{}: {}", path, sentence));
}

// The keys of one object, with a sentence for what is missing or of another kind.
class Fields {
 public:
  Fields(const json& object, std::string name, const std::string& path)
      : object_(object), name_(std::move(name)), path_(path) {
    if (!object.is_object()) refuse(path, fmt::format("\"{}\" is not an object; the model is damaged.", name_));
  }

  const json& at(const std::string& key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) refuse(path_, fmt::format("the model has no \"{}\"; it is damaged.", full(key)));
    return *found;
  }
  bool has(const std::string& key) const { return object_.contains(key); }
  Fields object(const std::string& key) const { return Fields(at(key), full(key), path_); }

  double number(const std::string& key) const { return number_of(at(key), full(key)); }
  double number_unless_null(const std::string& key, double otherwise) const {
    return at(key).is_null() ? otherwise : number(key);
  }
  std::uint64_t count(const std::string& key) const {
    if (!at(key).is_number_unsigned()) wrong(key, "a whole number");
    return at(key).get<std::uint64_t>();
  }
  bool flag(const std::string& key) const {
    if (!at(key).is_boolean()) wrong(key, "true or false");
    return at(key).get<bool>();
  }
  std::string text(const std::string& key) const {
    if (!at(key).is_string()) wrong(key, "a text");
    return at(key).get<std::string>();
  }
  const json& list(const std::string& key) const {
    if (!at(key).is_array()) wrong(key, "a list");
    return at(key);
  }
  std::vector<double> numbers(const std::string& key) const {
    std::vector<double> result;
    result.reserve(list(key).size());
    for (const json& item : list(key)) result.push_back(number_of(item, full(key)));
    return result;
  }

  [[noreturn]] void wrong(const std::string& key, std::string_view expected) const {
    refuse(path_, fmt::format("\"{}\" is not {}; the model is damaged.", full(key), expected));
  }

 private:
  std::string full(const std::string& key) const { return name_.empty() ? key : name_ + "." + key; }
  double number_of(const json& item, const std::string& where) const {
    if (!item.is_number()) refuse(path_, fmt::format("\"{}\" holds {}, which is not a number.", where, item.dump()));
    return item.get<double>();
  }

  const json& object_;
  std::string name_;
  const std::string& path_;
};

json parse(const std::string& text, const std::string& path) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    const std::size_t at = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
    const auto before = std::string_view(text).substr(0, at);
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    const std::size_t column = at - (line > 1 ? before.rfind('\n') : std::size_t(-1));
    throw ParseError(path, line, column,
                     at >= text.size() ? "the model ends here before it is complete: the file was cut off."
                                       : "the model is damaged here: this is not JSON.");
  } catch (const json::exception& error) {  // a number beyond the range of double
    refuse(path, fmt::format("the model is damaged: {}.", error.what()));
  }
}

std::uint64_t parse_hash(const Fields& data) {
  const std::string hex = data.text("hash");
  std::uint64_t hash = 0;
  const auto [end, code] = std::from_chars(hex.data(), hex.data() + hex.size(), hash, 16);
  if (hex.empty() || code != std::errc() || end != hex.data() + hex.size()) data.wrong("hash", "a hexadecimal number");
  return hash;
}

// The value that has this name, among those of an enumeration that ends with `last`.
template <class Value>
Value value_of(const Fields& fields, const std::string& key, Value last) {
  const std::string name = fields.text(key);
  for (int k = 0; k <= static_cast<int>(last); ++k)
    if (name_of(static_cast<Value>(k)) == name) return static_cast<Value>(k);
  fields.wrong(key, "a word that this version knows");
}

SolvedObjective parse_objective(const Fields& fields) {
  SolvedObjective objective;
  objective.loss = fields.text("loss");
  if (fields.has("loss_parameter")) {
    const Fields parameter = fields.object("loss_parameter");
    objective.loss_parameter_name = parameter.text("name");
    objective.loss_parameter = parameter.number("value");
  }
  objective.lambda = fields.number("lambda");
  objective.l1 = fields.number("l1");
  objective.intercept = value_of(fields, "intercept", Intercept::free);
  for (const json& pair : fields.list("class_weights")) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_number())
      fields.wrong("class_weights", "a list of pairs [label, weight]");
    objective.class_weights[pair[0].get<double>()] = pair[1].get<double>();
  }
  return objective;
}

std::optional<Certificate> parse_certificate(const Fields& model) {
  if (model.at("certificate").is_null()) return std::nullopt;
  const Fields fields = model.object("certificate");
  Certificate certificate;
  certificate.primal = fields.number_unless_null("primal", infinity);
  certificate.dual = fields.number_unless_null("dual", -infinity);
  certificate.gap = fields.number_unless_null("gap", infinity);
  if (!fields.at("distance_bound").is_null()) certificate.distance_bound = fields.number("distance_bound");
  certificate.dual_point = value_of(fields, "dual_point", DualPoint::zero);
  return certificate;
}

Transform parse_transform(const Fields& fields) {
  Transform transform;
  transform.constant_feature = fields.flag("constant_feature");
  transform.scaling = value_of(fields, "scaling", Scaling::columns_std);
  transform.factor = fields.number("factor");
  transform.column_factors = fields.numbers("column_factors");
  return transform;
}

// What every user of the model relies on, so that none of them has to look.
void check_sizes(const LinearModel& model, std::size_t d, const std::string& path) {
  const auto check = [&](std::string_view what, std::size_t count, std::size_t expected) {
    if (count != expected)
      refuse(path, fmt::format("there are {} {} where {} belong; the model is damaged.", count, what, expected));
  };
  const auto& kinds = loss_kinds();
  const auto kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const LossKind& k) { return k.name == model.objective.loss; });
  if (kind == kinds.end())
    refuse(path, fmt::format("the loss {} is not known here; a newer version of Seesaw may know it.",
                             quoted(model.objective.loss)));
  const bool by_column =
      model.transform.scaling == Scaling::columns_max || model.transform.scaling == Scaling::columns_std;
  check("labels", model.labels.size(), kind->target == Target::sign ? 2 : 0);
  check("weights", model.x.size(), d + (model.transform.constant_feature ? 1 : 0));
  check("column factors", model.transform.column_factors.size(), by_column ? d : 0);
  if (!model.y.empty()) check("dual numbers", model.y.size(), model.n);
  if (model.feature_names.size() > d) check("feature names", model.feature_names.size(), d);
}

LinearModel parse_model(const std::string& text, const std::string& path) {
  const json document = parse(text, path);
  const Fields fields(document, "", path);
  if (!fields.has("format") || document["format"] != format_name)
    refuse(path, fmt::format("this is JSON, but not a model of Seesaw: its \"format\" is not \"{}\".", format_name));
  if (const std::uint64_t version = fields.count("version"); version > newest_version)
    refuse(path, fmt::format("this model is of version {}, written by a newer Seesaw; this one reads up to version {}. "
                             "Update Seesaw to use it.",
                             version, newest_version));

  LinearModel model;
  model.objective = parse_objective(fields.object("objective"));
  model.labels = fields.numbers("labels");
  model.intercept = {fields.number("intercept")};
  model.certificate = parse_certificate(fields);
  const Fields data = fields.object("data");
  model.n = data.count("n");
  model.data_hash = parse_hash(data);
  model.single_precision = data.flag("float32");
  const Fields solver = fields.object("solver");
  model.solver = solver.text("name");
  model.status = solver.text("status");
  model.passes = solver.number_unless_null("passes", infinity);
  model.seed = solver.count("seed");
  model.transform = parse_transform(fields.object("transform"));
  for (const json& name : fields.list("feature_names")) {
    if (!name.is_string()) fields.wrong("feature_names", "a list of texts");
    model.feature_names.push_back(name.get<std::string>());
  }
  model.x = fields.numbers("weights");
  model.y = fields.numbers("dual");
  check_sizes(model, data.count("d"), path);
  return model;
}

std::string contents_of(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw Error(fmt::format("{} is a directory, not a model.", path));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(fmt::format("cannot open the model {}: {}.", path, std::strerror(errno)));
  std::string text;
  constexpr std::size_t block = 1 << 20;  // by blocks: a pipe has no size to ask for
  do {
    const std::size_t before = text.size();
    text.resize(before + block);
    file.read(text.data() + before, block);
    text.resize(before + static_cast<std::size_t>(file.gcount()));
  } while (file);
  if (file.bad()) throw Error(fmt::format("cannot read the model {}: {}.", path, std::strerror(errno)));
  return text;
}

}  // namespace

void write_model(const LinearModel& model, const std::string& path) {
  AtomicFile file(path);
  const Text text = model_text(model);
  file.write(std::string_view(text.data(), text.size()));
  file.commit();
}

LinearModel read_model(const std::string& path) {
  const std::string text = contents_of(path);
  if (is_liblinear_model(text)) return parse_liblinear_model(text, path);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) throw Error(fmt::format("the model {} is empty.", path));
  if (text[first] != '{')
    throw Error(fmt::format("{} is not a model: neither Seesaw's JSON nor the text model of LIBLINEAR.", path));
  return parse_model(text, path);
}

}  // namespace seesaw
