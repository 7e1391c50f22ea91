// A model with the data it makes a claim about, and what the verifier says of it.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

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
  model.certificate = Certificate{.primal = primal, .dual = dual, .gap = primal - dual};
}

// One sentence a line; empty where the claim holds.
inline std::string problems_of(const Solved& solved) {
  const Verification verdict = verify(solved.data, solved.model);
  EXPECT_EQ(verdict.holds, verdict.problems.empty());
  return fmt::format("{}", fmt::join(verdict.problems, "\n"));
}

}  // namespace seesaw::test
