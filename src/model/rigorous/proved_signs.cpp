#include "model/rigorous/proved_signs.h"

#include <algorithm>
#include <cmath>

#include "base/tree_sum.h"
#include "model/column_moments.h"
#include "model/rigorous/dual_image.h"

namespace seesaw {
namespace {

using namespace rigorous;

constexpr double spare = 1 + 0x1p-40;  // so that the verifier's own bounds are not larger

// |v*_j - v_j| = shift.radius_times * radius + shift.constant, per feature and output.
class Shifts {
 public:
  // known: the bounds of the columns; null: computed.
  Shifts(const Problem& problem, const RowWeights& weights, const std::vector<double>& weighted_dual,
         double least_total, double most_total, const std::vector<ColumnBounds>* known)
      : least_(least_total), most_(most_total), free_(problem.free_intercept()) {
    // Of each sum: one rounding per term or node, and a few of the terms themselves.
    relative_ = (static_cast<double>(problem.leaves().all_rows()) + 64) * 0x1p-51 +
                relative_error_of_row<double>(weights, problem.outputs());
    absolute_ = static_cast<double>(problem.leaves().all_rows()) * underflow;
    if (known != nullptr) columns_ = *known;
    else use(problem.column_moments());
    if (!free_) return;
    const std::size_t K = problem.outputs();
    std::vector<PlainSum> sums(K);
    tree_sum(problem.leaves(), K, sums.data(), [&](std::size_t begin, std::size_t end, PlainSum* part) {
      for (std::size_t at = begin * K; at < end * K; ++at) part[at % K].add(weighted_dual[at]);
    });
    for (const PlainSum& sum : sums) balance_.push_back(most(sum) / least_ * spare);
  }

  double bound(std::size_t j, std::size_t k, double radius) const {
    const ColumnBounds& column = columns_[j];
    if (!free_) return std::sqrt(column.square) * radius * spare;
    const double variance = std::max(0.0, column.square - column.mean_low * column.mean_low / spare);
    return (std::sqrt(variance * spare) * radius + column.mean_high * balance_[k] * spare) * spare;
  }

 private:
  void use(const ColumnMoments& moments) {
    for (std::size_t j = 0; j < moments.second.size(); ++j) {
      columns_.push_back({(moments.second[j] * (1 + relative_) + absolute_) / least_ * spare});
      if (!free_) continue;
      const PlainSum& first = moments.first[j];
      columns_[j].mean_low = std::max(0.0, std::abs(first.sum) - error(first)) / most_ / spare;
      columns_[j].mean_high = most(first) / least_;
    }
  }
  double error(const PlainSum& of) const { return of.size * relative_ * spare + absolute_; }
  double most(const PlainSum& of) const { return (std::abs(of.sum) + error(of)) * spare; }

  double least_, most_;  // bounds of sum_i s_i
  bool free_;
  double relative_ = 0, absolute_ = 0;
  std::vector<ColumnBounds> columns_;
  std::vector<double> balance_;  // |sum_i c_i y_ik|, from above
};

char sign_of(const Interval& v, double l1) {
  const bool not_negative = v.lo > -l1, not_positive = v.hi < l1;
  if (not_negative) return not_positive ? sign_zero : sign_not_negative;
  return not_positive ? sign_not_positive : sign_unknown;
}

std::string signs_of(const Problem& problem, const std::vector<double>& y, const std::vector<Bounds>& bounds,
                     const std::vector<Bounded<double>>* known, const std::vector<ColumnBounds>* columns) {
  if (!(problem.penalty.l1() > 0) || !(problem.gamma() > 0)) return {};
  for (std::size_t j = 0; j < problem.d() && !problem.penalty.uniform(); ++j)
    if (!(problem.penalty.l1(j) > 0)) return {};
  for (const Bounds& of : bounds)
    if (!std::isfinite(of.gap)) return {};
  const std::size_t K = problem.outputs();
  const RowWeights weights(problem);
  const Bounded<Twofold> total = weights.total(problem.leaves());
  const Bounded<double> sum{total.value.high, total.error + unit * std::abs(total.value.high)};
  const bool is_known = !any_rank(problem.leaves(), known == nullptr);
  std::vector<double> weighted;
  if (!is_known || problem.free_intercept()) weighted = weighted_dual<double>(problem, weights, y);
  const Shifts shifts(problem, weights, weighted, lower(total), upper(total), columns);
  const std::vector<Bounded<double>> q = is_known ? *known : image_of(problem, weights, weighted);
  std::vector<double> radius;
  for (std::size_t k = 0; k < K; ++k)
    radius.push_back(std::sqrt(2 * bounds[bounds.size() == 1 ? 0 : k].gap / problem.gamma() + 0x1p-1000) * spare);
  std::string signs;
  for (std::size_t at = 0; at < q.size(); ++at) {
    const double l1 = down(problem.penalty.l1(at / K)) / spare, shift = shifts.bound(at / K, at % K, radius[at % K]);
    const Bounded<double> v = -q[at] / sum;
    signs.push_back(sign_of({down(lower(v) - shift), up(upper(v) + shift)}, l1));
  }
  return signs;
}

}  // namespace

std::string proved_signs(const Problem& problem, const std::vector<double>& y, const std::vector<Bounds>& bounds,
                         const std::vector<Bounded<double>>* known) {
  return signs_of(problem, y, bounds, known, nullptr);
}

std::string proved_signs_by(const Problem& problem, const std::vector<double>& y, const PointProof& proof) {
  return signs_of(problem, y, {static_cast<const Bounds&>(proof.certificate)}, &proof.image, &proof.columns);
}

std::size_t count_zero_features(const std::string& signs, std::size_t outputs) {
  std::size_t count = 0;
  for (std::size_t at = 0; at + outputs <= signs.size(); at += outputs)
    count += static_cast<std::size_t>(std::count(&signs[at], &signs[at] + outputs, sign_zero)) == outputs;
  return count;
}

}  // namespace seesaw
