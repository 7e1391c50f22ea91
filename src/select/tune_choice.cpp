#include "select/tune_choice.h"

#include <algorithm>
#include <cmath>

#include "base/compensated_sum.h"

namespace seesaw {

MeanAndError mean_and_error(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  CompensatedSum sum, squares;
  for (const double value : values) sum += value;
  const double mean = sum.value() / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() < 2 ? 0 : std::sqrt(squares.value() / (count * (count - 1)))};
}

double goodness_of(const Metric& metric, double value) {
  if (std::isnan(value)) return -infinity;
  return metric.higher_is_better ? value : -value;
}

void order_and_choose(TuneResult& result, const TuneRequest& request) {
  const bool by_C = request.coefficient == SearchedCoefficient::C;
  std::stable_sort(result.candidates.begin(), result.candidates.end(),
                   [&](const CandidateResult& a, const CandidateResult& b) {
                     if (a.candidate.group != b.candidate.group) return a.candidate.group < b.candidate.group;
                     const double u = a.candidate.value.value_or(0), v = b.candidate.value.value_or(0);
                     return by_C ? u < v : u > v;  // the strongest penalty first
                   });
  const Metric& metric = *result.metrics[0];
  const auto goodness = [&](const CandidateResult& one) { return goodness_of(metric, one.mean[0]); };
  bool any = false;
  for (std::size_t c = 0; c < result.candidates.size(); ++c) {
    CandidateResult& one = result.candidates[c];
    if (one.eliminated) continue;
    for (std::size_t m = 0; m < result.metrics.size(); ++m) {
      std::vector<double> values;
      for (const FoldResult& fold : one.folds) values.push_back(fold.values[m]);
      const MeanAndError summary = mean_and_error(values);
      one.mean.push_back(summary.mean);
      one.error.push_back(summary.error);
    }
    if (!any || goodness(one) > goodness(result.candidates[result.best])) result.best = c;
    any = true;
  }
  const CandidateResult& best = result.candidates[result.best];
  result.one_se = result.best;
  for (std::size_t c = result.best; c-- > 0;) {
    const CandidateResult& one = result.candidates[c];
    if (one.candidate.group != best.candidate.group) break;
    if (one.complete() && goodness(one) >= goodness(best) - best.error[0]) result.one_se = c;
  }
  result.chosen = request.choose == Choice::best ? result.best : result.one_se;
}

}  // namespace seesaw
