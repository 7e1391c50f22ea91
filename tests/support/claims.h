// A model with its data, and the verifier's result.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "data/dataset.h"
#include "model/linear_model.h"
#include "verify/verify.h"

namespace seesaw::test {

struct Solved {
  Dataset data;
  LinearModel model;
};

inline void claim(LinearModel& model, double primal, double dual) {
  model.certificate = Certificate{{primal, dual, primal - dual}};
  model.status = "converged";
}

// The same claims, relaxed by 1e-12 of P: values computed in double have rounding errors, and the verifier has no
// tolerance.
inline LinearModel loosened(LinearModel model) {
  const auto loosen = [](auto& claim) {
    const double by = 1e-12 * (1 + std::abs(claim.primal));
    claim.primal += by;
    claim.dual -= by;
    claim.gap += 2 * by;
  };
  loosen(*model.certificate);
  for (ClassCertificate& claim : model.classes) loosen(claim);
  if (auto& bound = model.certificate->distance_bound; bound && model.objective.lambda > 0)
    *bound = std::sqrt(*bound * *bound + 8e-12 * (1 + std::abs(model.certificate->primal)) / model.objective.lambda);
  return model;
}

// One sentence per line; empty if the claim holds. For claims that a test has computed in double.
inline std::string problems_of(const Solved& solved) {
  const Verification verdict = verify(solved.data, loosened(solved.model));
  EXPECT_EQ(verdict.holds, verdict.problems.empty());
  return fmt::format("{}", fmt::join(verdict.problems, "\n"));
}

}  // namespace seesaw::test
