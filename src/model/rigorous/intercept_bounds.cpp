#include "model/rigorous/intercept_bounds.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/tree_sum.h"
#include "model/rigorous/losses.h"
#include "model/rigorous/problem_losses.h"
#include "model/rigorous/products.h"
#include "model/rigorous/row_reach.h"

namespace seesaw::rigorous {
namespace {

constexpr double wide = 1 + 0x1p-40;  // makes up for a few roundings

// |q| from above, without overflow of the squares.
double norm_of(const std::vector<Bounded<double>>& q, bool largest_entry) {
  double most = 0;
  for (const Bounded<double>& qj : q) most = std::max(most, greatest_size(qj));
  if (largest_entry || most == 0 || !std::isfinite(most)) return most;
  double sum = 0;
  for (const Bounded<double>& qj : q) {
    const double part = greatest_size(qj) / most;
    sum += part * part;
  }
  return most * std::sqrt(sum * (1 + 0x1p-20)) * wide;
}

// sum_j |q_j x_j| <= |q'| |x'| with x'_j = sqrt(f_j) x_j (l1 alone: f_j x_j) and q_j = sqrt(f_j) q'_j, where
// (l2/2)|x'|^2 <= g(x), or l1 |x'|_1 <= g(x).
void divide_by_factors(const Penalty& penalty, std::vector<Bounded<double>>& q) {
  for (std::size_t j = 0; j < q.size(); ++j) {
    const std::vector<double>& factors = penalty.l2() > 0 ? penalty.features().l2_factor : penalty.features().l1_factor;
    if (factors.empty()) return;
    const double size = greatest_size(q[j]), scale = penalty.l2() > 0 ? std::sqrt(factors[j]) : factors[j];
    q[j] = {size == 0 ? 0 : size / scale * wide, 0};
  }
}

struct GroupSums {
  BoundedSum<Twofold> weight;
  double squares = 0;  // sum s |a|^2
  GroupSums& operator+=(const GroupSums& other) {
    weight += other.weight;
    squares += other.squares;
    return *this;
  }
};

}  // namespace

InterceptBounds::InterceptBounds(const Problem& problem, const RowWeights& weights, Bounded<Twofold> total)
    : problem_(problem), weights_(weights), total_(total) {
  const bool regression = problem.kind->target == Target::number;
  const std::size_t count = regression ? 1 : problem.is_block() ? problem.outputs() : 2;
  const std::vector<double>& squares = problem.squared_row_norms();
  std::vector<GroupSums> sums(count);
  tree_sum(problem.leaves(), count, sums.data(), [&](std::size_t begin, std::size_t end, GroupSums* part) {
    for (std::size_t i = begin; i < end; ++i) {
      GroupSums& of = part[count == 1 ? 0 : group_of(i)];
      of.weight.add({weights.exact(i), underflow});
      of.squares += weights.exact(i).high * squares[i];
    }
  });
  for (const GroupSums& of : sums) {
    const double least = lower(of.weight.value());
    // |sum s a| / sum s <= sqrt(sum s |a|^2 / sum s); 2^-20 is above the rounding of 2^32 terms.
    const double mean = std::sqrt(of.squares / least * (1 + 0x1p-20)) * wide;
    const bool known = of.squares > least_square && of.squares < largest_square && !problem.penalty.has_factors();
    groups_.push_back({least > 0 ? least / upper(total) * (1 - 0x1p-40) : 0, least > 0 && known ? mean : infinity});
  }
  if (!regression) return;
  const auto target = tree_sum<BoundedSum<Twofold>>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
    BoundedSum<Twofold> sum;
    for (std::size_t i = begin; i < end; ++i) sum.add(weights.times(i, Bounded<Twofold>(problem.scalar().target[i])));
    return sum;
  });
  const Bounded<Twofold> mean = target.value() / total;
  target_low_ = lower(mean);
  target_high_ = upper(mean);
}

