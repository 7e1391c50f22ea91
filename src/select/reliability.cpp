#include "select/reliability.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/compensated_sum.h"
#include "base/elementary.h"
#include "seesaw/error.h"
#include "select/calibrate.h"

namespace seesaw {
namespace {

constexpr std::size_t bins = 10;

// Adds rows with the probabilities of their classes. Two classes: of the larger label alone.
class ReliabilitySums {
 public:
  void add(const std::vector<double>& of_classes, std::size_t label, double weight) {
    const std::size_t K = of_classes.size();
    for (std::size_t k = K == 2 ? 1 : 0; k < K; ++k) {
      const double p = of_classes[k], one = k == label ? 1 : 0;
      Bin& bin = bins_[std::min(bins - 1, static_cast<std::size_t>(p * bins))];
      bin.predicted += weight * p;
      bin.observed += weight * one;
      bin.weight += weight;
      brier_ += weight * (p - one) * (p - one);
    }
    log_loss_ += -weight * log_of(std::max(of_classes[label], std::numeric_limits<double>::epsilon()));
    total_ += weight;
  }

  Reliability result() const {
    Reliability result;
    for (const Bin& bin : bins_)
      if (const double weight = bin.weight.value(); weight > 0)
        result.bins.push_back({bin.predicted.value() / weight, bin.observed.value() / weight, weight});
    result.brier = brier_.value() / total_.value();
    result.log_loss = log_loss_.value() / total_.value();
    return result;
  }

 private:
  struct Bin {
    CompensatedSum predicted, observed, weight;
  };
  std::array<Bin, bins> bins_;
  CompensatedSum brier_, log_loss_, total_;
};

}  // namespace

std::optional<CalibrationCheck> check_calibration(const LinearModel& model, CalibrationMethod method,
                                                  const Dataset& data, const Folds& folds,
                                                  const std::vector<double>& scores) {
  const std::size_t K = model.outputs();
  const Calibration plain{CalibrationMethod::sigmoid, std::vector<ScoreMap>(K, {-1, 0, {}, {}})};
  ReliabilitySums before, after;
  for (std::size_t f = folds.first_validated(); f < folds.count; ++f) {
    const std::vector<std::uint32_t> rows = folds.validation(f);
    std::vector<double> others = scores;
    for (const std::uint32_t i : rows) std::fill_n(&others[i * K], K, std::numeric_limits<double>::quiet_NaN());
    Calibration calibration;
    try {
      calibration = calibrate(model, method, data, others);
    } catch (const Error&) {
      return std::nullopt;
    }
    for (const std::uint32_t i : rows) {
      const double* const z = &scores[i * K];
      if (!std::all_of(z, z + K, [](double score) { return std::isfinite(score); })) continue;
      const auto label = static_cast<std::size_t>(
          std::lower_bound(model.labels.begin(), model.labels.end(), data.labels[i]) - model.labels.begin());
      const double weight = data.weights.empty() ? 1 : data.weights[i];
      before.add(probabilities(plain, z), label, weight);
      after.add(probabilities(calibration, z), label, weight);
    }
  }
  return CalibrationCheck{before.result(), after.result()};
}

}  // namespace seesaw
