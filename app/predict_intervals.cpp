#include "predict_intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/elementary.h"
#include "model/prediction_bounds.h"
#include "model/several_targets.h"
#include "summary.h"

namespace seesaw::app {
namespace {

// exp(z), rounded outward: exp_of() is within a few units of its last place.
Interval exp_of_interval(const Interval& z) {
  constexpr double outward = 8 * std::numeric_limits<double>::epsilon();
  return {exp_of(z.lo) * (1 - outward), exp_of(z.hi) * (1 + outward)};
}

std::string heading(const LinearModel& model, bool with_probabilities) {
  if (several_targets(model)) {
    std::string text;
    for (std::size_t k = 1; k <= model.outputs(); ++k)
      text += fmt::format("{}score[{}] low[{}] high[{}]", k == 1 ? "" : " ", k, k, k);
    return text + "\n";
  }
  if (!model.classifies()) return fmt::format("{} low high\n", undoes_logarithm(model) ? "prediction" : "score");
  std::string text = "label settled";
  const bool several = with_probabilities || model.outputs() > 1;
  for (const double label : several ? model.labels : std::vector<double>{0})
    for (const char* column : {with_probabilities ? "probability" : "score", "low", "high"})
      text += several ? fmt::format(" {}[{}]", column, label_text(model, label)) : fmt::format(" {}", column);
  return text + "\n";
}

// The interval of the optimum, made to contain the model's own number, which was rounded in another order.
void add(fmt::memory_buffer& text, double value, const Interval& bounds) {
  fmt::format_to(fmt::appender(text), " {} {} {}", value, std::min(value, bounds.lo), std::max(value, bounds.hi));
}

}  // namespace

bool undoes_logarithm(const LinearModel& model) { return model.table && model.table->label.log; }

IntervalLines interval_lines(const LinearModel& model, const Dataset& data, const std::vector<double>& z,
                             bool with_probabilities) {
  const PredictionBounds bounds(model, data);
  const std::size_t outputs = model.outputs(), n = data.n();
  fmt::memory_buffer text;
  text.append(heading(model, with_probabilities));
  std::size_t settled = 0, surely_right = 0, surely_wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double* const scores = z.data() + i * outputs;
    if (!model.classifies()) {
      for (std::size_t k = 0; k < outputs; ++k) {
        const bool units = undoes_logarithm(model);
        const Interval score = units ? exp_of_interval(bounds.score(i, k)) : bounds.score(i, k);
        const double own = units ? exp_of(scores[k]) : scores[k];
        fmt::format_to(fmt::appender(text), "{}{} {} {}", k == 0 ? "" : " ", own, std::min(own, score.lo),
                       std::max(own, score.hi));
      }
      text.push_back('\n');
      continue;
    }
    const double label = predicted_label(model, scores);
    const bool certain = bounds.label(i) == label;
    settled += certain;
    if (certain) ++(label == data.labels[i] ? surely_right : surely_wrong);
    fmt::format_to(fmt::appender(text), "{} {}", label_text(model, label), certain ? 1 : 0);
    if (with_probabilities) {
      const std::vector<double> p = probabilities(model, scores);
      const std::vector<Interval> intervals = bounds.probabilities(i);
      for (std::size_t k = 0; k < p.size(); ++k) add(text, p[k], intervals[k]);
    } else {
      for (std::size_t k = 0; k < outputs; ++k) add(text, scores[k], bounds.score(i, k));
    }
    text.push_back('\n');
  }
  IntervalLines result;
  result.text = fmt::to_string(text);
  if (!model.classifies()) return result;
  result.json = {{"settled", settled}};
  result.words = fmt::format("labels settled: {} of {}", settled, n);
  if (settled < n) result.words += "; the optimal model may give the others another label";
  const bool known = data.labelled && std::any_of(data.labels.begin(), data.labels.end(), [&](double label) {
                       return std::find(model.labels.begin(), model.labels.end(), label) != model.labels.end();
                     });
  if (!known) return result;
  const double rows = static_cast<double>(std::max<std::size_t>(n, 1));
  const double low = static_cast<double>(surely_right) / rows, high = static_cast<double>(n - surely_wrong) / rows;
  result.json["accuracy_low"] = low;
  result.json["accuracy_high"] = high;
  if (settled < n)
    result.words +=
        fmt::format("\nthe accuracy of the optimal model is between {:.4f} % and {:.4f} %", 100 * low, 100 * high);
  else result.words += fmt::format("\nthe accuracy of the optimal model is {:.4f} %", 100 * low);
  return result;
}

}  // namespace seesaw::app
