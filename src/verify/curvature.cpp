#include "verify/curvature.h"

#include <algorithm>
#include <cmath>

#include "data/resident.h"
#include "verify/definite.h"
#include "verify/sum.h"

namespace seesaw::verifier {
namespace {

constexpr std::size_t most_columns_of_gram = 2000;
constexpr double inward = 1 - 0x1p-32;

// max(low, min(high, a)), 1-Lipschitz in a.
Ball clipped(const Ball& a, double low, double high) {
  if (a.high < low) return {low, 0, a.radius};
  if (a.high > high) return {high, 0, a.radius};
  return a;
}

// phi' at u: r = z - b, or the margin b z.
Ball derivative(LossName loss, const Ball& u, double t) {
  switch (loss) {
    case LossName::squared:
      return u;
    case LossName::huber:
      return clipped(u, -t, t);
    case LossName::squared_epsilon_insensitive:  // u minus its projection onto [-t, t]
      return Ball(2) * (u - clipped(u, -t, t));
    case LossName::smooth_hinge:
      return clipped((u - Ball(1)) / Ball(t), -1, 0);
    case LossName::squared_hinge:
      return Ball(2) * clipped(u - Ball(1), -inf, 0);
    case LossName::logistic: {  // -1 / (1 + e^u); its derivative is at most 1/4
      const Ball e = exp_of(Ball(-std::abs(u.high), u.high < 0 ? u.low : -u.low, 0));
      return -((u.high < 0 ? Ball(1) : e) / (Ball(1) + e)).widened(u.radius);
    }
    default:
      return unbounded();
  }
}

// A lower bound of phi'' on [u - reach, u + reach].
double least_second_derivative(LossName loss, const Ball& u, double t, double reach) {
  const double most = (u.radius + reach + 0x1p-50 * std::abs(u.high)) * outward;
  const double low = u.high - most, high = u.high + most;
  const double slack = 0x1p-50 * (std::abs(low) + std::abs(high) + t + 1);  // of the comparisons
  switch (loss) {
    case LossName::squared:
      return 1;
    case LossName::huber:
      return high + slack <= t && low - slack >= -t ? 1 : 0;
    case LossName::squared_epsilon_insensitive:
      return t == 0 || low - slack >= t || high + slack <= -t ? 2 : 0;
    case LossName::smooth_hinge:
      return high + slack <= 1 && low - slack >= 1 - t ? 1 / t * inward : 0;
    case LossName::squared_hinge:
      return high + slack <= 1 ? 2 : 0;
    case LossName::logistic: {  // decreasing in |u|
      const double farthest = std::max(std::abs(low), std::abs(high)) * outward;
      if (!(farthest < 700)) return 0;
      const Ball e = exp_of(Ball(-farthest));
      return std::max(0.0, (e / square(Ball(1) + e)).lower());
    }
    default:
      return 0;
  }
}

bool has_curvature(LossName loss) {
  switch (loss) {
    case LossName::squared:
    case LossName::huber:
    case LossName::squared_epsilon_insensitive:
    case LossName::smooth_hinge:
    case LossName::squared_hinge:
    case LossName::logistic:
      return true;
    default:
      return false;
  }
}

// The problem of output k with columns scaled by powers of two: a_ij f_j instead of a_ij. Zero columns are dropped, the
// free intercept is the last column. bound() returns a bound of P - P*.
class CurvatureBound {
 public:
  CurvatureBound(const StatedProblem& problem, std::size_t k)
      : problem_(problem), n_(problem.data.n()), of_loss_(problem.loss.loss), place_(problem.data.d(), none) {
    choose_factors();
    if (d_ > most_columns_of_gram) return;
    evaluate(k);
  }

  double bound() {
    if (d_ > most_columns_of_gram) return inf;
    if (d_ == 0) return 0;
    if (!(length_ < inf)) return inf;
    second_derivatives(0);
    Triangle matrix = gram();
    double off = rounding(matrix);
    Triangle factor = matrix;
    if (!(off < inf) || !factor.factor(3 * off)) return inf;
    const double smallest_guess = inverse_iteration(factor);
    double part = 6;
    for (int round = 0; round < 9; ++round, part *= 2) {
      const double mu = smallest_guess / part;
      if (!(mu > 0)) return inf;
      if (second_derivatives(2.5 * length_ / mu * outward)) {
        matrix = gram();
        off = rounding(matrix);
      }
      factor = matrix;
      // Then the Hessian is at least mu I within R > 2 |g| / mu of the weights, so that ball contains the optimum.
      if (factor.factor(mu + 2 * off)) return from_decrement(matrix, factor, mu, off);
    }
    return inf;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  static double power(double size) { return std::ldexp(1.0, -std::clamp(std::ilogb(size), -1000, 1000)); }

  template <class Visit>
  void each_entry(const Visit& visit) const {
    std::visit(
        [&](const auto& rows) {
          resident(rows, 0, n_, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i)
              for_each(rows.row(i), [&](std::size_t j, double a) {
                if (a != 0) visit(i, j, a);
              });
          });
        },
        problem_.data.rows);
  }

