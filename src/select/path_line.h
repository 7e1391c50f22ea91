// The coefficients along a path, as functions of one parameter t:
//
//     lambda(t) = lambda + lambda_per t         l1(t) = l1 + l1_per t
//
// l2: lambda = t. Elastic net with a kept l1: lambda = t, l1. With a kept mix: lambda = t, l1 = ratio t. l1 alone: l1 = t.
// P(x, b; t) is linear in t, and so P*(t) = min P is concave: docs/paths.md derives what a path proves from this.
#pragma once

#include <string_view>

#include "model/problem.h"

namespace seesaw {

struct PathLine {
  double lambda = 0, lambda_per = 0, l1 = 0, l1_per = 0;

  double lambda_at(double t) const { return lambda + lambda_per * t; }
  double l1_at(double t) const { return l1 + l1_per * t; }
  std::string_view parameter() const { return lambda_per > 0 ? "lambda" : "l1"; }  // the coefficient that is t
  bool l1_alone() const { return lambda == 0 && lambda_per == 0; }

  Penalty penalty_at(const Penalty& of, double t) const {
    return Penalty(lambda_at(t), l1_at(t), of.uniform() ? PenaltyFeatures{} : of.features());
  }
};

}  // namespace seesaw
