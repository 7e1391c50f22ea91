// Exact optima of tiny problems with piecewise quadratic losses, in rational numbers: the pieces of all losses and
// coordinates are enumerated, and the minimizer of each combination is checked against the optimality conditions.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace seesaw::test {

using Rational = boost::multiprecision::cpp_rational;

// phi on an interval: constant + derivative u + curvature u^2/2 on [low, high], or a nondifferentiable point at `low`
// with the subdifferential [from, to]. u = z - b for numbers, b z - 1 for signs.
struct Piece {
  std::optional<Rational> low, high;
  Rational constant = 0, derivative = 0, curvature = 0;
  bool corner = false;
  Rational from = 0, to = 0;
};

inline std::vector<Piece> pieces_of(const std::string& loss, const Rational& t) {
  const auto line = [](const std::optional<Rational>& low, const std::optional<Rational>& high, const Rational& c,
                       const Rational& s, const Rational& q) {
    return Piece{.low = low, .high = high, .constant = c, .derivative = s, .curvature = q};
  };
  const auto corner = [](const Rational& at, const Rational& from, const Rational& to) {
    return Piece{.low = at, .high = at, .corner = true, .from = from, .to = to};
  };
  const std::optional<Rational> none;
  const Rational zero = 0, one = 1;
  if (loss == "squared") return {line(none, none, 0, 0, 1)};
  if (loss == "absolute") return {line(none, zero, 0, -1, 0), line(zero, none, 0, 1, 0), corner(0, -1, 1)};
  if (loss == "quantile") return {line(none, zero, 0, -t, 0), line(zero, none, 0, 1 - t, 0), corner(0, -t, 1 - t)};
  if (loss == "huber")
    return {line(-t, t, 0, 0, 1), line(t, none, -t * t / 2, t, 0), line(none, Rational(-t), -t * t / 2, -t, 0)};
  if (loss == "epsilon-insensitive")
    return {line(-t, t, 0, 0, 0), line(t, none, -t, 1, 0), line(none, Rational(-t), -t, -1, 0), corner(t, 0, 1),
            corner(-t, -1, 0)};
  if (loss == "squared-epsilon-insensitive")
    return {line(-t, t, 0, 0, 0), line(t, none, t * t, -2 * t, 2), line(none, Rational(-t), t * t, 2 * t, 2)};
  if (loss == "hinge") return {line(none, zero, 0, -1, 0), line(zero, none, 0, 0, 0), corner(0, -1, 0)};
  if (loss == "smooth-hinge")
    return {line(zero, none, 0, 0, 0), line(-t, zero, 0, 0, 1 / t), line(none, Rational(-t), -t / 2, -1, 0)};
  return {line(zero, none, 0, 0, 0), line(none, zero, 0, 0, 2)};  // squared-hinge
}

struct TinyProblem {
  std::string loss;
  Rational t = 0, lambda = 0, l1 = 0;
  bool free_intercept = false;
  bool of_sign = false;
  std::vector<std::vector<Rational>> a;
  std::vector<Rational> b, s;  // targets and weights

  std::size_t n() const { return a.size(); }
  std::size_t d() const { return a[0].size(); }
  std::size_t unknowns() const { return d() + (free_intercept ? 1 : 0); }
  Rational total() const {
    Rational sum = 0;
    for (const Rational& w : s) sum += w;
    return sum;
  }
};

inline Rational argument(const TinyProblem& problem, std::size_t i, const std::vector<Rational>& x, const Rational& b) {
  Rational z = b;
  for (std::size_t j = 0; j < problem.d(); ++j) z += problem.a[i][j] * x[j];
  return problem.of_sign ? Rational(problem.b[i] * z - 1) : Rational(z - problem.b[i]);
}

inline Rational exact_primal(const TinyProblem& problem, const std::vector<Rational>& x, const Rational& b) {
  const std::vector<Piece> pieces = pieces_of(problem.loss, problem.t);
  Rational sum = 0;
  for (std::size_t i = 0; i < problem.n(); ++i) {
    const Rational u = argument(problem, i, x, b);
    for (const Piece& piece : pieces)
      if (!piece.corner && (!piece.low || u >= *piece.low) && (!piece.high || u <= *piece.high)) {
        sum += problem.s[i] * (piece.constant + piece.derivative * u + piece.curvature * u * u / 2);
        break;
      }
  }
  sum /= problem.total();
  for (const Rational& xj : x) sum += problem.lambda / 2 * xj * xj + problem.l1 * abs(xj);
  return sum;
}

struct Optimum {
  std::vector<Rational> x, y;  // y_i = phi_i'(z_i), one of the derivatives
  Rational b = 0, value = 0;
};

class ExactSolver {
 public:
  explicit ExactSolver(const TinyProblem& problem)
      : problem_(problem), pieces_(pieces_of(problem.loss, problem.t)), total_(problem.total()) {}

  // nullopt if no combination of pieces has a unique minimizer.
  std::optional<Optimum> solve() {
    chosen_.assign(problem_.n(), 0);
    sign_.assign(problem_.d(), 0);
    return over_rows(0);
  }