  // The same powers of two as in training: the scaled mean square of a column is about 1.
  void choose_factors() {
    const std::size_t d = problem_.data.d();
    std::vector<double> most(d), squares(d);
    each_entry([&](std::size_t, std::size_t j, double a) { most[j] = std::max(most[j], std::abs(a)); });
    for (std::size_t j = 0; j < d; ++j)
      if (most[j] > 0) {
        place_[j] = factor_.size();
        column_.push_back(j);
        factor_.push_back(power(most[j]));
      }
    d_ = factor_.size() + (problem_.free_intercept() ? 1 : 0);
    if (d_ > most_columns_of_gram) return;
    for (std::size_t i = 0; i < n_; ++i) normalized_weight_.push_back(problem_.weight_of(i).high / problem_.total.high);
    each_entry([&](std::size_t i, std::size_t j, double a) {
      const double scaled = a * factor_[place_[j]];
      squares[j] += normalized_weight_[i] * scaled * scaled;
    });
    for (std::size_t at = 0; at < column_.size(); ++at)
      if (const double square = squares[column_[at]]; square > 0) factor_[at] *= power(1.37 * std::sqrt(square));
    if (problem_.free_intercept()) factor_.push_back(1);
    norm_.assign(n_, problem_.free_intercept() ? 1 : 0);
    each_entry([&](std::size_t i, std::size_t j, double a) {
      const double scaled = a * factor_[place_[j]];
      norm_[i] += scaled * scaled;
    });
    for (double& norm : norm_) norm = std::sqrt(norm) * outward + 0x1p-500;  // squares that underflow
  }

  // Scores, and the gradient sum_i c_i phi'_i a_i.
  void evaluate(std::size_t k) {
    const std::size_t K = problem_.outputs;
    std::vector<Sum> sums(n_), gradient(d_);
    std::vector<std::size_t> count(n_, 1);
    for (std::size_t i = 0; i < n_; ++i) sums[i].add(problem_.model.intercept[k]);
    each_entry([&](std::size_t i, std::size_t j, double a) {
      sums[i].add_product(a, problem_.x[j * K + k]);
      ++count[i];
    });
    std::vector<Ball> w(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      const double b = K == 1 ? problem_.target[i] : problem_.group[i] == k ? 1 : -1;
      const Ball z = sums[i].value(count[i]);
      u_.push_back(!problem_.loss.of_sign ? z - Ball(b) : b > 0 ? z : -z);
      const Ball phi_prime = derivative(of_loss_, u_[i], problem_.t);
      w[i] = problem_.weight_of(i) * (problem_.loss.of_sign && b < 0 ? -phi_prime : phi_prime);
      if (problem_.free_intercept()) gradient[d_ - 1].add(w[i]);
    }
    each_entry([&](std::size_t i, std::size_t j, double a) { gradient[place_[j]].add_product(a, w[i]); });
    double squares = 0;
    for (std::size_t at = 0; at < d_; ++at) {
      const Ball g = gradient[at].value(n_) / problem_.total;
      g_.push_back(g.high * factor_[at]);
      const double off = rounded_up(std::abs(g.low) + g.radius) * factor_[at];
      squares += off * off;
    }
    g_error_ = std::sqrt(squares) * outward + 0x1p-500;
    length_ = (length_of(g_) + g_error_) * outward;
  }

  // Updates the lower bounds of phi''; returns whether any has changed.
  bool second_derivatives(double radius) {
    std::vector<double> now(n_);
    for (std::size_t i = 0; i < n_; ++i)
      now[i] = least_second_derivative(of_loss_, u_[i], problem_.t, radius * norm_[i]);
    const bool changed = now != curvature_;
    curvature_ = std::move(now);
    return changed;
  }

