#include "model/model_file.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/atomic_file.h"
#include "base/nesting.h"
#include "base/output_path.h"
#include "base/parallel.h"
#include "model/calibration_json.h"
#include "model/dual_file.h"
#include "model/groups/group_losses.h"
#include "model/json_fields.h"
#include "model/liblinear_model.h"
#include "model/model_input.h"
#include "model/model_text.h"
#include "model/table_json.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

using nlohmann::json;

// ---- reading ----------------------------------------------------------------------------------------------------

[[noreturn]] void refuse_at(const std::string& path, std::string_view text, std::size_t at, const char* sentence) {
  const std::string_view before = text.substr(0, at);
  const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::size_t column = at - (line > 1 ? before.rfind('\n') : std::size_t(-1));
  throw ParseError(path, line, column, sentence);
}

json parse(const std::string& text, const std::string& path) {
  if (const auto at = nested_deeper(text))
    refuse_at(path, text, *at, "brackets are nested more than 100 deep here: this is no model of Seesaw.");
  try {
    json model = json::parse(text);
    if (const auto at = ambiguous_key(text))
      refuse_at(path, text, *at, "this key occurs twice, or has a backslash; the model is damaged.");
    return model;
  } catch (const json::parse_error& error) {
    const std::size_t at = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
    refuse_at(path, text, at,
              at >= text.size() ? "the model ends here before it is complete: the file is truncated."
                                : "the model is damaged here: this is not JSON.");
  } catch (const json::exception&) {
    refuse_model(path, "the model is damaged: it contains a number beyond 1.8e308, the range of doubles.");
  }
}

std::uint64_t parse_hash(const Fields& data, const char* key = "hash") {
  const std::string hex = data.text(key);
  std::uint64_t hash = 0;
  const auto [end, code] = std::from_chars(hex.data(), hex.data() + hex.size(), hash, 16);
  if (hex.empty() || code != std::errc() || end != hex.data() + hex.size()) data.wrong(key, "a hexadecimal number");
  return hash;
}

// The value that has this name, among those of an enumeration that ends with `last`.
template <class Value>
Value value_of(const Fields& fields, const std::string& key, Value last) {
  const std::string name = fields.text(key);
  for (int k = 0; k <= static_cast<int>(last); ++k)
    if (name_of(static_cast<Value>(k)) == name) return static_cast<Value>(k);
  fields.wrong(key, "a word of this version");
}

SolvedObjective parse_objective(const Fields& fields, std::uint64_t version) {
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
  if (version < model_format::version_of_feature_penalties) return objective;
  if (fields.has("penalty_factors")) objective.penalty_factors = fields.numbers("penalty_factors");
  if (fields.has("lower")) objective.lower = fields.numbers_unless_null("lower", -infinity);
  if (fields.has("upper")) objective.upper = fields.numbers_unless_null("upper", infinity);
  return objective;
}

std::optional<Certificate> parse_certificate(const Fields& model, std::uint64_t version) {
  if (model.at("certificate").is_null()) return std::nullopt;
  const Fields fields = model.object("certificate");
  Certificate certificate;
  certificate.primal = fields.number_unless_null("primal", infinity);
  certificate.dual = fields.number_unless_null("dual", -infinity);
  certificate.gap = fields.number_unless_null("gap", infinity);
  if (!fields.at("distance_bound").is_null()) certificate.distance_bound = fields.number("distance_bound");
  certificate.dual_point = value_of(fields, "dual_point", DualPoint::curvature);
  if (version < model_format::rigorous_version) return certificate;
  certificate.guaranteed = fields.flag("guaranteed");
  if (fields.has("relative_gap") && fields.number_unless_null("relative_gap", infinity) < certificate.relative_gap())
    fields.wrong("relative_gap", "gap / primal");
  return certificate;
}

Transform parse_transform(const Fields& fields) {
  Transform transform;
  transform.constant_feature = fields.flag("constant_feature");
  if (fields.has("constant_value")) transform.constant_value = fields.number("constant_value");
  transform.scaling = value_of(fields, "scaling", Scaling::columns_std);
  transform.factor = fields.number("factor");
  transform.column_factors = fields.numbers("column_factors");
  return transform;
}

