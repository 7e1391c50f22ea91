// Multiclass problems: certificates of block losses against the objective by hand, and fits of block losses and of
// one-versus-rest.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <filesystem>

#include "data/readers/read.h"
#include "data/synthetic.h"
#include "run/fit.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "support/block_formulas.h"
#include "support/claims.h"
#include "support/expectations.h"
#include "support/multiclass.h"
#include "support/problems.h"

namespace seesaw {
namespace multiclass_test {

using test::add_weights;
using test::objective_of;
using test::spec_of;
using test::Storage;
using test::verification_problems;

Point random_point(const Problem& p, std::uint64_t seed) {
  Rng rng(seed);
  Point point;
  point.intercept.clear();
  for (std::size_t j = 0; j < p.d() * p.outputs(); ++j) point.x.push_back(rng.normal() / 4);
  for (std::size_t i = 0; i < p.n() * p.outputs(); ++i) point.y.push_back(rng.normal());
  for (std::size_t k = 0; k < p.outputs(); ++k) point.intercept.push_back(rng.normal());
  return point;
}

TEST(BlockCertificate, equals_the_formulas_for_every_loss_penalty_intercept_and_weights) {
  for (const LossKind& kind : block_loss_kinds())
    for (const auto& [lambda, l1] : {std::pair{0.2, 0.0}, {0.2, 0.05}, {0.0, 0.05}, {0.0, 0.0}})
      for (const Intercept intercept : {Intercept::none, Intercept::free})
        for (const bool weighted : {false, true})
          for (const std::size_t classes : {2, 3, 7}) {
            Dataset data = test::random_classes(40, 4, classes, 11);
            if (weighted) add_weights(data);
            const Problem p = make_problem(data, objective_of(kind.name, lambda, l1, intercept));
            const std::string what = fmt::format("{} lambda {} l1 {} free {} weighted {} classes {}", kind.name, lambda,
                                                 l1, intercept == Intercept::free, weighted, classes);
            Point point = random_point(p, 5);
            const std::vector<double> given = point.intercept;
            const Certificate c = Certifier(p).certify(point);
            EXPECT_NEAR(c.primal, (double)test::slow_block_primal(p, point.x, point.intercept), 1e-12 * (1 + c.primal))
                << what;
            const double dual = (double)test::slow_block_dual(p, point.y);
            ASSERT_TRUE(std::isfinite(dual)) << what;
            EXPECT_NEAR(c.dual, dual, 1e-12 * (1 + std::abs(c.dual))) << what;
            EXPECT_LE(c.dual, dual + 1e-15) << what;
            EXPECT_NEAR(c.gap, c.primal - c.dual, 1e-12 * (1 + c.primal)) << what;
            EXPECT_GE(c.gap, 0) << what;
            EXPECT_EQ(c.distance_bound.has_value(), lambda > 0) << what;
            if (intercept == Intercept::free) {  // not worse than the given intercepts
              EXPECT_LE(c.primal, (double)test::slow_block_primal(p, point.x, given) + 1e-13) << what;
            }
            Point again = point;  // a feasible point is not changed
            const Certificate same = Certifier(p).certify(again);
            EXPECT_NEAR(same.dual, c.dual, 1e-14 * (1 + std::abs(c.dual))) << what;
            EXPECT_TRUE(test::all_near(again.y, point.y, 1e-15)) << what;
          }
}

// NaN is not larger than 0: the largest hinge must not skip it.
TEST(BlockCertificate, proves_nothing_at_a_point_that_is_not_a_number) {
  const Dataset data = test::random_classes(40, 4, 3, 11);
  for (const LossKind& kind : block_loss_kinds())
    for (const double value : {std::nan(""), infinity, -infinity})
      for (const bool weights : {false, true}) {
        const Problem p = make_problem(data, objective_of(kind.name, 0.2, 0, Intercept::free));
        Point point = random_point(p, 5);
        (weights ? point.x : point.intercept).assign((weights ? point.x : point.intercept).size(), value);
        Point other = point;
        EXPECT_FALSE(std::isfinite(Certifier(p).certify(point).primal)) << kind.name << value << weights;
        EXPECT_FALSE(std::isfinite(Certifier(p).certify_rigorously(other).primal)) << kind.name << value << weights;
      }
}

TEST(BlockCertificate, is_the_same_for_one_thread_and_two) {
  const Dataset data = test::random_classes(20000, 6, 4, 2);
  const Problem p = make_problem(data, objective_of("softmax", 1e-3, 0, Intercept::free));
  Certificate c[2];
  for (int threads : {1, 2}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    Point point = random_point(p, 5);
    c[threads - 1] = Certifier(p).certify(point);
  }
  EXPECT_EQ(c[0].primal, c[1].primal);
  EXPECT_EQ(c[0].dual, c[1].dual);
  EXPECT_EQ(c[0].gap, c[1].gap);
}

TEST(Blocks, are_solved_for_every_loss_penalty_storage_intercept_and_weights) {
  for (const LossKind& kind : block_loss_kinds())
    for (const double l1 : {0.0, 0.02})
      for (const Storage storage : test::all_storages)
        for (const Intercept intercept : {Intercept::none, Intercept::penalized, Intercept::free})
          for (const bool weighted : {false, true}) {
            Dataset data = test::random_classes(40, 5, 3, 31, storage);
            if (weighted) add_weights(data);
            const FitSpec spec = spec_of(kind.name, 0.05, l1, intercept, kind.gamma() > 0 ? 1e-8 : 1e-6);
            const Fit result = fit(data, spec);
            const std::string what = fmt::format("{} l1 {} storage {} intercept {} weighted {}", kind.name, l1,
                                                 int(storage), name_of(intercept), weighted);
            EXPECT_EQ(result.outcome.termination, Termination::converged)
                << what << " gap " << result.outcome.certificate.gap;
            const Dataset prepared = apply(result.model.transform, data);
            const Problem p = make_problem(prepared, spec.objective);
            const auto primal = test::slow_block_primal(p, result.model.x, result.model.intercept);
            const auto dual = test::slow_block_dual(p, result.model.y);
            EXPECT_EQ(verification_problems(data, result), "") << what;
            EXPECT_GE(primal - dual, -1e-13L) << what;
            EXPECT_LE(primal - dual, spec.criteria.gap_abs * 1.0001L) << what;
            EXPECT_EQ(result.model.outputs(), 3u);
            EXPECT_EQ(result.model.labels, (std::vector<double>{10, 11, 12}));
            EXPECT_TRUE(result.model.classes.empty());
          }
}

TEST(Blocks, refuse_penalties_that_are_not_strongly_convex_and_options_of_scalar_losses) {
  const Dataset data = test::random_classes(40, 5, 3, 31);
  FitSpec spec = spec_of("softmax", 0, 0.1, Intercept::none, 1e-6);
  EXPECT_TRUE(test::contains(test::sentence_of<Unsupported>([&] { fit(data, spec); }), "`penalty` l2"));
  spec.objective.lambda = 0.1;
  spec.solver.options = {{"average", "on"}};
  EXPECT_TRUE(
      test::contains(test::sentence_of<InvalidOption>([&] { fit(data, spec); }), "softmax is a loss of all classes"));
  spec.solver.options = {{"draw", "iid"}};
  EXPECT_EQ(fit(data, spec).outcome.termination, Termination::converged);
  Recipe binary_only = recipe_named("sdca");
  binary_only.block_losses = false;
  const auto reason = missing(binary_only, make_problem(data, spec.objective));
  ASSERT_TRUE(reason.has_value());
  EXPECT_TRUE(test::contains(*reason, "softmax is a loss of all classes"));
}

// With two classes softmax has the columns -w/2, w/2: lambda/2 |x|^2 = lambda/4 |w|^2.
TEST(Softmax, of_two_classes_is_logistic_regression_with_half_of_lambda) {
  const Dataset data = test::random_data(60, 5, Target::sign, 9);
  for (const Intercept intercept : {Intercept::none, Intercept::free}) {
    const Fit pair = fit(data, spec_of("softmax", 0.1, 0, intercept, 1e-13));
    const Fit one = fit(data, spec_of("logistic", 0.05, 0, intercept, 1e-13));
    EXPECT_EQ(verification_problems(data, pair), "");
    EXPECT_EQ(verification_problems(data, one), "");
    EXPECT_NEAR(pair.outcome.certificate.primal, one.outcome.certificate.primal, 1e-12);
    for (std::size_t j = 0; j < 5; ++j) {
      EXPECT_NEAR(pair.model.x[2 * j + 1], one.model.x[j] / 2, 1e-5);
      EXPECT_NEAR(pair.model.x[2 * j], -one.model.x[j] / 2, 1e-5);
    }
    if (intercept == Intercept::free) {
      EXPECT_NEAR(pair.model.intercept[1] - pair.model.intercept[0], one.model.intercept[0], 1e-5);
    }
  }
}

// The smallest eigenvalue of the intercepts' Hessian is close to others in some of these: training and the verifier
// estimate it differently.
TEST(Softmax, regions_of_free_intercepts_are_verified) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    SynthOptions options{.n = 200, .d = 30, .classes = 3};
    options.seed = seed;
    const Dataset data = synthesize("text", options);
    FitSpec spec;
    spec.objective.loss = "softmax";
    spec.objective.lambda = 0.02;
    spec.solver.name = "auto";
    const Fit result = fit(data, spec);
    EXPECT_EQ(verification_problems(data, result), "") << seed;
  }
}

