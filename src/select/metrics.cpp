#include "select/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/compensated_sum.h"
#include "base/elementary.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

double weight_of(const Predictions& p, std::size_t i) { return p.weights.empty() ? 1 : p.weights[i]; }

// The mean of of_row(i), by weights.
template <class OfRow>
double mean(const Predictions& p, const OfRow& of_row) {
  CompensatedSum sum, total;
  for (std::size_t i = 0; i < p.labels.size(); ++i) {
    sum += weight_of(p, i) * of_row(i);
    total += weight_of(p, i);
  }
  return sum.value() / total.value();
}

std::size_t class_of(const Predictions& p, double label) {
  const auto& labels = p.model.labels;
  const auto at = std::lower_bound(labels.begin(), labels.end(), label);
  if (at == labels.end() || *at != label)
    throw Error(fmt::format("a row has the label {}, which no row of the training folds has.", label));
  return static_cast<std::size_t>(at - labels.begin());
}

const double* scores_of(const Predictions& p, std::size_t i) { return &p.scores[i * p.model.outputs()]; }

// ---- of predicted labels ------------------------------------------------------------------------------------------

struct Confusion {
  std::vector<double> rows, predicted, right;  // weights per class
};

Confusion confusion(const Predictions& p) {
  const std::size_t K = p.model.labels.size();
  std::vector<CompensatedSum> rows(K), predicted(K), right(K);
  for (std::size_t i = 0; i < p.labels.size(); ++i) {
    const std::size_t truth = class_of(p, p.labels[i]), guess = class_of(p, predicted_label(p.model, scores_of(p, i)));
    rows[truth] += weight_of(p, i);
    predicted[guess] += weight_of(p, i);
    if (truth == guess) right[truth] += weight_of(p, i);
  }
  Confusion result;
  for (std::size_t k = 0; k < K; ++k) {
    result.rows.push_back(rows[k].value());
    result.predicted.push_back(predicted[k].value());
    result.right.push_back(right[k].value());
  }
  return result;
}

double balanced_accuracy(const Confusion& c) {
  double sum = 0;
  std::size_t present = 0;
  for (std::size_t k = 0; k < c.rows.size(); ++k) {
    if (c.rows[k] == 0) continue;
    ++present;
    sum += c.right[k] / c.rows[k];
  }
  return sum / static_cast<double>(present);
}

double f1_of(const Confusion& c, std::size_t k) {
  const double rows = c.rows[k] + c.predicted[k];
  return rows == 0 ? 0 : 2 * c.right[k] / rows;
}

// ---- of the order of scores ---------------------------------------------------------------------------------------

struct Ranked {
  double score, weight;
  bool positive;
};

// What class k is ranked by: its score; of a loss of all classes its probability, or how far it is above the others.
double rank_score(const Predictions& p, std::size_t i, std::size_t k) {
  const double* z = scores_of(p, i);
  const std::size_t K = p.model.outputs();
  if (K == 1) return k == 1 ? z[0] : -z[0];
  if (!p.model.joint()) return z[k];
  if (K > 2 && has_probabilities(p.model)) return probabilities(p.model, z)[k];
  double highest = -infinity;
  for (std::size_t j = 0; j < K; ++j)
    if (j != k) highest = std::max(highest, z[j]);
  return z[k] - highest;
}

std::vector<Ranked> ranked(const Predictions& p, std::size_t k) {  // by score, descending
  std::vector<Ranked> rows;
  for (std::size_t i = 0; i < p.labels.size(); ++i)
    rows.push_back({rank_score(p, i, k), weight_of(p, i), class_of(p, p.labels[i]) == k});
  std::stable_sort(rows.begin(), rows.end(), [](const Ranked& a, const Ranked& b) { return a.score > b.score; });
  return rows;
}

// of_group(positives, negatives of a group of equal scores, both of the groups before it)
template <class OfGroup>
void over_thresholds(const std::vector<Ranked>& rows, const OfGroup& of_group) {
  double above_positive = 0, above_negative = 0;
  for (std::size_t i = 0; i < rows.size();) {
    double positive = 0, negative = 0;
    const double score = rows[i].score;
    for (; i < rows.size() && rows[i].score == score; ++i) (rows[i].positive ? positive : negative) += rows[i].weight;
    of_group(positive, negative, above_positive, above_negative);
    above_positive += positive;
    above_negative += negative;
  }
}

// Pairs of a positive and a negative row in the right order, ties as half.
double auc_of(const std::vector<Ranked>& rows) {
  CompensatedSum pairs;
  double positives = 0, negatives = 0;
  over_thresholds(rows, [&](double positive, double negative, double above, double) {
    pairs += negative * above + 0.5 * negative * positive;
    positives += positive;
    negatives += negative;
  });
  if (!(positives > 0 && negatives > 0))
    throw Error("auc needs rows of both classes in every fold; use fewer folds, or another `metric`.");
  return pairs.value() / (positives * negatives);
}

double average_precision_of(const std::vector<Ranked>& rows) {
  CompensatedSum sum;
  double positives = 0;
  over_thresholds(rows, [&](double positive, double negative, double above, double above_negative) {
    positives += positive;
    if (positive > 0) sum += positive * (above + positive) / (above + positive + above_negative + negative);
  });
  if (!(positives > 0))
    throw Error("average-precision needs rows of every class in every fold; use fewer folds, or another `metric`.");
  return sum.value() / positives;
}

