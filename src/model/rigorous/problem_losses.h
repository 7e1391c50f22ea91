// The loss of a scalar problem, in the form that has bounds.
#pragma once

#include "model/problem.h"
#include "model/rigorous/losses.h"

namespace seesaw::rigorous {

template <class Body>
auto with_loss(const Problem& problem, const Body& body) {
  const auto* quadratic = std::get_if<PiecewiseQuadratic>(&problem.scalar().loss);
  if (quadratic == nullptr) return body(LogisticLoss{});
  PiecewiseLoss loss{*quadratic, 0};
  if (problem.kind->name == "quantile") loss.above_rest = (1 - quadratic->domains[0].hi) - problem.loss_parameter;
  return body(loss);
}

}  // namespace seesaw::rigorous
