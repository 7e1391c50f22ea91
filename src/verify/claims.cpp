#include "verify/claims.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "verify/ball.h"

namespace seesaw::verifier {
namespace {

// Two numbers with enough digits to distinguish them.
struct Shown {
  std::string claimed, own;
};
Shown shown(double claimed, double own) {
  for (const int digits : {6, 12})
    if (Shown both{fmt::format("{:.{}g}", claimed, digits), fmt::format("{:.{}g}", own, digits)};
        both.claimed != both.own)
      return both;
  return {fmt::format("{}", claimed), fmt::format("{}", own)};
}

// An upper bound of sqrt(2 gap / lambda), also if the quotient underflows.
double distance_of(double gap, double lambda) {
  if (!(lambda > 0 && gap < inf)) return inf;
  if (gap == 0) return 0;
  const int of_gap = std::ilogb(gap), of_lambda = std::ilogb(lambda), odd = (of_gap - of_lambda) & 1;
  const Ball quotient = Ball(std::ldexp(gap, -of_gap + 1 + odd)) / Ball(std::ldexp(lambda, -of_lambda));
  return times_power(square_root(quotient), (of_gap - of_lambda - odd) / 2).upper();
}

}  // namespace

void compare_bounds(const OwnNumbers& own, double primal, double dual, double gap, Problems& problems) {
  if (const Shown p = shown(primal, own.primal); !(own.primal <= primal && primal < inf))
    problems.add("The model claims P = {}, but its weights give P = {}.", p.claimed, p.own);
  if (const Shown d = shown(dual, own.dual); own.dual > -inf && !(own.dual >= dual && dual > -inf))
    problems.add("The model claims D = {}, but its dual point gives D = {}.", d.claimed, d.own);
  if (const Shown g = shown(gap, own.gap); !(own.gap <= gap && gap < inf))
    problems.add("The model claims a gap of {}, but the gap is {}.", g.claimed, g.own);
}

void compare_distance(double gap, double lambda, double claimed, Problems& problems) {
  const double own = distance_of(gap, lambda);
  if (const Shown d = shown(claimed, own); !(own <= claimed && claimed < inf))
    problems.add("The model claims to be within {} of the optimal weights, but its gap proves {}.", d.claimed, d.own);
}

}  // namespace seesaw::verifier
