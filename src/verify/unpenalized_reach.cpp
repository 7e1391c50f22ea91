#include "verify/unpenalized_reach.h"

#include <algorithm>
#include <cmath>

#include "data/resident.h"
#include "verify/definite.h"
#include "verify/feature_penalty.h"
#include "verify/sum.h"

namespace seesaw::verifier {
namespace {

constexpr std::size_t most_unpenalized = 32;

struct Ends {
  double low, high;
};
// Of the dual domain of y, or of p = -b y, to within rounding.
Ends domain_of(LossName loss, double t) {
  switch (loss) {
    case LossName::absolute:
    case LossName::epsilon_insensitive:
      return {-1, 1};
    case LossName::huber:
      return {-t, t};
    case LossName::quantile:
      return {-t, 1 - t};
    case LossName::hinge:
    case LossName::smooth_hinge:
    case LossName::logistic:
      return {0, 1};
    case LossName::squared_hinge:
      return {0, inf};
    default:
      return {-inf, inf};
  }
}

class Reach {
 public:
  Reach(const StatedProblem& problem, const std::vector<std::size_t>& columns, std::size_t k, double primal)
      : problem_(problem),
        columns_(columns),
        k_(k),
        primal_(primal),
        n_(problem.data.n()),
        m_(columns.size() + (problem.free_intercept() ? 1 : 0)) {}

  std::optional<std::vector<double>> bounds() {
    if (columns_.size() > most_unpenalized || problem_.loss.of_blocks() || !(primal_ < inf)) return std::nullopt;
    select();
    Triangle matrix(m_);  // A^T C W A
    for (std::size_t i = 0; i < n_; ++i) {
      const double c = problem_.weight_of(i).high / problem_.total.high * inner_[i];
      for (std::size_t j = 0; j < m_; ++j)
        for (std::size_t l = 0; l <= j; ++l) matrix.row(j)[l] += c * at(i, j) * at(i, l);
    }
    if (!matrix.factor(0)) return std::nullopt;
    std::vector<double> reach(m_), rest(m_ * m_);
    for (std::size_t j = 0; j < m_; ++j) {
      std::vector<double> u(m_);
      u[j] = 1;
      matrix.solve(u);
      std::vector<double> along(n_);
      double steepest = 0;
      for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t l = 0; l < m_; ++l) along[i] += at(i, l) * u[l];
        steepest = std::max(steepest, std::abs(along[i]));
      }
      const double t = std::min(0.5 / steepest, std::sqrt(primal_ / u[j]));
      if (!(t > 0 && t < inf)) return std::nullopt;
      for (const double sign : {1.0, -1.0})
        if (!add_side(j, sign, t, along, reach, rest)) return std::nullopt;
    }
    // With s = max |x_j|/reach_j:  s <= 1 + s max_j sum_l rest_jl reach_l/reach_j.
    double most = 0;
    for (std::size_t j = 0; j < m_; ++j) {
      double sum = 0;
      for (std::size_t l = 0; l < m_; ++l) sum += rest[j * m_ + l] * reach[l];
      if (sum > 0) most = std::max(most, sum / reach[j] * outward);
    }
    if (!(most < 0.5)) return std::nullopt;
    for (double& bound : reach) bound = bound / (1 - most) * outward;
    return reach;
  }

 private:
  double at(std::size_t i, std::size_t j) const { return a_[i * m_ + j]; }
  double label(std::size_t i) const {
    return problem_.outputs == 1 ? problem_.target[i] : problem_.group[i] == k_ ? 1 : -1;
  }
  // The argument of the conjugate: y, or p = -b y.
  double argument(std::size_t i, double y) const { return problem_.loss.of_sign ? -label(i) * y : y; }