std::vector<ClassCertificate> parse_classes(const Fields& model, const std::string& path) {
  std::vector<ClassCertificate> classes;
  for (const json& item : model.list("classes")) {
    const Fields fields(item, "classes", path);
    classes.push_back({{.primal = fields.number_unless_null("primal", infinity),
                        .dual = fields.number_unless_null("dual", -infinity),
                        .gap = fields.number_unless_null("gap", infinity)},
                       fields.number("label")});
  }
  return classes;
}

std::optional<OptimumBounds> parse_optimum(const Fields& model) {
  if (!model.has("optimum")) return std::nullopt;
  const Fields fields = model.object("optimum");
  OptimumBounds optimum;
  optimum.radius = fields.numbers("radius");
  if (fields.has("centre")) optimum.centre = fields.numbers("centre");
  for (const json& pair : fields.list("intercepts")) {
    if (!pair.is_array() || pair.size() != 2) fields.wrong("intercepts", "a list of pairs [low, high]");
    for (const json& end : pair)
      if (!end.is_null() && !end.is_number()) fields.wrong("intercepts", "a list of pairs [low, high]");
    optimum.intercept.push_back(
        {pair[0].is_null() ? -infinity : pair[0].get<double>(), pair[1].is_null() ? infinity : pair[1].get<double>()});
  }
  for (const double radius : optimum.radius)
    if (!(radius >= 0)) fields.wrong("radius", "a list of numbers that are not negative");
  for (const Interval& b : optimum.intercept)
    if (!(b.lo <= b.hi)) fields.wrong("intercepts", "a list of pairs [low, high]");
  return optimum;
}

const LossKind& known_loss(const LinearModel& model, const std::string& path) {
  for (const auto* kinds : {&loss_kinds(), &block_loss_kinds(), &group_loss_kinds()})
    for (const LossKind& kind : *kinds)
      if (kind.name == model.objective.loss) return kind;
  refuse_model(path, fmt::format("the loss {} is unknown; a newer version of Seesaw may have it.",
                                 model_format::quoted(model.objective.loss)));
}

// The invariants that users of the model rely on.
class SizeCheck {
 public:
  SizeCheck(const LinearModel& model, const std::string& path) : model_(model), path_(path) {}

  void outputs(std::size_t claimed) const { same("intercepts", model_.outputs(), claimed); }

  void labels() const {
    const std::size_t labels = model_.labels.size(), outputs = model_.outputs();
    const Target target = known_loss(model_, path_).target;
    const auto damaged = [&](const char* needs) {
      refuse_model(path_, fmt::format("the loss {} has {}, but the model has {} outputs; it is damaged.",
                                      model_.objective.loss, needs, outputs));
    };
    const bool several_targets =
        target == Target::number && outputs > 1 && model_.version >= model_format::version_of_targets;
    if (target == Target::number && outputs > 1 && !several_targets) damaged("one output");
    if (target == Target::sign && outputs == 2) damaged("one output for two classes");
    if (target == Target::index && outputs == 1) damaged("an output for each of two classes or more");
    const std::size_t classes = outputs == 1 ? 2 : outputs;
    same("labels", labels, target == Target::number ? 0 : classes);
    same(several_targets ? "certificates of targets" : "certificates of classes", model_.classes.size(),
         model_.one_versus_rest() && model_.certificate ? outputs : 0);
  }

