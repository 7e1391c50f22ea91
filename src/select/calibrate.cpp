#include "select/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/compensated_sum.h"
#include "base/elementary.h"
#include "model/table_labels.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

double weight_of(const std::vector<ScoredRow>& rows, bool positive) {
  CompensatedSum sum;
  for (const ScoredRow& row : rows)
    if (row.positive == positive) sum += row.weight;
  return sum.value();
}

// f(u, w) = sum_i w_i [log(1 + e^-h_i) + (1 - t_i) h_i], h_i = u s_i + w, over standardized scores s_i: mean 0, variance 1.
// f is convex, f'' = sum w_i p_i (1 - p_i) (s_i, 1)(s_i, 1)^T.
class SigmoidFit {
 public:
  SigmoidFit(const std::vector<ScoredRow>& rows, double mean, double deviation) : rows_(rows) {
    for (const ScoredRow& row : rows) scores_.push_back((row.score - mean) / deviation);
    positives_ = weight_of(rows, true);
    negatives_ = weight_of(rows, false);
  }

  struct At {
    double u, w;
    double value, gu, gw;  // f and its gradient
    double uu, uw, ww;     // Hessian
    double gradient() const { return std::max(std::abs(gu), std::abs(gw)); }
  };

  At at(double u, double w) const {
    const double high = (positives_ + 1) / (positives_ + 2), low = 1 / (negatives_ + 2);
    CompensatedSum value, gu, gw, uu, uw, ww;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const double s = scores_[i], h = u * s + w, target = rows_[i].positive ? high : low, weight = rows_[i].weight;
      const double e = exp_of(-std::abs(h)), p = (h >= 0 ? 1 : e) / (1 + e), q = (h >= 0 ? e : 1) / (1 + e);
      value += weight * (log1p_of(e) + (h >= 0 ? (1 - target) * h : -target * h));
      // p - t without cancellation where p is near 1: q - (1 - t).
      const double g = weight * (h >= 0 ? (1 - target) - q : p - target), c = weight * p * q;
      gu += g * s;
      gw += g;
      uu += c * s * s;
      uw += c * s;
      ww += c;
    }
    return {u, w, value.value(), gu.value(), gw.value(), uu.value(), uw.value(), ww.value()};
  }

  // Newton with step halving. Far from the optimum f decides; where its changes are below its rounding, the gradient.
  At minimize() const {
    constexpr int most_steps = 200, most_halvings = 60;
    At now = at(0, log_of((positives_ + 1) / (negatives_ + 1)));
    for (int step = 0; step < most_steps; ++step) {
      const double ridge = 1e-14 * (now.uu + now.ww), uu = now.uu + ridge, ww = now.ww + ridge;
      const double determinant = uu * ww - now.uw * now.uw;
      const double du = -(ww * now.gu - now.uw * now.gw) / determinant,
                   dw = -(uu * now.gw - now.uw * now.gu) / determinant;
      if (!std::isfinite(du) || !std::isfinite(dw)) break;
      const double decrease = now.gu * du + now.gw * dw;  // < 0
      bool moved = false;
      double length = 1;
      for (int halving = 0; halving < most_halvings && !moved; ++halving, length /= 2) {
        const At next = at(now.u + length * du, now.w + length * dw);
        const bool flat = std::abs(next.value - now.value) <= 1e-13 * std::abs(now.value);
        moved = flat ? next.gradient() < now.gradient() : next.value <= now.value + 1e-4 * length * decrease;
        if (moved) now = next;
      }
      if (!moved || now.gradient() == 0) break;
    }
    return now;
  }

 private:
  const std::vector<ScoredRow>& rows_;
  std::vector<double> scores_;
  double positives_ = 0, negatives_ = 0;
};

}  // namespace