template <class OfClass>
double mean_of_classes(const Predictions& p, const OfClass& of_class) {
  if (p.model.labels.size() == 2) return of_class(std::size_t{1});
  double sum = 0;
  for (std::size_t k = 0; k < p.model.labels.size(); ++k) sum += of_class(k);
  return sum / static_cast<double>(p.model.labels.size());
}

// ---- of probabilities ---------------------------------------------------------------------------------------------

double log_loss(const Predictions& p) {
  constexpr double least = 0x1p-52;
  return mean(p, [&](std::size_t i) {
    const std::vector<double> all = probabilities(p.model, scores_of(p, i));
    return -log_of(std::max(all[class_of(p, p.labels[i])], least));
  });
}

double brier(const Predictions& p) {
  return mean(p, [&](std::size_t i) {
    const std::vector<double> all = probabilities(p.model, scores_of(p, i));
    const std::size_t truth = class_of(p, p.labels[i]);
    double sum = 0;
    for (std::size_t k = 0; k < all.size(); ++k) sum += (all[k] - (k == truth)) * (all[k] - (k == truth));
    return all.size() == 2 ? sum / 2 : sum;
  });
}

// ---- of numbers ---------------------------------------------------------------------------------------------------

double squared_error(const Predictions& p) {
  return mean(p, [&](std::size_t i) { return (p.labels[i] - p.scores[i]) * (p.labels[i] - p.scores[i]); });
}

double r2(const Predictions& p) {
  const double centre = mean(p, [&](std::size_t i) { return p.labels[i]; });
  const double variance = mean(p, [&](std::size_t i) { return (p.labels[i] - centre) * (p.labels[i] - centre); });
  const double error = squared_error(p);
  if (variance == 0) return error == 0 ? 1 : 0;
  return 1 - error / variance;
}

}  // namespace

const std::vector<Metric>& metrics() {
  using enum MetricName;
  static const std::vector<Metric> all = {{accuracy, "accuracy", true, true, false, false, true},
                                          {balanced_accuracy, "balanced-accuracy", true, true, false, false, true},
                                          {auc, "auc", true, true, false, false, false},
                                          {average_precision, "average-precision", true, true, false, false, false},
                                          {f1, "f1", true, true, false, false, false},
                                          {log_loss, "log-loss", false, true, false, true, false},
                                          {brier, "brier", false, true, false, true, false},
                                          {r2, "r2", true, false, true, false, true},
                                          {mae, "mae", false, false, true, false, true},
                                          {rmse, "rmse", false, false, true, false, true},
                                          {pinball, "pinball", false, false, true, false, true},
                                          {deviance, "deviance", false, true, true, false, false}};
  return all;
}

const Metric& metric_named(std::string_view name) {
  std::string names;
  for (const Metric& metric : metrics()) {
    if (metric.name == name) return metric;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", metric.name);
  }
  throw InvalidOption("metric", std::string(name), "choose from " + names);
}

const Metric& standard_metric(bool classification) { return metric_named(classification ? "accuracy" : "rmse"); }

void require_defined(const Metric& metric, const LossKind& kind) {
  const bool classifies = kind.target != Target::number;
  if (!(classifies ? metric.of_labels : metric.of_numbers))
    throw Error(fmt::format("`metric` {} measures {}, and the loss {} predicts {}; choose another one.", metric.name,
                            classifies ? "predicted numbers" : "predicted labels", kind.name,
                            classifies ? "labels" : "numbers"));
  const bool likelihood = kind.name == "logistic" || kind.name == "softmax";
  if (metric.of_probabilities && !likelihood)
    throw Error(
        fmt::format("`metric` {} needs probabilities, and the loss {} has none; choose `loss` logistic or softmax, or "
                    "another metric.",
                    metric.name, kind.name));
  if (metric.id == MetricName::deviance && !likelihood && kind.name != "squared")
    throw Error(
        fmt::format("`metric` deviance needs a likelihood: `loss` logistic, softmax or squared, not {}.", kind.name));
}

double evaluate(const Metric& metric, const Predictions& p) {
  using enum MetricName;
  switch (metric.id) {
    case accuracy: {
      const auto right = [&](std::size_t i) { return predicted_label(p.model, scores_of(p, i)) == p.labels[i]; };
      if (!p.weights.empty()) return mean(p, [&](std::size_t i) { return right(i) ? 1.0 : 0.0; });
      std::size_t count = 0;
      for (std::size_t i = 0; i < p.labels.size(); ++i) count += right(i);
      return static_cast<double>(count) / static_cast<double>(p.labels.size());
    }
    case balanced_accuracy:
      return seesaw::balanced_accuracy(confusion(p));
    case auc:
      return mean_of_classes(p, [&](std::size_t k) { return auc_of(ranked(p, k)); });
    case average_precision:
      return mean_of_classes(p, [&](std::size_t k) { return average_precision_of(ranked(p, k)); });
    case f1:
      return mean_of_classes(p, [c = confusion(p)](std::size_t k) { return f1_of(c, k); });
    case log_loss:
      return seesaw::log_loss(p);
    case brier:
      return seesaw::brier(p);
    case r2:
      return seesaw::r2(p);
    case mae:
      return mean(p, [&](std::size_t i) { return std::abs(p.labels[i] - p.scores[i]); });
    case rmse:
      return std::sqrt(squared_error(p));
    case pinball:
      return mean(p, [&](std::size_t i) { return pinball_of(p.labels[i], p.scores[i], p.quantile); });
    case deviance:
      return p.model.classifies() ? 2 * seesaw::log_loss(p) : squared_error(p);
  }
  return 0;
}

}  // namespace seesaw
