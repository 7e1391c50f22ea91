#include "study/measures.h"

#include <gtest/gtest.h>

#include <cmath>

namespace seesaw {
namespace {

// The best of several tries is the one that ended lowest: also where a limit ended them.
TEST(Height, at_the_end_is_that_of_the_last_check_whatever_ended_the_run) {
  const Measure at_the_end{.name = "gap", .of = "gap", .to = {}, .after = infinity};
  Measure after_ten = at_the_end;
  after_ten.after = 10;
  RunRecord run;
  for (const double passes : {1.0, 5.0}) {
    TraceRow check;
    check.passes = passes;
    check.gap = 1 / passes;
    check.primal = 1;
    run.checks.push_back(check);
  }
  for (const char* status : {"pass-limit", "converged"}) {
    run.status = status;
    EXPECT_EQ(measured(at_the_end, run, Criteria{}, Optimum{}).value, 0.2) << status;
  }
  EXPECT_EQ(measured(after_ten, run, Criteria{}, Optimum{}).value, 0.2);  // converged: it stays there
  run.status = "pass-limit";
  EXPECT_TRUE(std::isnan(measured(after_ten, run, Criteria{}, Optimum{}).value));
}

}  // namespace
}  // namespace seesaw
