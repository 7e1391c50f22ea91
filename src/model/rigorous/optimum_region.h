// Where the optimum is, from a primal and a dual point and their gap (docs/intervals.md). With lambda > 0 and
// u = argmin_x g(x) - <v, x>, v = -sum_i c_i y_i a_i, strong convexity gives
//
//     P(x) >= P* + (lambda/2)|x - x*|_f^2      and      P* >= D_low + (lambda/2)|x* - u|_f^2
//
// so x* lies in the ball with centre (x + u)/2 and radius^2 = gap/lambda - |x - u|_f^2/4, where |w|_f^2 = sum f_j w_j^2.
// It is never larger than the ball of radius sqrt(2 gap/lambda) around x. The rounding of u is added to the radius.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/certificate.h"
#include "model/optimum_bounds.h"
#include "model/rigorous/proof_products.h"

namespace seesaw {

// Nothing where g is not strongly convex (lambda = 0, or a penalty factor of 0), or where the numbers overflow. One score
// or a block loss. `y` as in a certified point. `products`: those of its certificate that are known; without them it
// costs a product by A^T, in doubles or in twice the precision where that decides. With a free intercept a product by A
// (none where the ball is around x, whose scores are known), and about 12 loops over the rows.
std::optional<OptimumBounds> optimum_region(const Problem& problem, const Point& point, const Bounds& bounds,
                                            rigorous::ProofProducts products = {});

// `bounds`: of the problem, or one per class of one-versus-rest.
std::optional<OptimumBounds> optimum_region(const Problem& problem, const Point& point,
                                            const std::vector<Bounds>& bounds);

// Of K problems over the same data, whose numbers are interleaved in `point`: K radii and intervals. bounds: one per part.
std::optional<OptimumBounds> optimum_region_of_parts(const std::function<Problem(std::size_t)>& part,
                                                     const Point& point, const std::vector<Bounds>& bounds);

}  // namespace seesaw
