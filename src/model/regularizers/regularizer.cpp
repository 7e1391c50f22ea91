#include "model/regularizers/regularizer.h"

namespace seesaw {

Regularizer make_regularizer(double lambda, double l1) {
  if (lambda > 0 && l1 > 0) return ElasticNet{lambda, l1};
  if (lambda > 0) return L2{lambda};
  if (l1 > 0) return L1{l1};
  return None{};
}

std::string_view name_of(const Regularizer& regularizer) {
  static constexpr std::string_view names[] = {"l2", "elastic-net", "l1", "none"};
  return names[regularizer.index()];
}

double strong_convexity(const Regularizer& regularizer) {
  return std::visit([](const auto& g) { return g.strong_convexity(); }, regularizer);
}

}  // namespace seesaw