TEST(MulticlassHinge, shrinking_needs_less_work_for_the_same_gap) {
  const Dataset data = test::random_classes(2000, 20, 4, 12);
  double passes[2];
  for (const bool on : {false, true}) {
    FitSpec spec = spec_of("multiclass-hinge", 1e-3, 0, Intercept::free, 0);
    spec.criteria.gap = 1e-4;
    spec.solver.options = {{"shrink", on ? "on" : "off"}};
    const Fit result = fit(data, spec);
    ASSERT_EQ(result.outcome.termination, Termination::converged);
    passes[on] = result.outcome.last.passes;
  }
  EXPECT_LT(passes[true], 0.7 * passes[false]);
}

TEST(MulticlassHinge, extrapolation_never_decreases_D_and_needs_fewer_passes) {
  const Dataset data = test::random_classes(60, 8, 4, 3);
  const Problem problem = make_problem(data, objective_of("multiclass-hinge", 1e-3, 0, Intercept::none));
  const auto solver = make_solver(problem, {"sdca", {{"shrink", "off"}, {"faces", "off"}}, 1});
  Certifier certifier(problem);
  Point point;
  double before = -infinity;
  for (int pass = 0; pass < 120; ++pass) {
    solver->epoch();
    solver->read(point);
    const double dual = certifier.certify(point).dual;
    EXPECT_GE(dual, before - 1e-12 * (1 + std::abs(before))) << "pass " << pass;
    before = dual;
  }
  double passes[2];
  for (const bool on : {false, true}) {
    FitSpec spec = spec_of("multiclass-hinge", 1e-4, 0, Intercept::none, 1e-7);
    spec.solver.options = {{"extrapolate", on ? "on" : "off"}, {"faces", "off"}};
    const Fit result = fit(test::random_classes(200, 10, 4, 3), spec);
    EXPECT_EQ(result.outcome.termination, Termination::converged);
    passes[on] = result.outcome.last.passes;
  }
  EXPECT_LT(passes[true], passes[false]) << passes[false];
}

