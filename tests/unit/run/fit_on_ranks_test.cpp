// Fits on several ranks (threads, support/thread_ranks.h) against those of one process: the same model, bit for bit.
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "data/share_rows.h"
#include "run/fit.h"
#include "seesaw/error.h"
#include "support/fits_on_ranks.h"
#include "support/thread_ranks.h"

namespace seesaw {
namespace fit_on_ranks_test {

using test::expect_same;
using test::generated;
using test::Labels;
using test::spec_of;

struct Case {
  std::string name;
  const Dataset* data;
  FitSpec spec;
};

TEST(FitOnRanks, has_the_bits_of_one_process) {
  const Dataset sparse = generated(6000, 400, 25, Labels::two, true), dense = generated(4000, 40, 40, Labels::two),
                wide = generated(1500, 20000, 120, Labels::two), classes = generated(5000, 40, 20, Labels::three),
                numbers = generated(5000, 60, 30, Labels::numbers),
                weighted = generated(5000, 200, 12, Labels::numbers, true);
  std::vector<Case> cases = {{"lbfgs sparse", &sparse, spec_of("lbfgs", "logistic", 1e-3)},
                             {"lbfgs wide", &wide, spec_of("lbfgs", "logistic", 1e-3)},
                             {"lbfgs softmax", &classes, spec_of("lbfgs", "softmax", 1e-3)},
                             {"newton dense", &dense, spec_of("newton", "logistic", 1e-3)},
                             {"newton sparse", &sparse, spec_of("newton", "squared-hinge", 1e-3)},
                             {"newton wide", &wide, spec_of("newton", "logistic", 1e-2)},
                             {"newton sampled", &dense, spec_of("newton", "logistic", 1e-3)},
                             {"newton softmax", &classes, spec_of("newton", "softmax", 1e-3)},
                             {"newton one-versus-rest", &classes, spec_of("newton", "logistic", 1e-3)},
                             {"ws sparse", &sparse, spec_of("ws", "logistic", 0, 1e-3)},
                             {"ws net", &dense, spec_of("ws", "squared", 1e-2, 1e-2)},
                             {"ws wide", &wide, spec_of("ws", "logistic", 1e-3, 1e-3)},
                             {"ws short columns", &wide, spec_of("ws", "squared", 0, 1e-3)},
                             {"ws one set", &numbers, spec_of("ws", "squared", 0, 1e-2)},
                             {"ssn dense", &dense, spec_of("ssn", "hinge", 1e-3)},
                             {"ssn sparse", &sparse, spec_of("ssn", "hinge", 1e-2)},
                             {"ssn wide", &wide, spec_of("ssn", "hinge", 1e-2)},
                             {"ssn numbers", &numbers, spec_of("ssn", "absolute", 1e-2)},
                             {"ws hinge", &sparse, spec_of("ws", "hinge", 0, 1e-2)},
                             {"ws absolute", &numbers, spec_of("ws", "absolute", 0, 1e-2)},
                             {"newton moments", &numbers, spec_of("newton", "squared", 1e-2)},
                             {"newton weighted moments", &weighted, spec_of("newton", "squared", 1e-2)},
                             {"ws weighted moments", &weighted, spec_of("ws", "squared", 0, 1e-2)}};
  cases[6].spec.solver.options = {{"system", "sampled"}, {"start", "sampled"}};
  for (std::size_t k = 0; k < cases.size(); ++k) {
    Case& one = cases[k];
    SCOPED_TRACE(one.name);
    if (k % 2 == 0) one.spec.objective.intercept = Intercept::free;
    if (k % 5 == 1) one.spec.objective.intercept = Intercept::penalized;
    if (k % 3 == 0) one.spec.scaling = Scaling::columns_std;
    const Fit expected = fit(*one.data, one.spec);
    EXPECT_EQ(expected.model.status, "converged");
    const std::vector<int> some = {2, 3, 7};
    for (const int size : k == 0 ? some : std::vector{some[k % 3]}) {
      SCOPED_TRACE(size);
      EXPECT_TRUE(test::on_ranks(size, [&](Ranks& ranks) {
        FitSpec spec = one.spec;
        spec.data_hash = content_hash(*one.data, ranks);
        const Dataset share = own_share(*one.data, ranks);
        const Fit found = fit(share, spec);
        expect_same(found, expected);
        EXPECT_EQ(ranks.concatenate<double>(found.model.y), expected.model.y);
      }));
    }
  }
}

// Sleeps at every check: the clocks of its rank are late when the next class begins.
struct Slow final : Observer {
  void begin(const RunInfo&) override {}
  void check(const TraceRow&) override { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }
  void end(const Outcome&) override {}
};

TEST(FitOnRanks, divides_a_time_limit_among_classes_by_one_clock) {
  const Dataset classes = generated(2000, 40, 20, Labels::three);
  FitSpec spec = spec_of("lbfgs", "logistic", 1e-9);
  spec.criteria.gap = 1e-300;
  spec.criteria.max_passes = 1e9;
  spec.criteria.seconds = 0.5;
  std::vector<Outcome> outcomes(3);
  EXPECT_TRUE(test::on_ranks(3, [&](Ranks& ranks) {
    const Dataset share = own_share(classes, ranks);
    const Problem problem = make_problem(share, spec.objective);
    Slow slow;
    Observers observers;
    if (ranks.first()) observers.push_back(&slow);
    outcomes[static_cast<std::size_t>(ranks.rank())] = solve({problem, spec.solver, spec.criteria}, observers);
  }));
  for (const Outcome& of_rank : outcomes) {
    EXPECT_EQ(of_rank.termination, outcomes[0].termination);
    EXPECT_EQ(of_rank.last.passes, outcomes[0].last.passes);
    EXPECT_EQ(of_rank.point.x, outcomes[0].point.x);
  }
}

TEST(FitOnRanks, refuses_methods_that_draw_rows) {
  const Dataset data = generated(500, 20, 10, Labels::two);
  for (const char* name : {"sdca", "spdc", "saga"})
    test::on_ranks(2, [&](Ranks& ranks) {
      FitSpec spec = spec_of(name, "logistic", 1e-2);
      spec.data_hash = 0;
      try {
        fit(own_share(data, ranks), spec);
        ADD_FAILURE() << name;
      } catch (const Unsupported& error) {
        EXPECT_NE(std::string(error.what()).find("draws single rows"), std::string::npos) << error.what();
      }
    });
}

}  // namespace fit_on_ranks_test
}  // namespace seesaw
