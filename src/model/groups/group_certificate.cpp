#include "model/groups/group_certificate.h"

#include <algorithm>
#include <cmath>

#include "model/groups/group_intercept.h"
#include "model/rigorous/products.h"
#include "model/rigorous/round.h"
#include "model/rigorous/row_weights.h"

namespace seesaw {

using namespace rigorous;

namespace {

using Fine = Bounded<Twofold>;

constexpr double coarse = 3e-7;         // of the gap: larger errors are reduced by twice the precision
constexpr double inside = 1 - 0x1p-50;  // of the radius: where a scaled group is moved to
constexpr int most_scalings = 4;
constexpr double smallest = 0x1p-960;  // of |y_i| and of |w_i y_i|: products with weights do not underflow

Fine widen(Bounded<double> b) { return {Twofold(b.value), b.error}; }
Fine widen(Fine b) { return b; }

// Neither overflow nor an unlimited error.
template <class V>
bool known(const Bounded<V>& b) {
  return std::isfinite(leading(b.value)) && std::isfinite(b.error);
}

// sqrt of a number that is not negative. |sqrt(t) - sqrt(v)| <= |t - v|/(2 sqrt(least)).
Fine root(Fine square) {
  const double most = upper(square), least = lower(square);
  if (!(most < infinity)) return {Twofold(0.0), infinity};
  if (!(most > 0)) return {};
  if (!(least > 0x1p-900)) {  // [0, sqrt(most)]
    const double half = 0.5 * std::sqrt(most);
    return {Twofold(half), half * (1 + 0x1p-40)};
  }
  const double s = std::sqrt(square.value.high);
  const Twofold rest = square.value - two_product(s, s);
  return {fast_two_sum(s, rest.high / (2 * s)), square.error / (2 * std::sqrt(least)) * (1 + 0x1p-40) + 0x1p-98 * s};
}

Fine total_weight(const GroupProblem& problem) {
  BoundedSum<Twofold> sum;
  for (std::size_t g = 0; g < problem.count(); ++g) sum.add(Fine(problem.weight(g)));
  return sum.value();
}

// sum_g w_g phi_g(z_g), from the scores of the rows.
template <class V>
Fine losses(const GroupProblem& problem, const std::vector<Bounded<V>>& z) {
  const std::vector<double>& b = problem.rows.scalar().target;
  BoundedSum<Twofold> sum;
  for (std::size_t g = 0; g < problem.count(); ++g) {
    const Fine weight(problem.weight(g));
    if (problem.hinge()) {  // the largest of several numbers is known to the largest of their errors
      Bounded<V> most;
      for (const std::uint32_t i : problem.rows_of(g)) {
        const Bounded<V> hinge = Bounded<V>(1) - Bounded<V>(b[i]) * z[i];
        most = {less(most.value, hinge.value) ? hinge.value : most.value, std::max(most.error, hinge.error)};
        if (!known(hinge)) most.error = infinity;
      }
      sum.add(weight * widen(most));
    } else {
      BoundedSum<V> squares;
      for (const std::uint32_t i : problem.rows_of(g)) {
        const Bounded<V> residual = z[i] - Bounded<V>(b[i]);
        squares.add(residual * residual);
      }
      sum.add(weight * root(squares.value()));
    }
  }
  return sum.value();
}

Fine penalty(const Penalty& of, const std::vector<double>& x) {
  BoundedSum<Twofold> squares, sizes;
  for (const double xj : x) {
    if (xj == 0) continue;
    squares.add(Fine(xj) * Fine(xj));
    sizes.add(Fine(std::abs(xj)));
  }
  return Fine(0.5) * Fine(of.l2()) * squares.value() + Fine(of.l1()) * sizes.value();
}

// g*(-q/W) = sum_j (|q_j| - l1 W)_+^2 / (2 lambda W^2)
template <class V>
Fine penalty_conjugate(const Penalty& of, const std::vector<Bounded<V>>& q, const Fine& W) {
  const Fine threshold = Fine(of.l1()) * W;
  BoundedSum<Twofold> squares;
  for (const Bounded<V>& qj : q) {
    if (!known(qj)) return {Twofold(0.0), infinity};
    const Fine size = widen(leading(qj.value) < 0 ? -qj : qj);
    const Fine beyond = of.l1() > 0 ? positive_part(size - threshold) : size;
    if (leading(beyond.value) == 0 && beyond.error == 0) continue;
    squares.add(beyond * beyond);
  }
  return Fine(0.5) * (squares.value() / W / W / Fine(of.l2()));
}

// A free intercept needs r = sum_i w_i y_i/W = 0: what is left of it lowers D by at most |b| |r| where P(x, b) <= primal.
Fine cost_of_imbalance(const GroupProblem& problem, const RowWeights& weights, const std::vector<double>& y,
                       const Fine& W, double primal) {
  BoundedSum<Twofold> sum;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (y[i] != 0) sum.add(weights.times(i, Fine(y[i])));
  const double r = greatest_size(sum.value() / W);
  return r == 0 ? Fine() : Fine(up(largest_intercept(problem, primal) * r));
}

template <class V>
Certificate evaluate(const GroupProblem& problem, Point& point, double& slack) {
  const Fine W = total_weight(problem);
  const RowWeights weights(problem.rows);
  const Rows& rows = problem.rows.data->rows;
  const std::vector<double>& b = problem.rows.scalar().target;
  std::vector<Bounded<V>> z, q;
  multiply(rows, point.x.data(), 1, z);
  if (problem.rows.free_intercept())
    for (Bounded<V>& zi : z) zi = zi + Bounded<V>(point.intercept[0]);
  const Fine P = losses(problem, z) / W + penalty(problem.rows.penalty, point.x);
  BoundedSum<V> conjugates;  // of both losses: sum_i w_i b_i y_i
  std::vector<V> w(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (point.y[i] != 0) conjugates.add(weights.times(i, Bounded<V>(b[i]) * Bounded<V>(point.y[i])));
    w[i] = weights.times_value(i, V(point.y[i]));
  }
  multiply_transposed(rows, w, weights.all_one() ? 0 : 2 * rounding<V>, 1, q);
  Fine D = -(conjugates.value() / W) - penalty_conjugate(problem.rows.penalty, q, W);
  if (problem.rows.free_intercept()) D = D - cost_of_imbalance(problem, weights, point.y, W, rounded_up(P));
  slack = P.error + D.error;
  Certificate certificate;
  certificate.primal = rounded_up(P);
  certificate.dual = rounded_down(D);
  if (std::isnan(certificate.primal)) certificate.primal = infinity;
  if (!(certificate.dual >= 0)) {
    certificate.dual = 0;
    certificate.dual_point = DualPoint::zero;
  }
  certificate.gap = difference_up(certificate.primal, certificate.dual);
  return certificate;
}

// An upper bound of |y_g|^2, or of sum p.
double size_of_group(const GroupProblem& problem, std::size_t g, const std::vector<double>& y) {
  BoundedSum<Twofold> sum;
  for (const std::uint32_t i : problem.rows_of(g))
    sum.add(problem.hinge() ? Fine(std::abs(y[i])) : Fine(y[i]) * Fine(y[i]));
  return upper(sum.value());
}

}  // namespace

bool make_feasible(const GroupProblem& problem, std::vector<double>& y) {
  const std::vector<double>& b = problem.rows.scalar().target;
  const bool weighted = !problem.rows.data->weights.empty();
  bool changed = y.size() != problem.rows.n();
  y.resize(problem.rows.n());
  for (std::size_t g = 0; g < problem.count(); ++g) {
    const auto rows = problem.rows_of(g);
    const double least = weighted ? smallest / std::min(problem.weight(g), 1.0) : 0;
    std::size_t nonzeros = 0;
    double largest = 0;
    for (const std::uint32_t i : rows) {
      if (!std::isfinite(y[i]) || (problem.hinge() && b[i] * y[i] > 0) || (y[i] != 0 && std::abs(y[i]) < least)) {
        y[i] = 0;
        changed = true;
      }
      nonzeros += y[i] != 0;
      largest = std::max(largest, std::abs(y[i]));
    }
    if (nonzeros <= 1 && largest <= 1) continue;
    const auto scale = [&](double factor) {
      changed = true;
      for (const std::uint32_t i : rows) y[i] = factor == 0 ? 0 : y[i] * factor;
    };
    double size = size_of_group(problem, g, y);
    for (int round = 0; round < most_scalings && !(size <= 1); ++round) {
      scale(!(size < infinity) ? 0 : inside / (problem.hinge() ? size : std::sqrt(size)));
      size = size_of_group(problem, g, y);
    }
    if (!(size <= 1)) scale(0);
  }
  return changed;
}

Certificate certify_rigorously(const GroupProblem& problem, Point& point, double enough) {
  bool changed = make_feasible(problem, point.y);
  if (problem.rows.free_intercept()) {
    point.intercept.resize(1);
    balance(problem, point.y);
    make_feasible(problem, point.y);  // numbers that have become too small
    changed = true;
  } else {
    point.intercept = {0.0};
  }
  double slack = 0;
  Certificate result = evaluate<double>(problem, point, slack);
  if (!(slack <= coarse * result.gap) && !(result.gap <= enough)) {
    const Certificate finer = evaluate<Twofold>(problem, point, slack);
    if (finer.gap <= result.gap) result = finer;
  }
  if (result.dual_point == DualPoint::zero) std::fill(point.y.begin(), point.y.end(), 0.0);
  else if (changed) result.dual_point = DualPoint::scaled;
  result.distance_bound = seesaw::distance_bound(result.gap, problem.rows.penalty.strong_convexity());
  return result;
}

}  // namespace seesaw
