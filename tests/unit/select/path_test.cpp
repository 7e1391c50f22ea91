// Paths: the claim is tested by independent, accurate fits at values between those that were fitted.
#include "select/path.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "seesaw/error.h"
#include "select/path_file.h"
#include "select/segment.h"
#include "solvers/catalog.h"
#include "support/problems.h"
#include "support/scratch_folder.h"

namespace seesaw {
namespace path_test {

struct Case {
  const char* loss;
  const char* penalty;  // "l2", "l1", "kept", "mix"
  Intercept intercept = Intercept::free;
  std::size_t classes = 2;
};

PathRequest empty_request() {
  PathRequest request;
  request.fit.solver.name = default_solver;
  return request;
}

PathRequest request_of(const Case& c) {
  PathRequest request = empty_request();
  request.fit.objective.loss = c.loss;
  request.fit.objective.intercept = c.intercept;
  const std::string penalty = c.penalty;
  if (penalty == "l1") request.l1 = Interval{1e-3, 0.5};
  else request.lambda = Interval{1e-4, 10};
  if (penalty == "kept") request.fit.objective.l1 = 0.01;
  if (penalty == "mix") request.mix = 0.5;
  request.accuracy = 1e-2;
  request.fit.criteria.gap = request.standard_gap();
  return request;
}

Dataset data_of(const Case& c) {
  if (c.classes > 2) return test::random_classes(60, 4, c.classes, 5);
  return test::random_data(60, 5, loss_kind(c.loss).target, 4);
}

// P of the model at the coefficients of `at`, evaluated apart from the path: a certificate of (x, b) and y = 0.
double primal_of(const Dataset& data, const LinearModel& model, const Objective& at) {
  const Problem problem = make_problem(data, at);
  const std::size_t K = problem.outputs();
  if (!problem.is_one_versus_rest()) {
    Point point{model.x, model.intercept, std::vector<double>(data.n() * K)};
    return Certifier(problem).certify_rigorously(point).primal;
  }
  double sum = 0;
  for (std::size_t k = 0; k < K; ++k) {
    Point point{{}, {model.intercept[k]}, std::vector<double>(data.n())};
    for (std::size_t j = k; j < model.x.size(); j += K) point.x.push_back(model.x[j]);
    const Problem one = class_problem(problem, k);
    sum += Certifier(one).certify_rigorously(point).primal;
  }
  return sum;
}

// The bounds that the path has at t, against an accurate fit there.
void expect_bounds_at(double t, const Path& path, const Dataset& data, const PathRequest& request, double accuracy) {
  const auto found = covering(path, t);
  ASSERT_TRUE(found);
  FitSpec spec = request.fit;
  spec.objective.lambda = path.line.lambda_at(t);
  spec.objective.l1 = path.line.l1_at(t);
  if (spec.objective.lambda == 0) spec.objective.lambda.reset();
  spec.criteria.gap = 1e-9;
  const Fit accurate = fit(data, spec);
  const double optimum_low = accurate.model.certificate->dual, optimum_high = accurate.model.certificate->primal;
  const double primal = primal_of(data, model_of(path, *found->point, found->point->certificate), spec.objective);
  EXPECT_LE(primal, (1 + accuracy) * optimum_high * (1 + 1e-12)) << "t = " << t;
  EXPECT_LE(primal, found->bounds.primal * (1 + 1e-12)) << "t = " << t;  // the interpolated bounds
  EXPECT_GE(optimum_high, found->bounds.dual * (1 - 1e-12)) << "t = " << t;
  EXPECT_LE(primal - optimum_high, found->bounds.gap * (1 + 1e-9) + 1e-12 * primal);
  EXPECT_GE(optimum_low * (1 + 1e-8), found->bounds.dual) << "t = " << t;
}

void expect_the_claim(const Case& c) {
  SCOPED_TRACE(testing::Message() << c.loss << " " << c.penalty);
  const Dataset data = data_of(c);
  const PathRequest request = request_of(c);
  const PathRun run = fit_path(data, request);
  const Path& path = run.path;
  ASSERT_TRUE(path.complete()) << name_of(run.termination);
  EXPECT_TRUE(uncovered(path.points, path.range).empty());
  Rng rng(9);
  for (int trial = 0; trial < 12; ++trial) {
    const double t = path.range.lo * std::pow(path.range.hi / path.range.lo, rng.uniform());
    expect_bounds_at(t, path, data, request, path.tolerance.relative);
  }
}

TEST(Path, covers_every_value_of_its_range_l2) {
  for (const char* loss : {"hinge", "smooth-hinge", "squared-hinge", "logistic", "squared", "absolute", "quantile",
                           "huber", "epsilon-insensitive", "squared-epsilon-insensitive"})
    expect_the_claim({loss, "l2"});
  expect_the_claim({"hinge", "l2", Intercept::none});
}
TEST(Path, covers_every_value_of_its_range_l1) {
  for (const char* loss : {"logistic", "squared", "squared-hinge", "huber"}) expect_the_claim({loss, "l1"});
}
TEST(Path, covers_every_value_of_its_range_elastic_net) {
  for (const char* loss : {"logistic", "hinge", "squared"}) {
    expect_the_claim({loss, "kept"});
    expect_the_claim({loss, "mix"});
  }
}
TEST(Path, covers_every_value_of_its_range_multiclass) {
  expect_the_claim({"softmax", "l2", Intercept::free, 3});
  expect_the_claim({"softmax", "mix", Intercept::none, 3});
  expect_the_claim({"multiclass-hinge", "l2", Intercept::none, 3});
  expect_the_claim({"logistic", "l2", Intercept::free, 3});
  expect_the_claim({"logistic", "l1", Intercept::free, 3});
}

TEST(Path, of_a_grid_has_its_values_and_gaps) {
  const Dataset data = test::random_data(60, 5, Target::number, 4);
  PathRequest request = empty_request();
  request.fit.objective.loss = "squared";
  request.fit.objective.regularizer = "l1";
  request.points = 20;
  request.fit.criteria.gap = request.standard_gap();
  const PathRun run = fit_path(data, request);
  ASSERT_TRUE(run.path.complete());
  ASSERT_EQ(run.path.points.size(), 20u);
  for (const double x : run.path.points[0].point.x) EXPECT_EQ(x, 0);  // the smallest l1 that gives x = 0
  EXPECT_EQ(run.path.points.back().t(), run.path.range.lo);
  EXPECT_NEAR(run.path.range.lo / run.path.range.hi, 1e-4, 1e-16);
  for (std::size_t k = 0; k < 20; ++k) {
    EXPECT_LE(run.path.points[k].certificate.certificate.relative_gap(), 1e-6);
    EXPECT_NEAR(run.path.points[k].t() / (run.path.range.hi * std::pow(10, -4.0 * double(k) / 19)), 1, 1e-12);
  }
}

// 1/(C sum s) of the C that is shown for a point, 1/(t sum s), may differ from t by rounding.
TEST(Path, the_C_of_a_point_leads_back_to_it) {
  const Dataset data = test::random_data(60, 5, Target::sign, 4);
  for (const double low : {0.009024612240888675, 0.0137, 0.3, 0.77}) {
    PathRequest request = empty_request();
    request.fit.objective.loss = "squared-hinge";
    request.C = Interval{low, 1.1};
    request.points = 7;
    request.fit.criteria.gap = request.standard_gap();
    const PathRun run = fit_path(data, request);
    for (const PathPoint& point : run.path.points)
      for (const double C : {1 / (point.t() * run.path.total_weight), 1 / point.t() / run.path.total_weight}) {
        const auto found = covering(run.path, t_of_C(run.path, C));
        ASSERT_TRUE(found);
        EXPECT_EQ(found->point, &point);
      }
    EXPECT_FALSE(covering(run.path, t_of_C(run.path, low * (1 - 1e-12))));
    EXPECT_FALSE(covering(run.path, t_of_C(run.path, 1.1 * (1 + 1e-12))));
  }
}

// Between the values of a grid: bounds from the certificates of the two neighbours alone.
TEST(Path, of_a_grid_has_bounds_between_its_values) {
  for (const Case& c : {Case{"logistic", "l1"}, Case{"squared", "l1", Intercept::none}, Case{"huber", "l1"},
                        Case{"hinge", "l2"}, Case{"squared", "mix"}, Case{"logistic", "kept"},
                        Case{"softmax", "l2", Intercept::free, 3}, Case{"logistic", "l1", Intercept::free, 3}}) {
    SCOPED_TRACE(testing::Message() << c.loss << " " << c.penalty);
    const Dataset data = data_of(c);
    PathRequest request = request_of(c);
    request.points = 9;
    request.fit.criteria.gap = request.standard_gap();
    if (c.classes == 2) request.fit.objective.penalty_factors = {1, 0.5, 2, 1, 1};
    const PathRun run = fit_path(data, request);
    const Path& path = run.path;
    ASSERT_TRUE(path.complete()) << name_of(run.termination);
    Rng rng(3);
    for (std::size_t k = 0; k + 1 < path.points.size(); ++k) {
      EXPECT_FALSE(path.points[k].coverage);
      const auto segment = Segment::of(path, path.points[k], path.points[k + 1]);
      ASSERT_TRUE(segment);
      const double above = path.points[k].t(), below = path.points[k + 1].t();
      const double t = below * std::pow(above / below, rng.uniform()), largest = segment->largest_relative_gap();
      const Bounds at = segment->at(t).bounds;
      EXPECT_LE(at.gap, largest * at.dual + 1e-14 * at.primal) << "t = " << t;
      expect_bounds_at(t, path, data, request, largest);
      EXPECT_TRUE(segment->holds({largest * (1 + 1e-12), 0}));
      EXPECT_TRUE(largest <= 1e-5 || !segment->holds({0.9 * largest, 0}));
    }
  }
}

// A scan finds no larger gap than the closed form, and one that is nearly as large.
TEST(Segment, the_largest_gap_agrees_with_a_scan) {
  Path path;
  path.line.l1_per = 1;
  path.frame.x = {0, 0};
  const auto point = [](double t, double x, double primal, double dual) {
    PathPoint p;
    p.certificate.t = t;
    p.certificate.certificate.primal = primal;
    p.certificate.certificate.dual = dual;
    p.certificate.certificate.gap = primal - dual;
    p.point.x = {x, -0.5 * x};
    return p;
  };
  const PathPoint above = point(2, 0.4, 3, 2.99), below = point(1, 0.9, 2.2, 2.19);  // rates 0.6 and 1.35
  const auto segment = Segment::of(path, above, below);
  ASSERT_TRUE(segment);
  double largest = 0;
  for (int k = 0; k <= 1000; ++k) {
    const double t = 1 + 1e-3 * k, dual = 2.99 * (t - 1) + 2.19 * (2 - t);
    const double primal = std::min(3 + 0.6 * (t - 2), 2.2 + 1.35 * (t - 1));
    const Segment::At at = segment->at(t);
    EXPECT_NEAR(at.bounds.primal, primal, 1e-12);
    EXPECT_NEAR(at.bounds.dual, dual, 1e-12);
    EXPECT_GE(at.bounds.primal, primal * (1 - 1e-15));
    EXPECT_LE(at.bounds.dual, dual * (1 + 1e-15));
    EXPECT_EQ(at.above, 3 + 0.6 * (t - 2) < 2.2 + 1.35 * (t - 1));
    largest = std::max(largest, primal / dual - 1);
  }
  EXPECT_GE(segment->largest_relative_gap(), largest * (1 - 1e-12));
  EXPECT_NEAR(segment->largest_relative_gap(), largest, 1e-3 * largest);
  PathPoint unproved = below;
  unproved.certificate.certificate.guaranteed = false;
  EXPECT_FALSE(Segment::of(path, above, unproved));
}

TEST(Path, is_interrupted_with_what_is_done) {
  const Dataset data = test::random_data(200, 20, Target::sign, 4);
  PathRequest request = request_of({"logistic", "l2"});
  struct Count final : PathObserver {
    void added(const Path&, const PathPoint&) override { ++points; }
    int points = 0;
  } count;
  const PathRun run = fit_path(data, request, &count, {}, [&] { return count.points >= 2; });
  EXPECT_EQ(run.termination, Termination::interrupted);
  EXPECT_FALSE(run.path.complete());
  EXPECT_GE(run.path.points.size(), 2u);
  EXPECT_FALSE(uncovered(run.path.points, run.path.range).empty());
}

TEST(Path, the_same_file_for_any_run_and_reads_back) {
  const test::ScratchFolder folder;
  for (const Case& c : {Case{"logistic", "l1"}, Case{"logistic", "l2", Intercept::free, 3}}) {
    const Dataset data = data_of(c);
    const Path path = fit_path(data, request_of(c)).path;
    const std::string name = folder.path("a.path");
    write_path(path, name);
    EXPECT_TRUE(is_path_file(name));
    const Path again = read_path(name, true);
    ASSERT_EQ(again.points.size(), path.points.size());
    EXPECT_EQ(again.range.lo, path.range.lo);
    EXPECT_EQ(again.frame.data_hash, path.frame.data_hash);
    for (std::size_t k = 0; k < path.points.size(); ++k) {
      EXPECT_EQ(again.points[k].point.x, path.points[k].point.x);
      EXPECT_EQ(again.points[k].point.y, path.points[k].point.y);
      EXPECT_EQ(again.points[k].point.intercept, path.points[k].point.intercept);
      EXPECT_EQ(again.points[k].t(), path.points[k].t());
      EXPECT_EQ(again.points[k].coverage->lower.t, path.points[k].coverage->lower.t);
      EXPECT_EQ(again.points[k].coverage->lower.dual_scale, path.points[k].coverage->lower.dual_scale);
      EXPECT_EQ(again.points[k].coverage->upper.certificate.gap, path.points[k].coverage->upper.certificate.gap);
      EXPECT_EQ(again.points[k].certificate.classes.size(), c.classes > 2 ? c.classes : 0u);
    }
    std::filesystem::remove(name + ".dual");
    EXPECT_THROW(read_path(name, true), Error);
    EXPECT_EQ(read_path(name, false).points.size(), path.points.size());
  }
}

TEST(Path, uncovered_parts_are_found) {
  const auto point = [](double lo, double hi) {
    PathPoint p;
    p.coverage = Coverage{};
    p.coverage->lower.t = lo;
    p.coverage->upper.t = hi;
    return p;
  };
  const Interval range{1, 10};
  EXPECT_TRUE(uncovered({point(4, 10), point(1, 4)}, range).empty());
  EXPECT_TRUE(uncovered({point(3, 10), point(5, 6), point(0.5, 3.5)}, range).empty());
  const auto holes = uncovered({point(8, 9), point(2, 4)}, range);
  ASSERT_EQ(holes.size(), 3u);
  EXPECT_EQ(holes[0].lo, 9);
  EXPECT_EQ(holes[1].lo, 4);
  EXPECT_EQ(holes[1].hi, 8);
  EXPECT_EQ(holes[2].hi, 2);
  EXPECT_EQ(uncovered({}, range).size(), 1u);
}

TEST(PathRequest, refuses_what_is_no_path) {
  const Dataset data = test::random_data(20, 3, Target::sign, 1);
  const auto refused = [&](const auto& change) {
    PathRequest request = empty_request();
    request.fit.objective.loss = "logistic";
    change(request);
    EXPECT_THROW(fit_path(data, request), Error);
  };
  refused([](PathRequest& r) { r.lambda = Interval{1, 0.1}; });
  refused([](PathRequest& r) { r.lambda = Interval{0, 1}; });
  refused([](PathRequest& r) { r.C = Interval{1, infinity}; });
  refused([](PathRequest& r) { r.C = r.lambda = Interval{0.1, 1}; });
  refused([](PathRequest& r) { r.accuracy = 0; });
  refused([](PathRequest& r) { r.mix = 1.0; });
  refused([](PathRequest& r) { r.points = 1; });
  refused([](PathRequest& r) { r.fit.objective.C = 1.0; });
  refused([](PathRequest& r) { r.fit.objective.lambda = 1.0; });
  refused([](PathRequest& r) { r.fit.objective.regularizer = "none"; });
  refused([](PathRequest& r) { r.fit.objective.regularizer = "elastic-net", r.lambda = Interval{0.1, 1}; });
  refused([](PathRequest& r) { r.fit.objective.regularizer = "l1", r.lambda = Interval{0.1, 1}; });
  refused([](PathRequest& r) { r.fit.objective.l1 = 0.1; });
}

}  // namespace path_test
}  // namespace seesaw
