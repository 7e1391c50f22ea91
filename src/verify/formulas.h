// The verifier's own table of losses, written out from their definitions and not shared with src/model/losses.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "seesaw/error.h"

namespace seesaw::verifier {

using Real = long double;

inline constexpr Real inf = std::numeric_limits<Real>::infinity();

// The ten losses, each with its conjugate; t is the loss's parameter, and y (or p) lies in `domain`:
//   of a number b:  phi(z) = value(r), r = z - b        phi*(y) = b y + conjugate(y)
//   of a sign b:    phi(z) = value(m), m = b z          phi*(y) = conjugate(p), p = -b y
struct Range {
  Real lo, hi;
};
struct Formula {
  std::string_view name;
  bool of_sign;
  Real (*value)(Real r_or_m, Real t);
  Real (*conjugate)(Real y_or_p, Real t);
  Range (*domain)(Real t);
  bool (*parameter_allowed)(Real t);
};

inline Real positive(Real u) { return u > 0 ? u : 0; }
inline Real square(Real u) { return u * u; }
inline Real entropy(Real p) { return p > 0 ? p * std::log(p) : 0; }  // 0 log 0 = 0
inline Real zero(Real, Real) { return 0; }
inline Real rounded_corner(Real m, Real t) {  // the hinge, smooth over [1 - t, 1]
  if (m >= 1) return 0;
  return m <= 1 - t ? 1 - m - t / 2 : square(1 - m) / (2 * t);
}

inline Range everything(Real) { return {-inf, inf}; }
inline Range half_line(Real) { return {0, inf}; }
inline Range unit_interval(Real) { return {0, 1}; }
inline Range unit_ball(Real) { return {-1, 1}; }
inline Range ball(Real t) { return {-t, t}; }
inline Range slopes(Real t) { return {-t, 1 - t}; }

inline bool unused(Real) { return true; }
inline bool above_zero(Real t) { return t > 0 && t < inf; }
inline bool not_negative(Real t) { return t >= 0 && t < inf; }
inline bool between(Real t) { return t > 0 && t < 1; }

inline const std::array<Formula, 10> formulas{{
    {"squared", false,  //
     [](Real r, Real) { return r * r / 2; }, [](Real y, Real) { return y * y / 2; }, everything, unused},
    {"absolute", false,  //
     [](Real r, Real) { return std::abs(r); }, zero, unit_ball, unused},
    {"quantile", false,  //
     [](Real r, Real t) { return t * positive(-r) + (1 - t) * positive(r); }, zero, slopes, between},
    {"huber", false,  //
     [](Real r, Real t) { return std::abs(r) <= t ? r * r / 2 : t * std::abs(r) - t * t / 2; },
     [](Real y, Real) { return y * y / 2; }, ball, above_zero},
    {"epsilon-insensitive", false,  //
     [](Real r, Real t) { return positive(std::abs(r) - t); }, [](Real y, Real t) { return t * std::abs(y); },
     unit_ball, not_negative},
    {"squared-epsilon-insensitive", false,  //
     [](Real r, Real t) { return square(positive(std::abs(r) - t)); },
     [](Real y, Real t) { return t * std::abs(y) + y * y / 4; }, everything, not_negative},
    {"hinge", true,  //
     [](Real m, Real) { return positive(1 - m); }, [](Real p, Real) { return -p; }, unit_interval, unused},
    {"smooth-hinge", true,  //
     rounded_corner, [](Real p, Real t) { return -p + t * p * p / 2; }, unit_interval, above_zero},
    {"squared-hinge", true,  //
     [](Real m, Real) { return square(positive(1 - m)); }, [](Real p, Real) { return -p + p * p / 4; }, half_line,
     unused},
    {"logistic", true,  //
     [](Real m, Real) { return std::log1p(std::exp(-std::abs(m))) + positive(-m); },
     [](Real p, Real) { return entropy(p) + entropy(1 - p); }, unit_interval, unused},
}};

inline const Formula& formula_of(const std::string& loss) {
  for (const Formula& formula : formulas)
    if (formula.name == loss) return formula;
  throw Error(fmt::format("the verifier does not know the loss {}.", loss));
}

}  // namespace seesaw::verifier