 private:
  std::optional<Optimum> over_rows(std::size_t i) {
    if (i == problem_.n()) return over_signs(0);
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      chosen_[i] = k;
      if (auto found = over_rows(i + 1)) return found;
    }
    return std::nullopt;
  }
  std::optional<Optimum> over_signs(std::size_t j) {
    if (j == problem_.d()) return minimizer();
    if (problem_.l1 == 0) {
      sign_[j] = 2;  // no absolute value
      return over_signs(j + 1);
    }
    for (const int sign : {0, 1, -1}) {
      sign_[j] = sign;
      if (auto found = over_signs(j + 1)) return found;
    }
    return std::nullopt;
  }

  // The derivative of u_i in the unknowns.
  Rational direction(std::size_t i, std::size_t j) const {
    const Rational a = j < problem_.d() ? problem_.a[i][j] : Rational(1);
    return problem_.of_sign ? Rational(problem_.b[i] * a) : a;
  }

  std::optional<Optimum> minimizer() const {
    const std::size_t p = problem_.unknowns(), n = problem_.n(), d = problem_.d();
    std::vector<std::size_t> corners, zeros;
    for (std::size_t i = 0; i < n; ++i)
      if (pieces_[chosen_[i]].corner) corners.push_back(i);
    for (std::size_t j = 0; j < d; ++j)
      if (sign_[j] == 0) zeros.push_back(j);
    if (corners.size() + zeros.size() > p) return std::nullopt;
    const std::size_t size = p + corners.size() + zeros.size();
    std::vector<std::vector<Rational>> m(size, std::vector<Rational>(size + 1));
    for (std::size_t i = 0; i < n; ++i) {
      const Piece& piece = pieces_[chosen_[i]];
      if (piece.corner) continue;
      const Rational shift = problem_.of_sign ? Rational(1) : problem_.b[i];
      for (std::size_t j = 0; j < p; ++j) {
        const Rational weight = problem_.s[i] * direction(i, j);
        for (std::size_t k = 0; k < p && piece.curvature != 0; ++k)
          m[j][k] += weight * piece.curvature * direction(i, k);
        m[j][size] -= weight * (piece.derivative - piece.curvature * shift);
      }
    }
    for (std::size_t j = 0; j < d; ++j) {
      m[j][j] += total_ * problem_.lambda;
      if (sign_[j] == 1 || sign_[j] == -1) m[j][size] -= total_ * problem_.l1 * sign_[j];
    }
    for (std::size_t c = 0; c < corners.size(); ++c) {
      const std::size_t i = corners[c];
      for (std::size_t j = 0; j < p; ++j) {
        m[j][p + c] = problem_.s[i] * direction(i, j);
        m[p + c][j] = direction(i, j);
      }
      m[p + c][size] = *pieces_[chosen_[i]].low + (problem_.of_sign ? Rational(1) : problem_.b[i]);
    }
    for (std::size_t c = 0; c < zeros.size(); ++c) {
      m[zeros[c]][p + corners.size() + c] = 1;
      m[p + corners.size() + c][zeros[c]] = 1;
    }
    if (!eliminate(m)) return std::nullopt;
    return optimal(m, corners, zeros);
  }

  static bool eliminate(std::vector<std::vector<Rational>>& m) {
    const std::size_t size = m.size();
    for (std::size_t k = 0; k < size; ++k) {
      std::size_t pivot = k;
      while (pivot < size && m[pivot][k] == 0) ++pivot;
      if (pivot == size) return false;
      std::swap(m[k], m[pivot]);
      for (std::size_t r = 0; r < size; ++r) {
        if (r == k || m[r][k] == 0) continue;
        const Rational factor = m[r][k] / m[k][k];
        for (std::size_t c = k; c <= size; ++c)
          if (m[k][c] != 0) m[r][c] -= factor * m[k][c];
      }
    }
    for (std::size_t k = 0; k < size; ++k) m[k][size] /= m[k][k];
    return true;
  }

  // Checks that the solution is in its pieces and that the multipliers are subgradients there.
  std::optional<Optimum> optimal(const std::vector<std::vector<Rational>>& m, const std::vector<std::size_t>& corners,
                                 const std::vector<std::size_t>& zeros) const {
    const std::size_t p = problem_.unknowns(), d = problem_.d(), size = m.size();
    Optimum result;
    for (std::size_t j = 0; j < d; ++j) {
      result.x.push_back(m[j][size]);
      if ((sign_[j] == 1 && result.x[j] < 0) || (sign_[j] == -1 && result.x[j] > 0)) return std::nullopt;
    }
    if (problem_.free_intercept) result.b = m[d][size];
    for (std::size_t c = 0; c < zeros.size(); ++c)
      if (abs(m[p + corners.size() + c][size]) > total_ * problem_.l1) return std::nullopt;
    std::size_t corner = 0;
    for (std::size_t i = 0; i < problem_.n(); ++i) {
      const Piece& piece = pieces_[chosen_[i]];
      const Rational u = argument(problem_, i, result.x, result.b);
      if ((piece.low && u < *piece.low) || (piece.high && u > *piece.high)) return std::nullopt;
      Rational derivative = piece.derivative + piece.curvature * u;
      if (piece.corner) {
        derivative = m[p + corner++][size];
        if (derivative < piece.from || derivative > piece.to) return std::nullopt;
      }
      result.y.push_back(problem_.of_sign ? Rational(problem_.b[i] * derivative) : derivative);
    }
    result.value = exact_primal(problem_, result.x, result.b);
    return result;
  }

  const TinyProblem& problem_;
  const std::vector<Piece> pieces_;
  const Rational total_;
  std::vector<std::size_t> chosen_;
  std::vector<int> sign_;
};

}  // namespace seesaw::test
