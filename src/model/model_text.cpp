#include "model/model_text.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "model/calibration_json.h"
#include "model/several_targets.h"
#include "model/table_json.h"

namespace seesaw::model_format {

using nlohmann::json;

std::string quoted(const std::string& name) { return json(name).dump(-1, ' ', false, json::error_handler_t::replace); }

namespace {

// ---- writing ----------------------------------------------------------------------------------------------------
// One key per line, short values first and long arrays last, so that `head -n 10` shows the summary.

using Text = fmt::memory_buffer;
using Write = FunctionRef<void(std::string_view)>;

void add(Text& text, std::string_view piece) { text.append(piece); }

// The shortest form that reads back as the same double; null if not finite, which JSON cannot express.
void add(Text& text, double number) {
  if (number == 0) add(text, std::signbit(number) ? "-0" : "0");  // many are
  else if (std::isfinite(number)) fmt::format_to(fmt::appender(text), FMT_COMPILE("{}"), number);
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

// In pieces, in parallel; `write`: of text that long ones do not keep in memory, such as a number per row.
void add(Text& text, const std::vector<double>& numbers, const Write* write = nullptr) {
  constexpr std::size_t at_a_time = std::size_t{1} << 16;
  add(text, "[");
  for (std::size_t first = 0; first < numbers.size(); first += at_a_time) {
    const Chunks chunks = chunks_of(std::min(at_a_time, numbers.size() - first), 4096);
    std::vector<Text> pieces(chunks.count);
    parallel_chunks(chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
      for (std::size_t k = first + begin; k < first + end; ++k) {
        if (k > 0) add(pieces[chunk], ", ");
        add(pieces[chunk], numbers[k]);
      }
    });
    for (const Text& piece : pieces) add(text, std::string_view(piece.data(), piece.size()));
    if (write == nullptr) continue;
    (*write)(std::string_view(text.data(), text.size()));
    text.clear();
  }
  add(text, "]");
}

// Bytes that are not UTF-8 (a CSV header in another encoding) become U+FFFD: JSON is UTF-8.

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
  add(text, "]");
  const auto add_numbers = [&](const char* key, const std::vector<double>& numbers) {  // null: no bound
    if (numbers.empty()) return;
    fmt::format_to(fmt::appender(text), ", \"{}\": ", key);
    add(text, numbers);
  };
  add_numbers("penalty_factors", objective.penalty_factors);
  add_numbers("lower", objective.lower);
  add_numbers("upper", objective.upper);
  add(text, "},\n");
}

bool has_feature_penalties(const SolvedObjective& objective) {
  return !objective.penalty_factors.empty() || !objective.lower.empty() || !objective.upper.empty();
}

std::uint64_t version_of(const LinearModel& model) {
  if (model.calibration) return version_of_calibration;
  if (several_targets(model)) return version_of_targets;
  if (model.table) return version_of_tables;
  return has_feature_penalties(model.objective) ? version_of_feature_penalties : rigorous_version;
}

void add_certificate(Text& text, const std::optional<Certificate>& certificate) {
  if (!certificate) return add(text, "\"certificate\": null,\n");
  fmt::format_to(
      fmt::appender(text),
      R"("certificate": {{"primal": {}, "dual": {}, "gap": {}, "relative_gap": {}, "distance_bound": {}, "dual_point": "{}", "guaranteed": {}}},)"
      "\n",
      number(certificate->primal), number(certificate->dual), number(certificate->gap),
      number(certificate->relative_gap()), number(certificate->distance_bound.value_or(infinity)),
      name_of(certificate->dual_point), certificate->guaranteed);
}

void add_transform(Text& text, const Transform& transform) {
  fmt::format_to(fmt::appender(text), R"("transform": {{"constant_feature": {}, )", transform.constant_feature);
  if (transform.constant_value != 1)
    fmt::format_to(fmt::appender(text), R"("constant_value": {}, )", number(transform.constant_value));
  fmt::format_to(fmt::appender(text), R"("scaling": "{}", "factor": {}, "column_factors": )",
                 name_of(transform.scaling), number(transform.factor));
  add(text, transform.column_factors);
  add(text, "},\n");
}

void add_classes(Text& text, const std::vector<ClassCertificate>& classes) {
  add(text, "\"classes\": ");
  add_list(text, classes, [&](const ClassCertificate& c) {
    fmt::format_to(fmt::appender(text), R"({{"label": {}, "primal": {}, "dual": {}, "gap": {}}})", number(c.label),
                   number(c.primal), number(c.dual), number(c.gap));
  });
  add(text, ",\n");
}

// null: infinite.
void add_optimum(Text& text, const OptimumBounds& optimum) {
  add(text, "\"optimum\": {\"radius\": ");
  add(text, optimum.radius);
  add(text, ", \"intercepts\": ");
  add_list(text, optimum.intercept,
           [&](const Interval& b) { fmt::format_to(fmt::appender(text), "[{}, {}]", number(b.lo), number(b.hi)); });
  if (!optimum.centre.empty()) {
    add(text, ", \"centre\": ");
    add(text, optimum.centre);
  }
  add(text, "},\n");
}

}  // namespace

void write_text(const LinearModel& model, const std::optional<DualReference>& dual,
                FunctionRef<void(std::string_view)> write) {
  Text text;
  const bool several = model.outputs() > 1;
  fmt::format_to(fmt::appender(text), "{{\n\"format\": \"{}\",\n\"version\": {},\n", format_name, version_of(model));
  add_objective(text, model.objective);
  add(text, "\"labels\": ");
  add(text, model.labels);
  if (several) {
    fmt::format_to(fmt::appender(text), ",\n\"outputs\": {},\n\"intercepts\": ", model.outputs());
    add(text, model.intercept);
    add(text, ",\n");
  } else {
    fmt::format_to(fmt::appender(text), ",\n\"intercept\": {},\n", number(model.intercept[0]));
  }
  add_certificate(text, model.certificate);
  if (several) add_classes(text, model.classes);
  fmt::format_to(fmt::appender(text),
                 R"("data": {{"n": {}, "d": {}, "hash": "{:016x}", "float32": {}}},)"
                 "\n",
                 model.n, model.features(), model.data_hash, model.single_precision);
  fmt::format_to(fmt::appender(text),
                 R"("solver": {{"name": {}, "status": {}, "passes": {}, "seed": {}}},)"
                 "\n",
                 quoted(model.solver), quoted(model.status), number(model.passes), model.seed);
  add_transform(text, model.transform);
  if (model.table) fmt::format_to(fmt::appender(text), "\"table\": {},\n", text_of(*model.table));
  if (model.calibration) fmt::format_to(fmt::appender(text), "\"calibration\": {},\n", text_of(*model.calibration));
  if (model.of_pairs) add(text, "\"pairs\": true,\n");
  add(text, "\"feature_names\": ");
  add_list(text, model.feature_names, [&](const std::string& name) { add(text, quoted(name)); });
  add(text, ",\n\"weights\": ");
  add(text, model.x, &write);
  add(text, ",\n");
  if (model.optimum) add_optimum(text, *model.optimum);
  if (!model.proved_signs.empty()) fmt::format_to(fmt::appender(text), "\"signs\": \"{}\",\n", model.proved_signs);
  add(text, "\"dual\": ");
  if (dual)
    fmt::format_to(fmt::appender(text), R"({{"file": {}, "checksum": "{:016x}"}})", quoted(dual->file), dual->checksum);
  else add(text, model.y, &write);
  add(text, "\n}\n");
  write(std::string_view(text.data(), text.size()));
}

}  // namespace seesaw::model_format