TEST(Blocks, converge_in_a_few_passes_whatever_the_scale_of_lambda_and_features) {
  for (const LossKind& kind : block_loss_kinds())
    for (const double unit : {1e-3, 1.0, 1e3})
      for (const double strength : {1.0, 1e2, 1e5}) {
        test::Matrix matrix = test::random_matrix(60, 4, 5);
        const std::vector<double> labels = test::random_class_labels(matrix, 3, 5);
        for (auto& row : matrix)
          for (double& value : row) value *= unit;
        Dataset data = test::table(matrix);
        data.labels = labels;
        FitSpec spec = spec_of(kind.name, strength * unit * unit, 0, Intercept::free, 1e-6);
        spec.criteria.gap = 1e-4;
        const Fit result = fit(data, spec);
        EXPECT_EQ(result.outcome.termination, Termination::converged) << kind.name;
        EXPECT_EQ(verification_problems(data, result), "") << kind.name << " unit " << unit << " strength " << strength;
        EXPECT_LE(result.outcome.last.passes, 60) << kind.name << " unit " << unit << " strength " << strength;
      }
}

TEST(Blocks, weights_are_repetitions_and_empty_rows_are_solved) {
  for (const LossKind& kind : block_loss_kinds()) {
    Dataset weighted = test::random_classes(30, 4, 3, 77);
    const test::Matrix matrix = test::matrix_of(weighted);
    test::Matrix repeated;
    std::vector<double> labels;
    for (std::size_t i = 0; i < 30; ++i) {
      weighted.weights.push_back(double(1 + i % 3));
      for (std::size_t k = 0; k <= i % 3; ++k) {
        repeated.push_back(matrix[i]);
        labels.push_back(weighted.labels[i]);
      }
    }
    Dataset twice = test::table(repeated);
    twice.labels = labels;
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      FitSpec spec = spec_of(kind.name, 0.05, 0, intercept, kind.gamma() > 0 ? 1e-11 : 1e-7);
      const Fit a = fit(weighted, spec), b = fit(twice, spec);
      ASSERT_EQ(a.outcome.termination, Termination::converged) << kind.name;
      ASSERT_EQ(b.outcome.termination, Termination::converged) << kind.name;
      EXPECT_EQ(verification_problems(weighted, a), "") << kind.name;
      EXPECT_EQ(verification_problems(twice, b), "") << kind.name;
      EXPECT_NEAR(a.outcome.certificate.primal, b.outcome.certificate.primal, 2 * spec.criteria.gap_abs);
    }
  }
}