ScoreMap fit_sigmoid(const std::vector<ScoredRow>& rows) {
  CompensatedSum total, sum, squares;
  double largest = 0;
  for (const ScoredRow& row : rows) largest = std::max(largest, std::abs(row.score));
  const double scale = largest > 0 ? std::ldexp(1.0, -std::ilogb(largest)) : 1;  // so that squares are in range
  for (const ScoredRow& row : rows) {
    total += row.weight;
    sum += row.weight * (row.score * scale);
  }
  const double mean = sum.value() / total.value();
  bool equal = true;
  for (const ScoredRow& row : rows) {
    equal = equal && row.score == rows[0].score;
    squares += row.weight * (row.score * scale - mean) * (row.score * scale - mean);
  }
  const double deviation = std::sqrt(squares.value() / total.value());
  if (equal || !(deviation > 0)) {  // p = (N+ t+ + N- t-) / N
    const double positives = weight_of(rows, true), negatives = weight_of(rows, false);
    const double p =
        (positives * ((positives + 1) / (positives + 2)) + negatives / (negatives + 2)) / (positives + negatives);
    return {0, log_of((1 - p) / p), {}, {}};
  }
  const SigmoidFit::At best = SigmoidFit(rows, mean / scale, deviation / scale).minimize();
  const double a = -best.u / deviation * scale;
  return {a, -best.w - a * (mean / scale), {}, {}};
}

ScoreMap fit_isotonic(std::vector<ScoredRow> rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const ScoredRow& a, const ScoredRow& b) { return a.score < b.score; });
  struct Pool {
    double first, last;          // scores
    CompensatedSum ones, total;  // weights of positive rows, of all
    double mean() const { return ones.value() / total.value(); }
  };
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < rows.size();) {
    Pool pool{rows[i].score, rows[i].score, {}, {}};
    for (; i < rows.size() && rows[i].score == pool.first; ++i) {
      if (rows[i].positive) pool.ones += rows[i].weight;
      pool.total += rows[i].weight;
    }
    while (!pools.empty() && pools.back().mean() >= pool.mean()) {
      pool.first = pools.back().first;
      pool.ones += pools.back().ones.value();
      pool.total += pools.back().total.value();
      pools.pop_back();
    }
    pools.push_back(pool);
  }
  ScoreMap map;
  for (const Pool& pool : pools)
    for (const double score : {pool.first, pool.last}) {
      if (!map.scores.empty() && map.scores.back() == score) continue;
      map.scores.push_back(score);
      map.probabilities.push_back(std::min(1.0, pool.mean()));
    }
  return map;
}

void require_calibrated(const LossKind& kind) {
  if (kind.target == Target::sign) return;
  throw Error(fmt::format(
      "`calibrate` needs a loss of the sign of one score (logistic, hinge, squared-hinge, "
      "smooth-hinge), not {}{}.",
      kind.name, kind.target == Target::index ? ", which scores all classes together" : ", which predicts numbers"));
}

Calibration calibrate(const LinearModel& model, CalibrationMethod method, const Dataset& data,
                      const std::vector<double>& scores) {
  require_calibrated(loss_kind(model.objective.loss));
  const std::size_t K = model.outputs();
  Calibration calibration{method, {}};
  for (std::size_t k = 0; k < K; ++k) {
    const double positive = model.labels[K == 1 ? 1 : k];
    std::vector<ScoredRow> rows;
    for (std::size_t i = 0; i < data.n(); ++i)
      if (const double score = scores[i * K + k]; std::isfinite(score))
        rows.push_back({score, data.weights.empty() ? 1 : data.weights[i], data.labels[i] == positive});
    const auto of_class = static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [](const ScoredRow& row) { return row.positive; }));
    if (of_class == 0 || of_class == rows.size())
      throw Error(
          fmt::format("`calibrate` needs validated rows of every class; {} has the label {}.",
                      of_class == 0 ? "none of them" : "each of them",
                      label_name(model.table ? model.table->label.classes : std::vector<std::string>(), positive)));
    calibration.outputs.push_back(method == CalibrationMethod::sigmoid ? fit_sigmoid(rows)
                                                                       : fit_isotonic(std::move(rows)));
  }
  return calibration;
}

}  // namespace seesaw
