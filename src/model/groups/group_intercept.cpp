#include "model/groups/group_intercept.h"

#include <algorithm>
#include <cmath>

#include "model/rigorous/row_reach.h"

namespace seesaw {
namespace {

constexpr int most_halvings = 100;
constexpr double wide = 1 + 0x1p-20;  // above the roundings of sums of 2^32 terms that are not negative

// The derivative of phi_g(z_g + b), or a subgradient.
double derivative(const GroupProblem& problem, std::size_t g, const std::vector<double>& z, double b) {
  const std::vector<double>& target = problem.rows.scalar().target;
  double largest = 0, at_largest = 0, sum = 0, squares = 0;
  for (const std::uint32_t i : problem.rows_of(g)) {
    const double hinge = 1 - target[i] * (z[i] + b), residual = z[i] + b - target[i];
    if (hinge > largest) {
      largest = hinge;
      at_largest = -target[i];
    }
    sum += residual;
    squares += residual * residual;
  }
  if (problem.hinge()) return at_largest;
  return squares > 0 ? sum / std::sqrt(squares) : 0;
}

}  // namespace

double best_intercept(const GroupProblem& problem, const std::vector<double>& z, double accuracy) {
  const std::vector<double>& target = problem.rows.scalar().target;
  double low = infinity, high = -infinity;  // the derivative is <= 0 at low and >= 0 at high
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double exact = target[i] - z[i];
    if (!problem.hinge() || target[i] < 0) low = std::min(low, exact);
    if (!problem.hinge() || target[i] > 0) high = std::max(high, exact);
  }
  if (!std::isfinite(low) || !std::isfinite(high)) return 0;
  for (int round = 0; round < most_halvings && low < high; ++round) {
    const double b = 0.5 * (low + high);
    if (b <= low || b >= high) break;
    double sum = 0;
    for (std::size_t g = 0; g < problem.count(); ++g) sum += problem.weight(g) * derivative(problem, g, z, b);
    (sum > 0 ? high : low) = b;
    if (std::abs(sum) * (high - low) <= accuracy * problem.rows.total_weight) return b;
  }
  return 0.5 * (low + high);
}

void balance(const GroupProblem& problem, std::vector<double>& y) {
  const std::vector<double>& weights = problem.rows.data->weights;
  double positive = 0, negative = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double part = (weights.empty() ? 1 : weights[i]) * y[i];
    (part > 0 ? positive : negative) += std::abs(part);
  }
  const double factor = std::min(positive, negative) / std::max(positive, negative);
  for (double& yi : y)
    if ((yi > 0) == (positive > negative) && yi != 0) yi = factor < 1 ? yi * factor : yi;
}

double largest_intercept(const GroupProblem& problem, double primal) {
  const std::vector<double>& target = problem.rows.scalar().target;
  const std::vector<double> reach = rigorous::row_reaches(problem.rows);
  struct Side {
    double weight = 0, reach = 0, target = 0;
  };
  Side sides[2];  // of the labels; the norm has one
  double W = 0;
  for (std::size_t g = 0; g < problem.count(); ++g) {
    const double s = problem.weight(g) / static_cast<double>(problem.rows_of(g).size());
    W += problem.weight(g);
    for (const std::uint32_t i : problem.rows_of(g)) {
      Side& side = sides[problem.hinge() && target[i] > 0 ? 1 : 0];
      side.weight += s;
      side.reach += s * reach[i];
      side.target += s * std::abs(target[i]);
    }
  }
  const double X = std::sqrt(2 * primal) / std::sqrt(problem.rows.penalty.l2());
  double most = 0;
  for (const Side& side : std::span(sides, problem.hinge() ? 2 : 1)) {
    if (!(side.weight > 0)) return infinity;
    most = std::max(most, (W * primal + X * side.reach + side.target) / side.weight);
  }
  most *= wide * wide * wide;
  return most < infinity ? most : infinity;  // NaN too
}

}  // namespace seesaw
