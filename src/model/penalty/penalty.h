// The penalty g of P(x, b) = sum_i c_i phi_i(a_i.x + b) + g(x), a sum over the coordinates of x:
//
//     g(x) = sum_j f_j ( (l2/2) x_j^2 + l1 |x_j| ) + [lo_j <= x_j <= hi_j]        f_j >= 0,   lo_j <= 0 <= hi_j
//
// Uniform: f_j = 1 and no bounds, for all j. Then g is one shape for all coordinates, one of the structs of `Shape`,
// which engines are instantiated with. Otherwise coordinate(j) has the numbers of coordinate j; engines read them where
// they visit a coordinate. With K outputs, factors and bounds of feature j apply to x[j K + k] for every k.
//
// Block penalties (group lasso: sum_G w_G |x_G|) are sums over blocks of coordinates. Their place: a partition beside
// `PenaltyFeatures` here, a block shape with the functions of coordinate.h for blocks, and loops over blocks where
// over_coordinates() (certificate_sums.h) and RigorousCertifier::bound_conjugate() have loops over coordinates.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "model/penalty/coordinate.h"
#include "model/penalty/elastic_net.h"
#include "model/penalty/l1.h"
#include "model/penalty/l2.h"
#include "model/penalty/none.h"

namespace seesaw {

// Per feature. l2_factor = l1_factor = f as posed; a change of variables may scale them apart. An empty vector: all 1,
// or no bounds.
struct PenaltyFeatures {
  std::vector<double> l2_factor = {}, l1_factor = {};
  std::vector<double> lower = {}, upper = {};
  bool empty() const { return l2_factor.empty() && l1_factor.empty() && lower.empty() && upper.empty(); }
};

class Penalty {
 public:
  // A function of one coordinate, by which engines are instantiated:
  //
  //   value(x), conjugate(v)    g and g*
  //   from_dual(v)              grad g*(v): the x that belongs to v (strongly convex ones only)
  //   prox(u, tau)              argmin_x g(x) + (x - u)^2 / (2 tau)
  //   fenchel_gap(x, v)         g(x) + g*(v) - x v >= 0, in a form without cancellation
  //   strong_convexity()        l2
  //   dual_bound()              g*(v) is finite for |v| <= it
  using Shape = std::variant<L2, ElasticNet, L1, None>;

  Penalty() = default;  // none
  Penalty(double l2, double l1, PenaltyFeatures features = {});

  double l2() const { return l2_; }
  double l1() const { return l1_; }
  bool none() const { return l2_ == 0 && l1_ == 0; }
  std::string_view name() const;  // "l2", "elastic-net", "l1", "none": by the two coefficients

  bool uniform() const { return features_ == nullptr; }
  bool has_factors() const { return !uniform() && !(features_->l2_factor.empty() && features_->l1_factor.empty()); }
  bool has_bounds() const { return !uniform() && !features_->lower.empty(); }
  const PenaltyFeatures& features() const { return *features_; }  // not uniform
  const Shape& shape() const { return shape_; }                   // of a coordinate with factor 1 and no bounds

  double l2(std::size_t j) const { return l2_ * (uniform() ? 1 : at(features_->l2_factor, j, 1)); }
  double l1(std::size_t j) const { return l1_ * (uniform() ? 1 : at(features_->l1_factor, j, 1)); }
  Interval bounds(std::size_t j) const {
    if (!has_bounds()) return {-infinity, infinity};
    return {features_->lower[j], features_->upper[j]};
  }
  Coordinate coordinate(std::size_t j) const {
    const Interval box = bounds(j);
    return {l2(j), l1(j), box.lo, box.hi};
  }

  double strong_convexity() const;  // the largest m for which g - (m/2)|x|^2 is convex, rounded down
  double dual_bound() const;        // uniform: g*(v) is finite for |v_j| <= it

 private:
  static double at(const std::vector<double>& of, std::size_t j, double otherwise) {
    return of.empty() ? otherwise : of[j];
  }

  double l2_ = 0, l1_ = 0;
  Shape shape_ = None{};
  std::shared_ptr<const PenaltyFeatures> features_;  // nothing: uniform
};

// Calls `make` with the shape, L2 or ElasticNet. Engines that need l2 > 0 are built by this: the catalog refuses other
// problems before.
template <class Make>
auto with_strongly_convex_shape(const Penalty& penalty, const Make& make) {
  if (const auto* l2 = std::get_if<L2>(&penalty.shape())) return make(*l2);
  if (const auto* elastic_net = std::get_if<ElasticNet>(&penalty.shape())) return make(*elastic_net);
  throw std::logic_error("an engine for lambda > 0 was given a penalty without it");
}

}  // namespace seesaw
