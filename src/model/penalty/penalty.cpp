#include "model/penalty/penalty.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace seesaw {
namespace {

Penalty::Shape shape_of(double l2, double l1) {
  if (l2 > 0 && l1 > 0) return ElasticNet{l2, l1};
  if (l2 > 0) return L2{l2};
  if (l1 > 0) return L1{l1};
  return None{};
}

}  // namespace

Penalty::Penalty(double l2, double l1, PenaltyFeatures features) : l2_(l2), l1_(l1), shape_(shape_of(l2, l1)) {
  if (!features.empty()) features_ = std::make_shared<const PenaltyFeatures>(std::move(features));
}

std::string_view Penalty::name() const {
  static constexpr std::array<std::string_view, 4> names = {"l2", "elastic-net", "l1", "none"};
  return names[shape_.index()];
}

double Penalty::strong_convexity() const {
  if (uniform() || features_->l2_factor.empty()) return l2_;
  const double least = *std::min_element(features_->l2_factor.begin(), features_->l2_factor.end());
  const double product = l2_ * least;
  return product > 0 ? std::nextafter(product, 0.0) : 0;
}

double Penalty::dual_bound() const {
  return std::visit([](const auto& g) { return g.dual_bound(); }, shape_);
}

}  // namespace seesaw
