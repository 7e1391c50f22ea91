// How far unpenalized features and the free intercept can be from 0, where P <= primal. For any y' in the dual domain,
// with w = A^T C y' over them (the intercept's column is 1) and D' = -Phi*(y') - g*(v(y')) over the penalized features,
//
//     w.x <= primal - D'        from  primal >= P(x) >= L(x, y') >= D' + w.x
//
// One y' = y + t d per coordinate and sign, A^T C d = e_j, gives w = +-t e_j up to rounding: |x_j| <= (primal - D')/t, and a
// little more for the rest of w.  d = W A G^-1 e_j with G = A^T C W A and W_i the distance of y_i to the ends of its
// domain, at most 1.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/problem.h"
#include "model/rigorous/bounded.h"

namespace seesaw::rigorous {

inline constexpr std::size_t most_unpenalized = 32;  // two dual evaluations each

class UnpenalizedReach {
 public:
  struct At {                         // of a dual point y'
    double dual;                      // D' from below
    std::vector<Bounded<Twofold>> w;  // one per unpenalized feature, then the intercept's
  };
  // Evaluates a dual point, which it may clip or scale; nothing where D' is not finite.
  using Evaluate = std::function<std::optional<At>(std::vector<double>& y)>;

  // |x_j| <= result[k] for the k-th of `columns`, then |b| where it is free. Nothing where G is singular, or there are
  // too many.
  static std::optional<std::vector<double>> bound(const Problem& problem, const std::vector<std::uint32_t>& columns,
                                                  const std::vector<double>& y, double primal,
                                                  const Evaluate& evaluate);
};

}  // namespace seesaw::rigorous