  void arrays(std::size_t d) const {
    const Scaling scaling = model_.transform.scaling;
    const bool by_column = scaling == Scaling::columns_max || scaling == Scaling::columns_std;
    const std::size_t constant = model_.transform.constant_feature ? 1 : 0;
    if (d + constant < d) refuse_model(path_, fmt::format("there cannot be {} features; the model is damaged.", d));
    per_output("weights", model_.x.size(), d + constant);
    same("column factors", model_.transform.column_factors.size(), by_column ? d : 0);
    const SolvedObjective& objective = model_.objective;
    same("penalty factors", objective.penalty_factors.size(), objective.penalty_factors.empty() ? 0 : d);
    const bool bounded = !objective.lower.empty() || !objective.upper.empty();
    same("lower bounds", objective.lower.size(), bounded ? d : 0);
    same("upper bounds", objective.upper.size(), bounded ? d : 0);
    if (!model_.y.empty()) per_output("dual numbers", model_.y.size(), model_.n);
    if (!model_.proved_signs.empty()) same("signs", model_.proved_signs.size(), model_.x.size());
    if (model_.optimum) {
      same("radii", model_.optimum->radius.size(), model_.one_versus_rest() ? model_.outputs() : 1);
      same("intervals of intercepts", model_.optimum->intercept.size(), model_.outputs());
      if (!model_.optimum->centre.empty())
        same("numbers of the centre", model_.optimum->centre.size(), model_.x.size());
    }
    if (model_.table) {
      same("features of the table", model_.table->features(), d);
      if (!model_.table->label.classes.empty()) classes_of_table();
    }
    if (model_.feature_names.size() > d) same("feature names", model_.feature_names.size(), d);
  }

 private:
  // Labels are places in the list of classes.
  void classes_of_table() const {
    const auto count = static_cast<double>(model_.table->label.classes.size());
    for (const double label : model_.labels)
      if (!(label >= 0 && label < count && label == std::floor(label)))
        refuse_model(path_, fmt::format("the label {} is not a class of the table; the model is damaged.", label));
  }
  void same(std::string_view what, std::size_t count, std::size_t expected) const {
    if (count != expected) refuse_count(what, count, fmt::format("{}", expected));
  }
  void per_output(std::string_view what, std::size_t count, std::size_t expected) const {
    const std::size_t outputs = model_.outputs();
    if (outputs == 1) return same(what, count, expected);
    if (count % outputs != 0 || count / outputs != expected)
      refuse_count(what, count, fmt::format("{} x {}", expected, outputs));
  }
  [[noreturn]] void refuse_count(std::string_view what, std::size_t count, const std::string& expected) const {
    refuse_model(path_, fmt::format("there are {} {}, expected {}; the model is damaged.", count, what, expected));
  }

  const LinearModel& model_;
  const std::string& path_;
};

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

// In the model, or beside it.
void parse_dual(const Fields& fields, const std::string& path, StoredModel& stored) {
  if (!fields.at("dual").is_object()) {
    stored.model.y = fields.numbers("dual");
    return;
  }
  const Fields dual = fields.object("dual");
  const std::string file = dual.text("file");
  if (file.empty() || file.find('/') != std::string::npos) dual.wrong("file", "the name of a file beside the model");
  stored.dual_checksum = parse_hash(dual, "checksum");
  stored.dual_path = folder_of(path) + file;
}

