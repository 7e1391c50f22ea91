// A regularizer is separable: a function of one coordinate. It knows neither data nor solver.
//
//   value(x), conjugate(v)    g and g*
//   from_dual(v)              grad g*(v): the x that belongs to v (strongly convex ones only)
//   prox(u, tau)              argmin_x g(x) + (x - u)^2 / (2 tau)
//   fenchel_gap(x, v)         g(x) + g*(v) - x v >= 0, in a form without cancellation
//   strong_convexity()        lambda
//   dual_bound()              g*(v) is finite for |v| <= it
#pragma once

#include <string_view>
#include <variant>

#include "model/regularizers/elastic_net.h"
#include "model/regularizers/l1.h"
#include "model/regularizers/l2.h"
#include "model/regularizers/none.h"

namespace seesaw {

using Regularizer = std::variant<L2, ElasticNet, L1, None>;

Regularizer make_regularizer(double lambda, double l1);    // both >= 0
std::string_view name_of(const Regularizer& regularizer);  // "l2", "elastic-net", "l1", "none"
double strong_convexity(const Regularizer& regularizer);

}  // namespace seesaw
