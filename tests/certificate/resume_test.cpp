// A method whose state is restored takes the same steps: from every epoch, points, work, diagnostics and the state saved
// later are equal bit for bit. The same for whole fits that are interrupted and continued.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/archive.h"
#include "data/synthetic.h"
#include "model/model_file.h"
#include "run/fit.h"
#include "solvers/catalog.h"
#include "support/problems.h"
#include "support/scratch_folder.h"
#include "support/threads.h"

namespace seesaw {
namespace resume_test {

struct Case {
  std::string method, loss;
  double lambda, l1;
  OptionValues options = {};
  std::size_t n = 300, d = 12;
  bool warm = false;
  int before = 0;  // epochs before the first state
};

const std::vector<Case> cases = {
    {"lbfgs", "logistic", 1e-4, 0},
    {"lbfgs", "logistic", 1e-4, 0, {{"memory-pairs", "2"}}},
    {"lbfgs", "squared-hinge", 1e-3, 0, {}, 300, 12, true},
    {"lbfgs", "softmax", 1e-4, 0},
    {"newton", "logistic", 1e-5, 0, {{"system", "cholesky"}}},
    {"newton", "logistic", 1e-5, 0, {{"system", "sampled"}}},
    {"newton", "logistic", 1e-5, 0, {{"system", "diagonal"}}},
    {"newton", "smooth-hinge", 1e-5, 0, {{"system", "block"}}},
    {"newton", "logistic", 1e-5, 0, {{"start", "sampled"}}, 20000, 3},
    {"newton", "squared", 0, 0},
    {"newton", "softmax", 1e-4, 0, {{"preconditioner", "whole"}}},
    {"newton", "softmax", 1e-4, 0, {{"preconditioner", "classes"}}},
    {"newton", "softmax", 1e-4, 0, {{"preconditioner", "diagonal"}}},
    {"ssn", "hinge", 1e-4, 0},
    {"ssn", "hinge", 1e-4, 0, {}, 900, 40},
    {"ssn", "absolute", 1e-4, 0, {}, 9000, 3},  // samples
    {"ssn", "epsilon-insensitive", 1e-4, 0, {}, 300, 12, true},
    {"ws", "squared", 0, 0.02},
    {"ws", "logistic", 0, 0.01, {}, 300, 60},
    {"ws", "logistic", 1e-3, 0.005, {}, 300, 60, true},
    {"ws", "hinge", 0, 0.01, {}, 300, 60},
    {"ws", "absolute", 1e-3, 0.005, {}, 300, 60, true},
    {"ws", "logistic", 0, 3e-4, {}, 2000, 40000},  // pools of features
    {"sdca", "hinge", 1e-3, 0},
    {"sdca", "logistic", 1e-3, 1e-3, {{"draw", "iid"}, {"average", "on"}}},
    {"sdca", "hinge", 1e-3, 0, {{"average", "steps"}}},
    {"sdca", "squared-hinge", 1e-3, 0, {{"storage", "compact"}}},
    {"sdca", "softmax", 1e-3, 0},
    {"sdca", "multiclass-hinge", 1e-2, 0},
    {"sdca", "multiclass-hinge", 1e-4, 0, {}, 100, 6, false, 40},  // steps on faces
    {"auto", "logistic", 1e-3, 0},
    {"auto", "hinge", 1e-3, 0},
};

std::string name_of(const Case& one) {
  std::string text = fmt::format("{} {} lambda {} l1 {} n {}", one.method, one.loss, one.lambda, one.l1, one.n);
  for (const auto& [name, value] : one.options) text += fmt::format(" {} {}", name, value);
  return text;
}

Dataset data_for(const Case& one, test::Storage storage) {
  const LossKind& kind = loss_kind(one.loss);
  if (one.d > 1000) {
    SynthOptions options;
    options.n = one.n;
    options.d = one.d;
    options.row_size = 20;
    options.seed = 5;
    return synthesize("text", options);
  }
  return kind.target == Target::index ? test::random_classes(one.n, one.d, 3, 5, storage)
                                      : test::random_data(one.n, one.d, kind.target, 5, storage);
}

Objective objective_of(const Case& one, test::Storage storage) {
  Objective objective;
  objective.loss = one.loss;
  objective.lambda = one.lambda;
  objective.l1 = one.l1;
  objective.regularizer = one.lambda == 0 && one.l1 == 0 ? "none" : "";
  objective.intercept = storage == test::Storage::sparse ? Intercept::free : Intercept::none;
  return objective;
}

std::string state_of(Solver& solver, const test::ScratchFolder& folder, const std::string& name) {
  ArchiveWriter archive(folder.path(name));
  solver.serialize(archive);
  archive.commit();
  return folder.text_of(name);
}

// An epoch, and every second time a check.
void advance(Solver& solver, const Problem& problem, int epoch) {
  solver.epoch();
  if (epoch % 2 == 0) return;
  Point point;
  solver.read(point);
  Checked checked;
  const Certificate certificate = Certifier(problem).certify(point);
  static_cast<Bounds&>(checked) = static_cast<const Bounds&>(certificate);
  checked.target = 1e-9 * checked.primal;
  solver.on_check(checked);
}

TEST(Resume, continues_every_method_with_the_same_bits) {
  const test::ScratchFolder folder;
  for (const Case& one : cases)
    for (const test::Storage storage : {test::Storage::sparse, test::Storage::dense}) {
      SCOPED_TRACE(name_of(one) + (storage == test::Storage::sparse ? " sparse" : " dense"));
      const Dataset data = data_for(one, storage);
      const Problem problem = make_problem(data, objective_of(one, storage));
      const SolverSpec spec{one.method, one.options, 1};
      Start start;
      if (one.warm) {
        const auto before = make_solver(problem, {"sdca", {}, 3});
        if (one.lambda > 0) {
          before->epoch();
          Point point;
          before->read(point);
          start = {point.y, point.x, point.intercept};
        }
      }
      const auto alone = make_solver(problem, spec, start);
      ASSERT_TRUE(alone->resumable());
      for (int epoch = 0; epoch < one.before; ++epoch) advance(*alone, problem, epoch);
      std::vector<std::unique_ptr<Solver>> restored;
      for (int epoch = 0; epoch < 12; ++epoch) {
        if (epoch == 0 || epoch == 1 || epoch == 4 || epoch == 7) {
          state_of(*alone, folder, "state");
          restored.push_back(make_solver(problem, spec));  // without the start: it is part of the state
          ArchiveReader archive(folder.path("state"));
          restored.back()->serialize(archive);
        }
        advance(*alone, problem, epoch);
        for (const auto& other : restored) advance(*other, problem, epoch);
      }
      Point expected;
      alone->read(expected);
      const std::string state = state_of(*alone, folder, "end");
      for (const auto& other : restored) {
        Point found;
        other->read(found);
        EXPECT_EQ(found.x, expected.x);
        EXPECT_EQ(found.y, expected.y);
        EXPECT_EQ(found.intercept, expected.intercept);
        EXPECT_EQ(other->work().passes, alone->work().passes);
        EXPECT_EQ(other->work().entries, alone->work().entries);
        EXPECT_EQ(other->work().estimated_gap, alone->work().estimated_gap);
        const Diagnostics a = alone->diagnostics(), b = other->diagnostics();
        ASSERT_EQ(a.values.size(), b.values.size());
        for (std::size_t k = 0; k < a.values.size(); ++k) EXPECT_EQ(a.values[k].value, b.values[k].value);
        EXPECT_EQ(a.methods, b.methods);
        EXPECT_EQ(state_of(*other, folder, "other"), state);
      }
    }
}

TEST(Resume, is_possible_for_the_methods_of_the_catalog_that_say_so) {
  for (const Recipe& recipe : catalog()) {
    if (recipe.name == "auto" || !recipe.resumable) continue;
    for (const std::string loss : {"logistic", "hinge", "squared"}) {
      const Dataset data = test::random_data(60, 5, loss_kind(loss).target, 3);
      Objective objective;
      objective.loss = loss;
      if (recipe.needs.curvature == Need::l1) objective.l1 = 0.1;
      else objective.lambda = 0.1;
      const Problem problem = make_problem(data, objective);
      if (missing(recipe, problem)) continue;
      EXPECT_TRUE(make_solver(problem, {recipe.name, {}, 1})->resumable()) << recipe.name;
    }
  }
}

// A fit that is interrupted after so many calls of the predicate, continued, and interrupted again until it ends. The
// predicate is also called while the method is constructed: later parts get more calls, so that each one advances.
std::string text_of_interrupted(const Dataset& data, FitSpec spec, int calls, const std::string& folder, int& parts) {
  spec.checkpoint = CheckpointSpec{folder, true, 5};
  for (parts = 1; parts < 1000; ++parts) {
    std::atomic<int> left = calls + parts;
    const Fit part = fit(data, spec, nullptr, {}, [&] { return --left < 0; });
    if (left >= 0) return model_file_text(part.model);  // otherwise the last check was that of the interrupt
  }
  return "not finished";
}

TEST(Resume, gives_the_model_of_a_fit_without_interruption) {
  int interrupted = 0;
  for (const Case& one : cases)
    for (const test::Storage storage : {test::Storage::sparse, test::Storage::dense}) {
      if (one.warm) continue;
      SCOPED_TRACE(name_of(one));
      const Dataset data = data_for(one, storage);
      FitSpec spec;
      spec.objective = objective_of(one, storage);
      spec.solver = {one.method, one.options, 1};
      spec.criteria.gap = 1e-6;
      spec.criteria.max_passes = 100;
      const std::string expected = model_file_text(fit(data, spec).model);
      const test::ScratchFolder folder;
      FitSpec whole = spec;
      whole.checkpoint = CheckpointSpec{folder.path("whole"), false, 3};
      EXPECT_EQ(model_file_text(fit(data, whole).model), expected);
      int parts = 0;
      const int calls = storage == test::Storage::sparse ? 4 : 23;
      EXPECT_EQ(text_of_interrupted(data, spec, calls, folder.path("parts"), parts), expected);
      interrupted += parts > 1;
    }
  EXPECT_GT(interrupted, 25);
}

// Proofs do not reach the tolerance: the optimum is confined by the products of the pair that was proved, not by those of
// a later candidate that was rejected.
TEST(Resume, keeps_what_was_proved_before_the_interruption) {
  for (const std::uint64_t seed : {1, 2, 3})
    for (const std::string method : {"lbfgs", "newton"}) {
      SCOPED_TRACE(fmt::format("{} seed {}", method, seed));
      const Dataset data = test::random_data(300, 12, Target::sign, seed);
      FitSpec spec;
      spec.objective.loss = "logistic";
      spec.objective.lambda = 1e-3;
      spec.objective.intercept = Intercept::none;
      spec.solver = {method, {}, 1};
      spec.criteria.gap = 2e-16;
      spec.criteria.max_passes = 200;
      const std::string expected = model_file_text(fit(data, spec).model);
      const test::ScratchFolder folder;
      int parts = 0;
      EXPECT_EQ(text_of_interrupted(data, spec, 9, folder.path("parts"), parts), expected);
      EXPECT_GT(parts, 1);
    }
}

TEST(Resume, keeps_finished_classes_of_one_versus_rest) {
  const Dataset data = test::random_classes(400, 8, 4, 5);
  for (const std::string method : {"newton", "lbfgs", "sdca", "auto"})
    for (const std::size_t threads : {1, 3}) {
      SCOPED_TRACE(fmt::format("{} {} threads", method, threads));
      FitSpec spec;
      spec.objective.loss = "logistic";
      spec.objective.lambda = 1e-4;
      spec.solver.name = method;
      spec.criteria.gap = 1e-6;
      const std::string expected = model_file_text(fit(data, spec).model);
      const test::ScratchFolder folder;
      int parts = 0;
      const std::string found =
          test::in_threads(threads, [&] { return text_of_interrupted(data, spec, 12, folder.path("parts"), parts); });
      EXPECT_EQ(found, expected);
      EXPECT_GT(parts, 2);
      EXPECT_TRUE(std::filesystem::exists(folder.path("parts/class-1-finished.ckpt")));
    }
}

}  // namespace resume_test
}  // namespace seesaw