  void select() {  // the rows over the columns, and W: the distance of y to the ends of its domain, at most 1
    a_.assign(n_ * m_, 0.0);
    y_.resize(n_);
    inner_.resize(n_);
    const Ends ends = domain_of(problem_.loss.loss, problem_.t);
    std::visit(
        [&](const auto& rows) {
          resident(rows, 0, n_, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
              for_each(rows.row(i), [&](std::size_t column, double value) {
                const auto found = std::lower_bound(columns_.begin(), columns_.end(), column);
                if (found != columns_.end() && *found == column)
                  a_[i * m_ + static_cast<std::size_t>(found - columns_.begin())] = value;
              });
              if (problem_.free_intercept()) a_[i * m_ + m_ - 1] = 1;
            }
          });
        },
        problem_.data.rows);
    for (std::size_t i = 0; i < n_; ++i) {
      y_[i] = problem_.y[i * problem_.outputs + k_];
      const double p = argument(i, y_[i]);
      inner_[i] = std::max(0.0, std::min({1.0, p - ends.low, ends.high - p}));
    }
  }

  // Whether x_j may grow without bound in the direction of -V_j: g_j* is finite only for |V_j| <= l1 f_j.
  bool unbounded(std::size_t j, const Ball& V) const {
    return (V.upper() > 0 && problem_.lower_of(j) == -inf) || (V.lower() < 0 && problem_.upper_of(j) == inf);
  }

  struct Evaluated {
    Ball dual;            // D'
    std::vector<Ball> w;  // one per column, then the intercept's
    double shrink = 1;    // below 1: D' is not finite, and may be for this multiple of y'
  };
  std::optional<Evaluated> evaluate(const std::vector<double>& y) const {
    Sum conjugates, balance;
    std::vector<Sum> sums(problem_.data.d());
    for (std::size_t i = 0; i < n_; ++i) {
      problem_.poll();
      const double p = argument(i, y[i]);
      if (!in_domain(problem_.loss.loss, p, problem_.t)) return std::nullopt;
      Ball conjugate = loss_conjugate(problem_.loss.loss, p, problem_.t);
      if (!problem_.loss.of_sign) conjugate = conjugate + Ball(label(i)) * Ball(y[i]);
      const Ball w = problem_.weight_of(i) * Ball(y[i]);
      conjugates.add(problem_.weight_of(i) * conjugate);
      balance.add(w);
      std::visit(
          [&](const auto& rows) {
            resident(rows, i, i + 1, [&](std::size_t, std::size_t) {
              for_each(rows.row(i), [&](std::size_t j, double value) { sums[j].add_product(value, w); });
            });
          },
          problem_.data.rows);
    }
    std::vector<Ball> image;
    for (const Sum& sum : sums) image.push_back(sum.value(n_));
    const Conjugate of_penalty = feature_conjugate(problem_, image, 1, 0);
    Evaluated result;
    if (of_penalty.outside > 0) {
      const double l1 = problem_.model.objective.l1 * problem_.total.high;
      for (std::size_t j = 0; j < image.size(); ++j)
        if (const double limit = l1 * problem_.factor_of(j); limit > 0 && unbounded(j, image[j]))
          result.shrink = std::min(result.shrink, limit / image[j].magnitude() * (1 - 0x1p-40));
      return result;
    }
    result.dual = -(conjugates.value(n_) / problem_.total) - of_penalty.value;
    for (const std::size_t j : columns_) result.w.push_back(image[j] / problem_.total);
    if (problem_.free_intercept()) result.w.push_back(balance.value(n_) / problem_.total);
    return result;
  }

  bool add_side(std::size_t j, double sign, double t, const std::vector<double>& along, std::vector<double>& reach,
                std::vector<double>& rest) const {
    std::vector<double> y(n_);
    for (std::size_t i = 0; i < n_; ++i) y[i] = y_[i] + sign * t * inner_[i] * along[i];
    std::optional<Evaluated> found = evaluate(y);
    for (int round = 0; round < 3 && found && found->shrink < 1; ++round) {
      for (double& yi : y) yi *= found->shrink;
      found = evaluate(y);
    }
    if (!found || found->shrink < 1) return false;
    const double own = sign > 0 ? found->w[j].lower() : -found->w[j].upper();
    if (!(own > 0)) return false;
    const double over = (Ball(primal_) - found->dual).upper();
    if (!(over < inf)) return false;
    reach[j] = std::max(reach[j], std::max(0.0, over) / own * outward);
    for (std::size_t l = 0; l < m_; ++l)
      if (l != j) rest[j * m_ + l] = std::max(rest[j * m_ + l], found->w[l].magnitude() / own * outward);
    return true;
  }

  const StatedProblem& problem_;
  const std::vector<std::size_t>& columns_;
  const std::size_t k_;
  const double primal_;
  const std::size_t n_, m_;
  std::vector<double> a_, y_, inner_;
};

}  // namespace

std::vector<std::size_t> unpenalized_columns(const StatedProblem& problem) {
  std::vector<std::size_t> columns;
  const SolvedObjective& objective = problem.model.objective;
  if (uniform_penalty(objective) || (objective.lambda == 0 && objective.l1 == 0)) return columns;
  for (std::size_t j = 0; j < problem.data.d(); ++j)
    if (problem.factor_of(j) == 0 && !(problem.lower_of(j) > -inf && problem.upper_of(j) < inf)) columns.push_back(j);
  return columns;
}

std::optional<std::vector<double>> unpenalized_reach(const StatedProblem& problem,
                                                     const std::vector<std::size_t>& columns, std::size_t k,
                                                     double primal) {
  return Reach(problem, columns, k, primal).bounds();
}

}  // namespace seesaw::verifier
