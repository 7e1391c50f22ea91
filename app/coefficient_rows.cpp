#include "coefficient_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "model/prediction_bounds.h"
#include "model/several_targets.h"
#include "run/lines.h"
#include "summary.h"

namespace seesaw::app {

std::vector<CoefficientRow> coefficient_rows(const LinearModel& model, std::size_t count) {
  std::vector<Interval> optimum;
  if (no_weight_bounds_reason(model).empty()) optimum = weight_bounds(model);
  std::vector<CoefficientRow> rows;
  const std::size_t most = count == 0 ? std::numeric_limits<std::size_t>::max() : count;
  for (const Coefficient& one : largest_coefficients(model, most)) {
    std::size_t k = 0;
    while (one.label && output_label(model, k) != *one.label) ++k;
    CoefficientRow row{one, std::nullopt};
    if (!optimum.empty()) row.optimum = optimum[one.feature * model.outputs() + k];
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string sign_of(const Interval& optimum) {
  if (optimum.lo > 0) return "positive";
  if (optimum.hi < 0) return "negative";
  if (optimum.lo == 0) return optimum.hi == 0 ? "zero" : "not negative";
  return optimum.hi == 0 ? "not positive" : "unknown";
}

SignCount count_signs(const LinearModel& model) {
  SignCount count;
  for (const Interval& optimum : weight_bounds(model)) {
    const std::string sign = sign_of(optimum);
    ++(sign == "positive"       ? count.positive
       : sign == "negative"     ? count.negative
       : sign == "zero"         ? count.zero
       : sign == "not negative" ? count.not_negative
       : sign == "not positive" ? count.not_positive
                                : count.unknown);
  }
  return count;
}

std::vector<std::size_t> features_proved_zero(const LinearModel& model) {
  const std::vector<Interval> optimum = weight_bounds(model);
  const std::size_t K = model.outputs();
  std::vector<std::size_t> features;
  for (std::size_t j = 0; j < model.features(); ++j) {
    const auto begin = optimum.begin() + static_cast<std::ptrdiff_t>(j * K);
    if (std::all_of(begin, begin + static_cast<std::ptrdiff_t>(K),
                    [](const Interval& weight) { return weight.lo == 0 && weight.hi == 0; }))
      features.push_back(j);
  }
  return features;
}

std::string output_in_words(const LinearModel& model, double label) {
  return model.classifies() ? "class " + label_text(model, label) : fmt::format("target {}", label);
}

std::string name_in_words(const LinearModel& model, const Coefficient& coefficient) {
  const std::string name =
      coefficient.name.empty() ? fmt::format("feature {}", coefficient.feature + 1) : coefficient.name;
  return coefficient.label ? fmt::format("{} of {}", name, output_in_words(model, *coefficient.label)) : name;
}

nlohmann::ordered_json as_json(const LinearModel& model, const CoefficientRow& row, bool intervals) {
  const Coefficient& one = row.coefficient;
  nlohmann::ordered_json json = {{"feature", one.feature + 1}};
  if (!one.name.empty()) json["name"] = one.name;
  if (one.label) json["class"] = label_json(model, *one.label);
  json["value"] = finite_or_null(one.unscaled);
  if (one.value != one.unscaled) json["scaled"] = finite_or_null(one.value);
  if (!intervals) return json;
  json["low"] = finite_or_null(row.optimum->lo);
  json["high"] = finite_or_null(row.optimum->hi);
  json["sign"] = sign_of(*row.optimum);
  return json;
}

nlohmann::ordered_json intercepts_as_json(const LinearModel& model, bool intervals) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::vector<Interval> optimum;
  if (intervals) optimum = intercept_bounds(model);
  const std::vector<double> values = intercepts(model);
  for (std::size_t k = 0; k < values.size(); ++k) {
    nlohmann::ordered_json one;
    if (values.size() > 1) one[model.classifies() ? "class" : "target"] = label_json(model, output_label(model, k));
    one["value"] = finite_or_null(values[k]);
    if (intervals) {
      one["low"] = finite_or_null(optimum[k].lo);
      one["high"] = finite_or_null(optimum[k].hi);
    }
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace seesaw::app