// taken: the dual point, where it is not in the text any more.
StoredModel parse_model(const std::string& text, const std::string& path, std::vector<double>* taken) {
  const json document = parse(text, path);
  const Fields fields(document, "", path);
  if (!fields.has("format") || document["format"] != model_format::format_name)
    refuse_model(path, fmt::format("this is JSON, but not a model of Seesaw: its \"format\" is not \"{}\".",
                                   model_format::format_name));
  const std::uint64_t version = fields.count("version");
  if (version == 0 || version > model_format::newest_version)
    refuse_model(path, fmt::format("this model is of version {}, and this Seesaw reads versions 1 to {}{}", version,
                                   model_format::newest_version, version == 0 ? "." : ": update Seesaw to use it."));

  if (version == model_format::unused_version)
    refuse_model(path, fmt::format("this model is of version {}, which no Seesaw writes; it is damaged.", version));

  StoredModel stored;
  LinearModel& model = stored.model;
  model.version = version;
  model.objective = parse_objective(fields.object("objective"), version);
  model.labels = fields.numbers("labels");
  model.certificate = parse_certificate(fields, version);
  const SizeCheck sizes(model, path);
  if (version == model_format::version_of_several ||
      (version > model_format::version_of_several && (fields.has("outputs") || fields.has("intercepts")))) {
    model.intercept = fields.numbers("intercepts");
    model.classes = parse_classes(fields, path);
    if (fields.count("outputs") == 0) fields.wrong("outputs", "a whole number above 0");
    sizes.outputs(fields.count("outputs"));
  } else {
    model.intercept = {fields.number("intercept")};
  }
  sizes.labels();
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
  if (version >= model_format::version_of_tables && fields.has("table"))
    model.table = model_format::parse_table(fields.object("table"), path);
  if (version >= model_format::version_of_calibration && fields.has("calibration")) {
    if (!model.classifies() || model.joint())
      refuse_model(
          path, fmt::format("a model of the loss {} cannot have a calibration; it is damaged.", model.objective.loss));
    model.calibration = model_format::parse_calibration(fields.object("calibration"), model.outputs(), path);
  }
  model.of_pairs = fields.has("pairs") && fields.flag("pairs");
  for (const json& name : fields.list("feature_names")) {
    if (!name.is_string()) fields.wrong("feature_names", "a list of texts");
    model.feature_names.push_back(name.get<std::string>());
  }
  if (model.table && model.table->hash_size > 0)  // earlier versions named hashed features
    model.feature_names.resize(
        std::min(model.feature_names.size(), model.table->features() - std::size_t{model.table->hash_size}));
  model.x = fields.numbers("weights");
  model.optimum = parse_optimum(fields);
  if (fields.has("signs")) {
    model.proved_signs = fields.text("signs");
    if (model.proved_signs.find_first_not_of("0+-?") != std::string::npos)
      fields.wrong("signs", "a text of 0, +, - and ?");
  }
  parse_dual(fields, path, stored);
  if (taken != nullptr) stored.model.y = std::move(*taken);
  sizes.arrays(data.count("d"));
  return stored;
}

}  // namespace

std::string model_file_text(const LinearModel& model) {
  std::string all;
  model_format::write_text(model, std::nullopt, [&](std::string_view text) { all += text; });
  return all;
}

bool dual_is_beside(DualPlace place, std::size_t numbers, const std::string& path) {
  if (place == DualPlace::in_model || numbers == 0 || OutputPath::of(path).direct()) return false;
  return place == DualPlace::beside_model || numbers > most_dual_numbers_in_model;
}

bool write_model(const LinearModel& model, const std::string& path, DualPlace place) {
  AtomicFile file(path);
  std::optional<AtomicFile> dual_file;
  std::optional<model_format::DualReference> dual;
  if (dual_is_beside(place, model.y.size(), path)) {
    const std::string dual_path = path + ".dual";
    dual_file.emplace(dual_path);
    const std::uint64_t checksum = write_dual(*dual_file, {model.n, model.outputs(), model.data_hash}, model.y);
    dual = {dual_path.substr(folder_of(dual_path).size()), checksum};
    dual_file->prepare();
  }
  model_format::write_text(model, dual, [&](std::string_view text) { file.write(text); });
  file.prepare();  // a full disk leaves both as they were
  if (dual_file) dual_file->commit();
  file.commit();
  return dual.has_value();
}

namespace {

StoredModel parse_file(std::string text, const std::string& name) {
  if (is_liblinear_model(text)) return {parse_liblinear_model(text, name)};
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) throw Error(fmt::format("the model {} is empty.", name));
  if (text[first] != '{')
    throw Error(fmt::format("{} is not a model: neither Seesaw's JSON nor the text model of LIBLINEAR.", name));
  std::optional<std::vector<double>> dual = take_dual(text);
  return parse_model(text, name, dual ? &*dual : nullptr);
}

}  // namespace

LinearModel parse_model_file(const std::string& text, const std::string& name) { return parse_file(text, name).model; }

StoredModel open_model(const std::string& path) { return parse_file(contents_of_model(path), path); }

void read_dual(StoredModel& stored) {
  LinearModel& model = stored.model;
  if (!stored.dual_path.empty())
    model.y = read_dual_file(stored.dual_path, {model.n, model.outputs(), model.data_hash}, stored.dual_checksum);
}

LinearModel read_model(const std::string& path, bool with_dual) {
  StoredModel stored = open_model(path);
  if (with_dual) read_dual(stored);
  return std::move(stored.model);
}

}  // namespace seesaw
