// What one recomputed problem adds up: P, D, and by how much rounding may have moved a claim about them.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "model/objective.h"
#include "verify/formulas.h"

namespace seesaw::verifier {

inline constexpr Real rounding = 1e-12L;  // of double arithmetic, against the sizes of what is added up
inline constexpr Real noise = 1e-14L;     // of a double sum that should be 0, against the size of its terms

// Whole sentences, each behind the name of the part of the model that it is about.
class Problems {
 public:
  void about(std::string part) { part_ = std::move(part); }  // empty: the whole model

  template <class... Values>
  void add(fmt::format_string<Values...> sentence, Values&&... values) {
    sentences_.push_back(part_ + fmt::format(sentence, std::forward<Values>(values)...));
  }
  const std::vector<std::string>& sentences() const { return sentences_; }

 private:
  std::string part_;
  std::vector<std::string> sentences_;
};

struct Sums {
  Real primal = 0, dual = 0;
  Real size = 0;            // what P and D would be if nothing cancelled: rounding is measured by it
  Real allowance_size = 0;  // what the allowances would be
  bool feasible = true;

  Real slack() const { return rounding * size + noise * allowance_size; }

  Sums& operator+=(const Sums& other) {
    primal += other.primal;
    dual += other.dual;
    size += other.size;
    allowance_size += other.allowance_size;
    feasible = feasible && other.feasible;
    return *this;
  }

  // g(x_j) = lambda/2 x_j^2 + l1 |x_j| into P, -g*(v_j) into D. Without lambda, g* is finite on |v_j| <= l1 only; what
  // rounding leaves outside is worth at most its product with |x*_j|, taken as 1 + 2 |x_j|: an allowance, off D.
  // Whether v_j lies where g* is finite, up to rounding.
  bool add_coordinate(Real lambda, Real l1, Real x, Real v, Real v_size) {
    const Real beyond = positive(std::abs(v) - l1), price = 1 + 2 * std::abs(x);
    const Real value = lambda / 2 * x * x + l1 * std::abs(x);
    const Real conjugate = lambda > 0 ? beyond * beyond / (2 * lambda) : beyond * price;
    primal += value;
    dual -= conjugate;
    size += value + conjugate;
    if (lambda > 0) return true;
    allowance_size += v_size * price;
    return beyond <= rounding * (l1 + v_size);
  }

  // A free intercept b needs sum c_i y_i = 0; what rounding leaves of it has its allowance too. Whether it is 0, up to
  // rounding.
  bool add_free_intercept(Real b, Real balance, Real balance_size) {
    const Real price = 1 + 2 * std::abs(b);
    dual -= std::abs(balance) * price;
    allowance_size += balance_size * price;
    return std::abs(balance) <= rounding * balance_size;
  }
};

}  // namespace seesaw::verifier
