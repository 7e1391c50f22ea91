// Runs on several ranks that are interrupted and continued from their checkpoint, by another number of ranks or by one process:
// the same model as without the interrupt, bit for bit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "data/share_rows.h"
#include "run/fit.h"
#include "seesaw/error.h"
#include "support/fits_on_ranks.h"
#include "support/scratch_folder.h"
#include "support/thread_ranks.h"

namespace seesaw {
namespace resume_on_ranks_test {

using test::expect_same;
using test::generated;
using test::Labels;
using test::spec_of;

using Check = std::function<void(const Fit&)>;

// 0 ranks: one process.
void fit_on(int ranks, const Dataset& data, const FitSpec& spec, const Check& check, const StopPredicate& stop = {}) {
  if (ranks == 0) return check(fit(data, spec, nullptr, {}, stop));
  EXPECT_TRUE(test::on_ranks(ranks, [&](Ranks& those) {
    FitSpec own = spec;
    own.data_hash = content_hash(data, those);
    check(fit(own_share(data, those), own, nullptr, {}, stop));
  }));
}

TEST(ResumeOnRanks, another_number_of_ranks_gives_the_same_bits) {
  const Dataset sparse = generated(6000, 400, 25, Labels::two, true), dense = generated(4000, 40, 40, Labels::two),
                classes = generated(5000, 40, 20, Labels::three), numbers = generated(5000, 60, 30, Labels::numbers);
  struct Case {
    const Dataset* data;
    FitSpec spec;
  };
  std::vector<Case> cases = {{&sparse, spec_of("lbfgs", "logistic", 1e-4)},
                             {&classes, spec_of("lbfgs", "softmax", 1e-4)},
                             {&dense, spec_of("newton", "logistic", 1e-4)},
                             {&sparse, spec_of("newton", "squared-hinge", 1e-4)},
                             {&classes, spec_of("newton", "softmax", 1e-4)},
                             {&classes, spec_of("newton", "logistic", 1e-4)},  // one-versus-rest
                             {&sparse, spec_of("ws", "logistic", 0, 1e-3)},
                             {&dense, spec_of("ssn", "hinge", 1e-3)},
                             {&numbers, spec_of("ssn", "absolute", 1e-3)},
                             {&dense, spec_of("ws", "hinge", 0, 1e-2)}};
  cases[3].spec.solver.options = {{"system", "sampled"}};
  const int counts[][2] = {{2, 3}, {3, 0}, {0, 4}, {7, 2}};
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Case& one = cases[k];
    const auto [before, after] = counts[k % 4];
    SCOPED_TRACE(fmt::format("{} {}, {} and {} ranks", one.spec.solver.name, one.spec.objective.loss, before, after));
    const test::ScratchFolder folder;
    const Fit expected = fit(*one.data, one.spec);
    FitSpec spec = one.spec;
    spec.checkpoint = CheckpointSpec{folder.path("saved"), false, 1};
    const auto saved = [&] {  // interrupted after the first checkpoint
      return std::filesystem::exists(folder.path("saved")) && !std::filesystem::is_empty(folder.path("saved"));
    };
    fit_on(
        before, *one.data, spec, [](const Fit&) {}, saved);
    EXPECT_TRUE(saved());
    spec.checkpoint->resume = true;
    fit_on(after, *one.data, spec, [&](const Fit& found) { expect_same(found, expected); });
  }
}

TEST(ResumeOnRanks, an_error_of_the_first_rank_is_thrown_on_all) {
  const Dataset data = generated(3000, 40, 20, Labels::two);
  const test::ScratchFolder folder;
  const auto refused = [&](const FitSpec& spec, const std::string& why) {
    int refusals = 0;
    std::mutex mutex;
    test::on_ranks(3, [&](Ranks& ranks) {
      FitSpec own = spec;
      own.data_hash = content_hash(data, ranks);
      try {
        fit(own_share(data, ranks), own);
      } catch (const Error& error) {
        const std::lock_guard lock(mutex);
        refusals += std::string(error.what()).find(why) != std::string::npos;
      }
    });
    EXPECT_EQ(refusals, 3) << why;
  };
  FitSpec spec = spec_of("lbfgs", "logistic", 1e-4);
  spec.checkpoint = CheckpointSpec{folder.path("saved"), false, 1};
  spec.criteria.max_passes = 3;
  fit_on(2, data, spec, [](const Fit&) {});
  refused(spec, "contains the checkpoints of a run");
  spec.checkpoint->resume = true;
  spec.objective.lambda = 1e-3;
  refused(spec, "is of another objective");
  spec.checkpoint->folder = folder.file("file", "text");
  refused(spec, "needs a folder");
}

// A checkpoint that cannot be written is reported, and the run goes on.
TEST(ResumeOnRanks, a_folder_that_disappears_does_not_end_the_run) {
  const Dataset data = generated(3000, 40, 20, Labels::two);
  FitSpec spec = spec_of("lbfgs", "logistic", 1e-4);
  const Fit expected = fit(data, spec);
  const test::ScratchFolder folder;
  spec.checkpoint = CheckpointSpec{folder.path("saved"), false, 1};
  class Remover final : public Observer {
   public:
    Remover(std::string removed, std::atomic<int>& problems) : removed_(std::move(removed)), problems_(problems) {}
    void check(const TraceRow&) override { std::filesystem::remove_all(removed_); }
    void message(const std::string& sentence) override { problems_ += sentence.starts_with("no checkpoint: "); }

   private:
    std::string removed_;
    std::atomic<int>& problems_;
  };
  std::atomic<int> problems = 0;
  EXPECT_TRUE(test::on_ranks(3, [&](Ranks& ranks) {
    FitSpec own = spec;
    own.data_hash = content_hash(data, ranks);
    Remover remover(spec.checkpoint->folder, problems);
    expect_same(fit(own_share(data, ranks), own, nullptr, {&remover}), expected);
  }));
  EXPECT_GE(problems, 3);  // on all ranks
}

}  // namespace resume_on_ranks_test
}  // namespace seesaw