  // H = sum_i c_i curvature_i a_i a_i^T. The error of entry (j, k) is at most (n + 8) u sqrt(H_jj H_kk), that of H in
  // norm at most (n + 8) u trace.
  Triangle gram() const {
    constexpr std::size_t block_rows = 96;
    Triangle sum(d_);
    std::vector<double> dense(block_rows * d_);
    for (std::size_t first = 0; first < n_; first += block_rows) {
      const std::size_t last = std::min(n_, first + block_rows);
      problem_.poll();
      std::fill(dense.begin(), dense.end(), 0.0);
      std::visit(
          [&](const auto& rows) {
            resident(rows, first, last, [&](std::size_t from, std::size_t end) {
              for (std::size_t i = from; i < end; ++i) {
                double* const to = &dense[(i - first) * d_];
                for_each(rows.row(i), [&](std::size_t j, double a) {
                  if (a != 0) to[place_[j]] = a * factor_[place_[j]];
                });
                if (problem_.free_intercept()) to[d_ - 1] = 1;
              }
            });
          },
          problem_.data.rows);
      parallel_chunks(chunks_of(d_, 16, 16), [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t j = begin; j < end; ++j) {
          double* const to = sum.row(j);
          for (std::size_t i = first; i < last; ++i) {
            const double* const from = &dense[(i - first) * d_];
            const double c = normalized_weight_[i] * curvature_[i] * from[j];
            if (c == 0) continue;
            for (std::size_t k = 0; k <= j; ++k) to[k] += c * from[k];
          }
        }
      });
    }
    return sum;
  }

  double rounding(const Triangle& matrix) const {
    return (static_cast<double>(n_) + 2 * static_cast<double>(d_) + 32) * 0x1p-53 * matrix.trace() * 1.01 + 0x1p-900;
  }

  static double inverse_iteration(const Triangle& factor) {
    std::vector<double> v(factor.d);
    for (std::size_t j = 0; j < v.size(); ++j) v[j] = 1 / (1 + static_cast<double>(j % 7)) * (j % 2 == 0 ? 1 : -1);
    double length = 1;
    for (int round = 0; round < 24; ++round) {
      factor.solve(v);
      length = length_of(v);
      for (double& vj : v) vj /= length;
    }
    return 1 / length;
  }

  // P - P* <= g^T H^-1 g / 2 for an H >= mu I with |H - matrix| <= off. For any p with r = g - H p,
  // g^T H^-1 g = p.g + p.r + r^T H^-1 r; and |g|^2 / mu is a bound as well.
  double from_decrement(const Triangle& matrix, const Triangle& factor, double mu, double off) const {
    std::vector<double> p(d_), r = g_;
    for (int round = 0; round < 16; ++round) {
      factor.solve(r);
      for (std::size_t j = 0; j < d_; ++j) p[j] += r[j];
      const std::vector<double> product = matrix.times(p);
      for (std::size_t j = 0; j < d_; ++j) r[j] = g_[j] - product[j];
    }
    const double u = (static_cast<double>(d_) + 8) * 0x1p-53, size = length_of(p), length = length_of(g_);
    const double rest = (length_of(r) + (off + 2 * u * matrix.trace()) * size + 2 * u * length) * outward;
    const double dot = std::abs(plain_dot(p.data(), g_.data(), d_)) + 2 * u * size * length;
    double decrement = (dot + size * rest + rest * rest / mu) * outward;
    if (const double plain = length * length / mu * outward; !(decrement < plain)) decrement = plain;
    const double root = std::sqrt(decrement) + g_error_ / std::sqrt(mu);
    const double bound = 0.5 * root * root * outward;
    return bound < inf ? bound : inf;
  }

  const StatedProblem& problem_;
  const std::size_t n_;
  std::size_t d_ = 0;
  const LossName of_loss_;
  std::vector<std::size_t> place_, column_;
  std::vector<double> factor_, normalized_weight_, norm_;  // norm: upper bounds of |a_i| in the scaled coordinates
  std::vector<Ball> u_;
  std::vector<double> g_, curvature_;
  double g_error_ = 0, length_ = inf;  // length: an upper bound of |g|
};

}  // namespace

double curvature_bound(const StatedProblem& problem, std::size_t k) {
  if (problem.loss.of_blocks() || !has_curvature(problem.loss.loss)) return inf;
  return CurvatureBound(problem, k).bound();
}

}  // namespace seesaw::verifier
