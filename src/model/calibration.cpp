#include "model/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/elementary.h"
#include "model/rigorous/bounded.h"

namespace seesaw {
namespace {

double sigmoid(const ScoreMap& map, double score) { return 1 / (1 + exp_of(map.a * score + map.b)); }

double interpolated(const ScoreMap& map, double score) {
  const auto above = std::upper_bound(map.scores.begin(), map.scores.end(), score);
  if (above == map.scores.begin()) return map.probabilities.front();
  if (above == map.scores.end()) return map.probabilities.back();
  const auto k = static_cast<std::size_t>(above - map.scores.begin());
  const double z0 = map.scores[k - 1], p0 = map.probabilities[k - 1], p1 = map.probabilities[k];
  const double along = (score / 2 - z0 / 2) / (map.scores[k] / 2 - z0 / 2);  // halves: differences may overflow
  return std::min(p1, p0 + along * (p1 - p0));
}

}  // namespace

std::string_view name_of(CalibrationMethod method) {
  return method == CalibrationMethod::sigmoid ? "sigmoid" : "isotonic";
}

double calibrated(CalibrationMethod method, const ScoreMap& map, double score) {
  return method == CalibrationMethod::sigmoid ? sigmoid(map, score) : interpolated(map, score);
}

// Both maps are monotone. A quotient that is not a number (an exponent that overflowed) gives the trivial bound.
Interval calibrated(CalibrationMethod method, const ScoreMap& map, Interval score) {
  using rigorous::down, rigorous::up;
  if (method == CalibrationMethod::isotonic)  // a few roundings of numbers of at most 1
    return {std::max(0.0, interpolated(map, score.lo) - 0x1p-50), std::min(1.0, interpolated(map, score.hi) + 0x1p-50)};
  if (map.a == 0) score = {0, 0};
  if (map.a > 0) std::swap(score.lo, score.hi);
  const double most = up(up(map.a * score.lo) + map.b), least = down(down(map.a * score.hi) + map.b);  // of a z + b
  return {std::max(0.0, (1 - 0x1p-45) / (1 + exp_of(most))),
          std::min(1.0, (1 + 0x1p-45) / (1 + exp_of(least)) + 0x1p-1000)};
}

std::vector<double> probabilities(const Calibration& calibration, const double* scores) {
  std::vector<double> result;
  for (std::size_t k = 0; k < calibration.outputs.size(); ++k)
    result.push_back(calibrated(calibration.method, calibration.outputs[k], scores[k]));
  if (result.size() == 1) return {1 - result[0], result[0]};
  double sum = 0;
  for (const double p : result) sum += p;
  for (double& p : result) p = sum > 0 ? p / sum : 1 / static_cast<double>(result.size());
  return result;
}

std::string inconsistency_of(const Calibration& calibration, std::size_t outputs) {
  if (calibration.outputs.size() != outputs)
    return fmt::format("it has {} maps of scores, and the model {} {} per row", calibration.outputs.size(), outputs,
                       outputs == 1 ? "score" : "scores");
  for (const ScoreMap& map : calibration.outputs) {
    if (calibration.method == CalibrationMethod::sigmoid) {
      if (!std::isfinite(map.a) || !std::isfinite(map.b)) return "a coefficient is not finite";
      continue;
    }
    const std::vector<double>&z = map.scores, &p = map.probabilities;
    if (z.empty() || z.size() != p.size())
      return fmt::format("it has {} scores with {} probabilities", z.size(), p.size());
    for (std::size_t k = 0; k < z.size(); ++k) {
      if (!std::isfinite(z[k]) || (k > 0 && !(z[k - 1] < z[k]))) return "its scores do not ascend";
      if (!(p[k] >= 0 && p[k] <= 1)) return fmt::format("{} is not a probability", p[k]);
      if (k > 0 && p[k] < p[k - 1]) return "its probabilities descend";
    }
  }
  return {};
}

}  // namespace seesaw