std::size_t InterceptBounds::group_of(std::size_t i) const {
  return problem_.is_block() ? problem_.block().class_of_row[i] : problem_.scalar().target[i] > 0;
}

void InterceptBounds::tighten() {
  if (std::exchange(tight_, true)) return;
  std::vector<double> w(problem_.n());
  std::vector<Bounded<double>> q;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (!(groups_[g].weight > 0)) continue;
    const auto weight = tree_sum<BoundedSum<Twofold>>(problem_.leaves(), [&](std::size_t begin, std::size_t end) {
      BoundedSum<Twofold> sum;
      for (std::size_t i = begin; i < end; ++i) {
        const bool inside = groups_.size() == 1 || group_of(i) == g;
        w[i] = inside ? weights_.times_value(i, 1.0) : 0;
        if (inside) sum.add({weights_.exact(i), underflow});
      }
      return sum;
    });
    multiply_transposed(problem_.data->rows, w, 2 * unit, 1, q);
    if (problem_.penalty.has_factors()) divide_by_factors(problem_.penalty, q);
    groups_[g].mean = std::min(groups_[g].mean, norm_of(q, problem_.penalty.l2() == 0) / lower(weight.value()) * wide);
  }
}

double InterceptBounds::reach(double primal) const {
  if (problem_.penalty.l2() > 0) return std::sqrt(2 * primal) / std::sqrt(problem_.penalty.l2()) * wide;
  return problem_.penalty.l1() > 0 ? primal / problem_.penalty.l1() * wide : infinity;
}

Interval InterceptBounds::bounds(double primal) const {
  const double X = reach(primal);
  return with_loss(problem_, [&](const auto& loss) -> Interval {
    if (groups_.size() == 1) {
      const double more = groups_[0].mean * X * wide;
      return {down(down(target_low_ - loss.reach(primal, 0, -1)) - more),
              up(up(target_high_ + loss.reach(primal, 0, 1)) + more)};
    }
    // Positive rows: z - 1 >= -reach; negative rows: z + 1 <= reach. The logistic loss has no 1.
    const double one = std::holds_alternative<Logistic>(problem_.scalar().loss) ? 0 : 1;
    const auto [negative, positive] = std::pair(groups_[0], groups_[1]);
    Interval result{-infinity, infinity};
    if (positive.weight > 0)
      result.lo = down(down(one - loss.reach(primal / positive.weight * wide, 1, -1)) - positive.mean * X * wide);
    if (negative.weight > 0)
      result.hi = up(up(loss.reach(primal / negative.weight * wide, -1, 1) - one) + negative.mean * X * wide);
    return result;
  });
}

double InterceptBounds::largest(double primal) const {
  const double X = reach(primal), less = std::holds_alternative<MulticlassHinge>(problem_.block().loss) ? 1 : 0;
  const double difference =
      problem_.penalty.l2() > 0 ? 0x1.6a09e667f3bcep0 : 1;  // |x_j - x_k| / |x|: sqrt(2), from above
  double most = 0;
  for (const Group& group : groups_) {
    if (!(group.weight > 0)) return infinity;
    most = std::max(most, up((primal / group.weight + difference * group.mean * X) * wide - less));
  }
  return most;
}

double InterceptBounds::least(double primal, const std::vector<Bounded<Twofold>>& r) const {
  if (problem_.is_block()) {
    double sum = 0;
    for (const Bounded<Twofold>& rk : r) sum += greatest_size(rk);
    if (sum == 0) return 0;
    return -(largest(primal) * sum * (1 + 0x1p-20));
  }
  const double lo = lower(r[0]), hi = upper(r[0]);
  if (lo == 0 && hi == 0) return 0;
  const Interval b = bounds(primal);
  double least = infinity;
  for (const double side : {b.lo, b.hi})
    for (const double sum : {lo, hi}) {
      const double product = sum == 0 ? 0 : down(side * sum);
      if (std::isnan(product)) return -infinity;
      least = std::min(least, product);
    }
  return least;
}

}  // namespace seesaw::rigorous
