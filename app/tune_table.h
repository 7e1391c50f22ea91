// The result of a cross-validation for people: a table with a curve, the choice in words; and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "select/reliability.h"
#include "select/tune.h"

namespace seesaw::app {

// "logistic, l2, C = 0.25"
std::string describe(const TuneRequest& request, const Candidate& candidate);

std::string tune_table(const TuneResult& result, const TuneRequest& request, std::size_t columns, bool bold);
// The best candidate, the one-standard-error choice, and the work that was saved: a line each.
std::string tune_summary(const TuneResult& result, const TuneRequest& request);

nlohmann::ordered_json tune_json(const TuneResult& result, const TuneRequest& request);

// Brier score and log loss of the validated rows before and after the calibration.
std::string describe(const CalibrationCheck& check);
nlohmann::ordered_json json_of(const CalibrationCheck& check);

}  // namespace seesaw::app