TEST(Blocks, start_warm_from_a_model) {
  const Dataset data = test::random_classes(200, 8, 4, 6);
  for (const LossKind& kind : block_loss_kinds())
    for (const Intercept intercept : {Intercept::none, Intercept::penalized, Intercept::free}) {
      FitSpec spec = spec_of(kind.name, 0.01, 0, intercept, 1e-6);
      const Fit cold = fit(data, spec), warm = fit(data, spec, &cold.model);
      EXPECT_GT(cold.outcome.last.passes, 2);
      EXPECT_LE(warm.outcome.last.passes, 1) << kind.name;
      EXPECT_EQ(verification_problems(data, warm), "") << kind.name;
      const Fit apart = fit(data, spec_of("logistic", 0.01, 0, intercept, 1e-6));  // other scores, the same classes
      spec.criteria.max_passes = 0;
      EXPECT_LT(fit(data, spec, &apart.model).outcome.certificate.primal, fit(data, spec).outcome.certificate.primal);
    }
  const Fit binary =
      fit(test::random_data(200, 8, Target::sign, 6), spec_of("logistic", 0.01, 0, Intercept::free, 1e-3));
  const FitSpec spec = spec_of("softmax", 0.01, 0, Intercept::free, 1e-3);
  EXPECT_TRUE(test::contains(test::sentence_of<Error>([&] { fit(data, spec, &binary.model); }), "10, 11, 12, 13"));
}

TEST(Warm, primal_dual_methods_use_the_primal_point_too) {
  const Dataset data = test::random_classes(300, 10, 3, 21);
  for (const char* loss : {"softmax", "logistic"})
    for (const char* solver : {"spdc", "adaspdc", "spdhg"}) {
      FitSpec spec = spec_of(loss, 1e-3, 0, Intercept::free, 1e-7);
      const Fit before = fit(data, spec);
      spec.solver.name = solver;
      spec.objective.lambda = 0.95e-3;
      const Fit cold = fit(data, spec), warm = fit(data, spec, &before.model);
      EXPECT_EQ(warm.outcome.termination, Termination::converged) << loss << " " << solver;
      EXPECT_LT(warm.outcome.last.passes, 0.8 * cold.outcome.last.passes) << loss << " " << solver;
      EXPECT_EQ(verification_problems(data, warm), "") << loss << " " << solver;
    }
}

// The objective of LIBLINEAR's -s 4 on dna.scale with -c 0.1, divided by C n: its solver ends at 0.092706.
TEST(MulticlassHinge, encloses_the_optimum_that_liblinear_finds_on_dna) {
  const char* folder = std::getenv("SEESAW_DATA");
  const std::string path = (folder != nullptr ? folder : SEESAW_SOURCE_DIR "/data") + std::string("/dna.scale.xz");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path << "; set SEESAW_DATA";
  FitSpec spec = spec_of("multiclass-hinge", 0, 0, Intercept::none, 1e-6);
  spec.objective.lambda.reset();
  spec.objective.C = 0.1;
  const Dataset data = read_dataset(path);
  const Fit result = fit(data, spec);
  EXPECT_EQ(result.outcome.termination, Termination::converged);
  EXPECT_EQ(verification_problems(data, result), "");
  EXPECT_NEAR(result.outcome.certificate.primal, 0.092706, 2e-6);
}

}  // namespace multiclass_test
}  // namespace seesaw
