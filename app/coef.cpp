// seesaw coef MODEL: the weights in units of the data, and what is proved about the optimal ones.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "coefficient_rows.h"
#include "command.h"
#include "model/prediction_bounds.h"
#include "model/several_targets.h"
#include "path_choice.h"
#include "seesaw/error.h"
#include "summary.h"

namespace seesaw::app {
namespace {

struct CoefOptions {
  std::string model_path;
  PathChoice choice;
  int top = 20;
  bool intervals = false, json = false;
};

std::string number(double value) { return fmt::format("{:.6g}", value); }

void print_table(const LinearModel& model, const std::vector<CoefficientRow>& rows, bool intervals) {
  std::vector<std::vector<std::string>> table;
  const std::vector<double> values = intercepts(model);
  std::vector<Interval> of_intercepts;
  if (intervals) of_intercepts = intercept_bounds(model);
  table.push_back({"", "weight"});
  if (intervals) table[0].insert(table[0].end(), {"low", "high", "sign"});
  const auto add = [&](std::string name, double value, const Interval& optimum) {
    table.push_back({std::move(name), number(value)});
    if (intervals) table.back().insert(table.back().end(), {number(optimum.lo), number(optimum.hi), sign_of(optimum)});
  };
  const auto interval_of = [&](const std::vector<Interval>& all, std::size_t k) {
    return intervals ? all[k] : Interval{0, 0};
  };
  if (model.objective.intercept != Intercept::none)
    for (std::size_t k = 0; k < values.size(); ++k)
      add(values.size() > 1 ? "intercept of " + output_in_words(model, output_label(model, k)) : "intercept", values[k],
          interval_of(of_intercepts, k));
  for (const CoefficientRow& row : rows)
    add(name_in_words(model, row.coefficient), row.coefficient.unscaled, row.optimum.value_or(Interval{0, 0}));
  std::vector<std::size_t> width(table[0].size());
  for (const auto& line : table)
    for (std::size_t c = 0; c < line.size(); ++c) width[c] = std::max(width[c], line[c].size());
  for (const auto& line : table) {
    std::string text = fmt::format("  {:<{}}", line[0], width[0]);
    for (std::size_t c = 1; c < line.size(); ++c) text += fmt::format("  {:>{}}", line[c], width[c]);
    fmt::print("{}\n", text);
  }
}

// "3, 7-12, 15, ... (--json lists all)": names where features have them.
std::string listed(const LinearModel& model, const std::vector<std::size_t>& features) {
  constexpr std::size_t most_parts = 12;
  std::string text;
  std::size_t parts = 0;
  for (std::size_t at = 0; at < features.size(); ++parts) {
    const std::size_t first = features[at];
    std::size_t last = first;
    if (parts == most_parts) return text + ", ... (--json lists all)";
    if (const std::string name = feature_name(model, first); !name.empty()) {
      ++at;
      text += (parts > 0 ? ", " : "") + name;
      continue;
    }
    while (++at < features.size() && features[at] == last + 1) ++last;
    text += fmt::format("{}{}{}", parts > 0 ? ", " : "", first + 1, last > first ? fmt::format("-{}", last + 1) : "");
  }
  return text;
}

int coef(const CoefOptions& o) {
  const ChosenModel chosen = read_model_or_path(o.model_path, o.choice);
  const LinearModel& model = chosen.model;
  if (o.intervals)
    if (const std::string reason = no_weight_bounds_reason(model); !reason.empty())
      throw Error(fmt::format("{}: {}", o.model_path, reason));
  const std::vector<CoefficientRow> rows = coefficient_rows(model, static_cast<std::size_t>(o.top));
  const std::size_t nonzero = nonzeros(model), all = model.features() * model.outputs();
  if (o.json) {
    nlohmann::ordered_json json = {
        {"model", o.model_path}, {"features", model.features()}, {"outputs", model.outputs()}, {"nonzeros", nonzero}};
    json["intercepts"] = intercepts_as_json(model, o.intervals);
    json["coefficients"] = nlohmann::ordered_json::array();
    for (const CoefficientRow& row : rows) json["coefficients"].push_back(as_json(model, row, o.intervals));
    if (o.intervals) {
      const SignCount signs = count_signs(model);
      json["signs"] = {
          {"positive", signs.positive},         {"negative", signs.negative},         {"zero", signs.zero},
          {"not_negative", signs.not_negative}, {"not_positive", signs.not_positive}, {"unknown", signs.unknown}};
      json["proved_zero"] = nlohmann::ordered_json::array();
      for (const std::size_t j : features_proved_zero(model)) json["proved_zero"].push_back(j + 1);
    }
    fmt::print("{}\n", json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return success;
  }
  if (!chosen.sentence.empty()) fmt::print("{}\n", chosen.sentence);
  fmt::print("{}: {} of {} weights are not 0; in units of the data{}\n", o.model_path, nonzero, all,
             model.transform.scaling == Scaling::rows ? " after each row was scaled to norm 1" : "");
  print_table(model, rows, o.intervals);
  if (rows.size() < nonzero) fmt::print("  ... {} more (--top 0 shows all)\n", nonzero - rows.size());
  if (o.intervals) {
    const SignCount signs = count_signs(model);
    fmt::print("signs proved: {} of {} weights ({} positive, {} negative, {} zero)\n", signs.proved(), all,
               signs.positive, signs.negative, signs.zero);
    if (signs.not_negative + signs.not_positive > 0)
      fmt::print("of the others {} are proved not negative and {} not positive\n", signs.not_negative,
                 signs.not_positive);
    if (const auto zero = features_proved_zero(model); !zero.empty())
      fmt::print("features proved zero: {} of {}: {}\n", zero.size(), model.features(), listed(model, zero));
  }
  return success;
}

}  // namespace

void add_coef(Program& program) {
  auto options = std::make_shared<CoefOptions>();
  Command& command = program.add_command("coef", "print the weights of a model, by name and in units of the data");
  command.add_option("MODEL", options->model_path, "a model of seesaw or LIBLINEAR, or a path of seesaw path")
      .required();
  options->choice.declare(command);
  command.add_option("--top", options->top, "number of weights shown, the largest first; 0: all that are not 0")
      .not_negative()
      .standard("20")
      .group("Output")
      .common();
  command
      .add_flag("--intervals", options->intervals,
                "the interval of each optimal weight, whether its sign is proved, and features proved zero")
      .group("Output")
      .common();
  command.add_flag("--json", options->json, "one line of JSON").group("Output").common();
  command.example("seesaw coef train.svm.model --top 10 --intervals", "");
  command.on_run([options] { return coef(*options); });
}

}  // namespace seesaw::app
