// The weights of a model as people read them: in units of the data, by name, with what is proved about the optimal ones.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/coefficients.h"

namespace seesaw::app {

struct CoefficientRow {
  Coefficient coefficient;
  std::optional<Interval> optimum;  // of the optimal weight in units of the data, where the model has it
};

// At most `count`, largest first; 0: all that are not 0.
std::vector<CoefficientRow> coefficient_rows(const LinearModel& model, std::size_t count);

// "positive", "negative", "zero", "not negative", "not positive" where the interval proves it; "unknown" otherwise.
std::string sign_of(const Interval& optimum);

// Over all weights of the model.
struct SignCount {
  std::size_t positive = 0, negative = 0, zero = 0, not_negative = 0, not_positive = 0, unknown = 0;
  std::size_t proved() const { return positive + negative + zero; }
};
SignCount count_signs(const LinearModel& model);

// Features, counted from 0, whose optimal weights are proved to be 0 in all outputs.
std::vector<std::size_t> features_proved_zero(const LinearModel& model);

// Of an output of several: "class 2", "target 2".
std::string output_in_words(const LinearModel& model, double label);

// Name and class in the words of a table: "age", "feature 3", "feature 3 of class 2".
std::string name_in_words(const LinearModel& model, const Coefficient& coefficient);

nlohmann::ordered_json as_json(const LinearModel& model, const CoefficientRow& row, bool intervals);
nlohmann::ordered_json intercepts_as_json(const LinearModel& model, bool intervals);

}  // namespace seesaw::app
