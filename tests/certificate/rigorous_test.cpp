// Rigorous certificates against the same sums in quad precision, on data whose columns differ by 1e24, and against
// optima in closed form.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "model/certificate.h"
#include "model/rigorous/functions.h"
#include "model/rigorous/losses.h"
#include "model/rigorous/optimum_region.h"
#include "model/rigorous/products.h"
#include "run/fit.h"
#include "support/problems.h"
#include "support/quad.h"
#include "support/quad_objective.h"

namespace seesaw {
namespace rigorous_test {

using test::Matrix;
using test::Quad;
using test::quad_exp;
using test::quad_log;
using test::quad_log1p;

Quad exact(double v) { return v; }
Quad exact(rigorous::Twofold v) { return Quad(v.high) + v.low; }
template <class V>
bool holds(rigorous::Bounded<V> b, Quad truth) {
  return test::size(exact(b.value) - truth) <= Quad(b.error) * (1 + Quad(1e-9));
}

template <class V>
void expect_functions_hold() {
  using namespace rigorous;
  Rng rng(7);
  for (int i = 0; i < 2000; ++i) {
    const double x = i % 2 == 0 ? -40 * rng.uniform() : -std::exp(46 * rng.uniform() - 39.5);
    ASSERT_TRUE(holds(bounded_exp(V(x)), quad_exp(x))) << x;
    const double s = 0.5 * std::exp(-(i % 3 == 0 ? 600 : 6) * rng.uniform()), p = i % 2 == 0 ? s : 1 - s;
    ASSERT_TRUE(holds(bounded_log(V(s)), quad_log(s))) << s;
    ASSERT_TRUE(holds(bounded_log_one_plus(V(2 * s)), quad_log1p(2 * Quad(s)))) << s;
    ASSERT_TRUE(holds(bounded_log_one_plus(V(900 * s)), quad_log1p(900 * s))) << s;
    ASSERT_TRUE(holds(bounded_log_one_minus(V(s)), quad_log1p(-Quad(s)))) << s;
    const Quad entropy = (p > 0 ? p * quad_log(p) : 0) + (p < 1 ? (1 - Quad(p)) * quad_log1p(-Quad(p)) : 0);
    ASSERT_TRUE(holds(bounded_binary_entropy<V>(p), entropy)) << p;
    ASSERT_TRUE(
        holds(bounded_entropy(Bounded<V>(V(s), 1e-3 * s)), s * (1 + Quad(9e-4)) * quad_log(s * (1 + Quad(9e-4)))));
  }
}

TEST(Rigorous, exp_and_log_stay_within_their_bounds) {
  expect_functions_hold<double>();
  expect_functions_hold<rigorous::Twofold>();
}

TEST(Rigorous, sums_and_products_stay_within_their_bounds) {
  using namespace rigorous;
  Rng rng(3);
  for (int i = 0; i < 20000; ++i) {
    const double a = rng.normal(), b = rng.normal() * 1e-8, c = rng.normal() * 1e8;
    const Quad sum = Quad(a) * b + c, quotient = (Quad(a) * b) / c;
    ASSERT_TRUE(holds(Bounded<double>(a) * Bounded<double>(b) + Bounded<double>(c), sum));
    ASSERT_TRUE(holds(Bounded<Twofold>(a) * Bounded<Twofold>(b) + Bounded<Twofold>(c), sum));
    ASSERT_TRUE(holds(Bounded<double>(a) * Bounded<double>(b) / Bounded<double>(c), quotient));
    ASSERT_TRUE(holds(Bounded<Twofold>(a) * Bounded<Twofold>(b) / Bounded<Twofold>(c), quotient));
  }
  BoundedSum<double> cancelling;
  for (const double term : {1e16, 1.0, -1e16, 3e-17, 1e300, -1e300}) cancelling.add({term, 0});
  EXPECT_TRUE(holds(cancelling.value(), 1 + Quad(3e-17)));
}

// The Huber loss r^2 / 2, from |r| = t on t |r| - t^2 / 2, of scores with an error: near its change of form, and where the
// square of the error overflows.
template <class V>
void expect_huber_holds() {
  using namespace rigorous;
  Rng rng(5);
  for (int i = 0; i < 5000; ++i) {
    const double t = std::exp(4 * rng.normal()), b = rng.normal() * (i % 3 == 0 ? t : std::exp(690 * rng.uniform()));
    const double error = (i % 2 == 0 ? 1e-15 : 1e-3) * std::abs(b);
    const PiecewiseLoss loss{PiecewiseQuadratic::regression(1, 0, {-t, t})};
    const Bounded<V> value = loss.value(b, Bounded<V>(V(0.0), error));
    for (const double off : {-error, 0.0, error}) {
      const Quad r = test::size(Quad(off) - b);
      ASSERT_TRUE(holds(value, r <= t ? r * r / 2 : r * t - Quad(t) * t / 2)) << t << ' ' << b << ' ' << off;
    }
    ASSERT_LE(value.error, 0.01 * t * std::abs(b)) << t << ' ' << b;
  }
}

TEST(Rigorous, the_huber_loss_stays_within_its_bounds) {
  expect_huber_holds<double>();
  expect_huber_holds<rigorous::Twofold>();
}

void expect_guaranteed(const Problem& p, const Certificate& c, const Point& point, const std::string& what) {
  const test::QuadObjective truth = test::quad_objective(p, point);
  ASSERT_TRUE(std::isfinite(c.gap)) << what;
  EXPECT_TRUE(c.primal >= truth.primal) << what;
  Quad charge = 0;  // upper bound of the contribution of the free intercepts
  for (const Quad r : truth.rest) charge += test::size(r);
  EXPECT_TRUE(c.dual <= truth.dual + (p.free_intercept() ? charge * Quad(c.primal) * Quad(1e3) : 0)) << what;
  EXPECT_TRUE(c.gap >= Quad(c.primal) - Quad(c.dual)) << what;
  EXPECT_TRUE(c.gap >= 0) << what;
  if (p.penalty.l2() == 0) {
    EXPECT_TRUE(truth.largest_v <= p.penalty.l1()) << what;
  }
  // Tight: the added bound is below a millionth of the gap, or at the rounding of P itself.
  EXPECT_TRUE(c.primal - truth.primal <= Quad(1e-7) * c.gap + Quad(1e-15) * c.primal) << what;
  if (!p.free_intercept()) {
    EXPECT_TRUE(truth.dual - c.dual <= Quad(1e-7) * c.gap + Quad(1e-15) * c.primal) << what;
  }
  if (c.distance_bound) {
    EXPECT_TRUE(Quad(*c.distance_bound) * *c.distance_bound * p.penalty.l2() >= 2 * Quad(c.gap)) << what;
  }
}

void expect_guaranteed(const Problem& p, Point point, const std::string& what) {
  Certifier certifier(p);
  certifier.certify(point);
  const Certificate c = certifier.certify_rigorously(point);
  expect_guaranteed(p, c, point, what);
}

Dataset hostile(const Dataset& data, double spread, bool weighted, std::uint64_t seed) {
  Rng rng(seed);
  Matrix matrix = test::matrix_of(data);
  for (std::size_t j = 0; j < data.d(); ++j) {
    const double scale = std::pow(10.0, spread * (2 * rng.uniform() - 1));
    for (auto& row : matrix) row[j] *= scale * (1 + 1e-3 * rng.uniform());
  }
  Dataset result = test::table(matrix, seed % 2 == 0 ? test::Storage::sparse : test::Storage::dense);
  result.labels = data.labels;
  result.source = "hostile";
  if (weighted)
    for (std::size_t i = 0; i < data.n(); ++i) result.weights.push_back(0.1 + rng.uniform());
  return result;
}

Point some_point(const Problem& p, std::uint64_t seed, double size) {
  Rng rng(seed);
  size /= std::max(1.0, p.penalty.l2());
  Point point;
  for (std::size_t j = 0; j < p.d() * p.outputs(); ++j) point.x.push_back(size * rng.normal());
  for (std::size_t i = 0; i < p.n() * p.outputs(); ++i) point.y.push_back(rng.normal());
  for (std::size_t k = 0; k < p.outputs(); ++k) point.intercept.push_back(rng.normal());
  point.intercept.resize(p.outputs());
  return point;
}

TEST(Rigorous, bounds_hold_for_every_loss_penalty_intercept_and_weights) {
  std::uint64_t seed = 0;
  for (const auto* kinds : {&loss_kinds(), &block_loss_kinds()})
    for (const LossKind& kind : *kinds)
      for (const auto& [lambda, l1] : {std::pair{0.2, 0.0}, {0.2, 0.05}, {0.0, 0.05}, {1e-25, 0.0}, {1e300, 0.0}})
        for (const Intercept intercept : {Intercept::none, Intercept::free})
          for (const double spread : {0.0, 12.0}) {
            const bool classes = kind.make_block != nullptr, weighted = ++seed % 3 == 0;
            const Dataset data =
                hostile(classes ? test::random_classes(30, 4, 3, seed) : test::random_data(30, 4, kind.target, seed),
                        spread, weighted, seed);
            Objective objective;
            objective.loss = kind.name;
            if (kind.name == "quantile") objective.loss_parameter = 0.1;
            objective.lambda = lambda;
            objective.l1 = l1;
            objective.intercept = intercept;
            if (kind.target != Target::number && seed % 4 == 0) objective.balanced = true;
            const Problem p = make_problem(data, objective);
            for (const double size : {1e-6, 1e-2, 1.0})
              expect_guaranteed(p, some_point(p, seed, size),
                                fmt::format("{} lambda {} l1 {} intercept {} spread {} seed {} size {}", kind.name,
                                            lambda, l1, name_of(intercept), spread, seed, size));
          }
}

// One certifier along a path, as for its intervals: what it keeps of x and y holds at every penalty, also where l1 alone
// scales y, and has the bits of a new certifier where it does not.
TEST(Rigorous, certificates_of_one_point_hold_at_several_penalties) {
  for (const char* loss : {"squared", "logistic", "hinge", "softmax"})
    for (const auto& [lambda, l1] : {std::pair{0.2, 0.0}, {0.2, 0.05}, {0.0, 0.05}})
      for (const Intercept intercept : {Intercept::none, Intercept::free})
        for (const test::Storage storage : {test::Storage::sparse, test::Storage::dense}) {
          const bool classes = std::string_view(loss) == "softmax";
          const Target target = std::string_view(loss) == "squared" ? Target::number : Target::sign;
          const Dataset data =
              classes ? test::random_classes(90, 21, 3, 4) : test::random_data(90, 21, target, 4, storage);
          Objective objective;
          objective.loss = loss;
          objective.intercept = intercept;
          objective.lambda = lambda;
          objective.l1 = l1;
          Problem p = make_problem(data, objective);
          Certifier certifier(p);
          Point given = some_point(p, 6, 0.01);
          certifier.certify(given);
          for (const double factor : {1.0, 0.3, 0.1, 2.0, 1.0}) {
            objective.lambda = factor * lambda;
            objective.l1 = factor * l1;
            p.penalty = make_problem(data, objective).penalty;
            Point point = given, again = given;
            const Certificate c = certifier.certify_rigorously(point), fresh = Certifier(p).certify_rigorously(again);
            const std::string what = fmt::format("{} lambda {} l1 {} factor {}", loss, lambda, l1, factor);
            expect_guaranteed(p, c, point, what);
            EXPECT_EQ(c.dual_point, fresh.dual_point) << what;
            EXPECT_EQ(c.primal, fresh.primal) << what;
            if (lambda > 0) {
              EXPECT_EQ(c.dual, fresh.dual) << what;
            }
          }
        }
}

// Dense rows are summed a few columns at a time, with the operations of sparse rows that have the same entries.
TEST(Rigorous, products_have_the_same_bits_for_dense_and_sparse_rows) {
  for (const std::size_t d : {1u, 3u, 16u, 23u, 300u}) {
    Matrix matrix = test::random_matrix(2500, d, 9);
    for (auto& row : matrix)
      for (double& a : row)
        if (a == 0) a = 0.5;  // sparse rows have all entries
    std::vector<double> w(matrix.size());
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = i % 5 == 0 ? 0 : std::sin(double(i));
    std::vector<rigorous::Twofold> fine(w.begin(), w.end());
    for (rigorous::Twofold& t : fine) t.low = 1e-17 * t.high;
    std::vector<std::vector<rigorous::Bounded<double>>> q(2);
    std::vector<std::vector<rigorous::Bounded<rigorous::Twofold>>> fine_q(2);
    for (const std::size_t k : {0u, 1u}) {
      const Dataset data = test::table(matrix, k == 0 ? test::Storage::sparse : test::Storage::dense);
      rigorous::multiply_transposed(data.rows, w, 1e-16, 1, q[k]);
      rigorous::multiply_transposed(data.rows, fine, 1e-30, 1, fine_q[k]);
    }
    for (std::size_t j = 0; j < d; ++j) {
      EXPECT_EQ(q[0][j].value, q[1][j].value);
      EXPECT_EQ(q[0][j].error, q[1][j].error);
      EXPECT_EQ(fine_q[0][j].value.high, fine_q[1][j].value.high);
      EXPECT_EQ(fine_q[0][j].value.low, fine_q[1][j].value.low);
      EXPECT_EQ(fine_q[0][j].error, fine_q[1][j].error);
      Quad truth = 0;
      for (std::size_t i = 0; i < w.size(); ++i) truth += Quad(matrix[i][j]) * w[i];
      EXPECT_TRUE(holds(q[1][j], truth));
    }
  }
}

// One feature, squared loss: P* = sum c b^2/2 - (sum c a b)^2 / (2 (sum c a^2 + lambda)).
TEST(Rigorous, interval_contains_an_optimum_in_closed_form) {
  for (int at = 0; at < 200; ++at) {
    Rng rng(static_cast<std::uint64_t>(at));
    const double lambda = std::pow(10.0, -25 + 325 * rng.uniform()), scale = std::pow(10.0, 24 * rng.uniform() - 12);
    Matrix matrix(7, std::vector<double>(1));
    for (auto& row : matrix) row[0] = scale * rng.normal();
    Dataset data = test::table(matrix);
    for (double& b : data.labels) b = rng.normal();
    data.weights = {1, 2, 0.3, 4, 5, 0.1, 7};
    Objective objective;
    objective.loss = "squared";
    objective.lambda = lambda;
    objective.intercept = Intercept::none;
    const Problem p = make_problem(data, objective);
    Quad total = 0, bb = 0, ab = 0, aa = 0;
    for (std::size_t i = 0; i < 7; ++i) {
      const Quad s = data.weights[i], a = matrix[i][0], b = data.labels[i];
      total += s;
      bb += s * b * b;
      ab += s * a * b;
      aa += s * a * a;
    }
    const Quad x = ab / (aa + total * lambda), best = bb / (2 * total) - ab * x / (2 * total);
    Point point{{static_cast<double>(x)}, {0.0}, {}};
    for (std::size_t i = 0; i < 7; ++i) point.y.push_back(static_cast<double>(x * matrix[i][0] - data.labels[i]));
    const Certificate c = Certifier(p).certify_rigorously(point);
    EXPECT_TRUE(c.dual <= best && best <= c.primal) << at;
    // For small lambda, y rounded to double cannot be better: |v - v*|^2/(2 lambda) is of the order of (u a)^2/lambda.
    if (aa <= Quad(1e12) * total * lambda) {
      EXPECT_LE(c.gap, 1e-13 * c.primal) << at;
    }
  }
}

TEST(Rigorous, reports_if_there_is_no_guarantee) {
  const Dataset data = test::random_data(20, 3, Target::sign, 4);
  Objective objective;
  objective.loss = "hinge";
  objective.lambda = 0;
  const Problem p = make_problem(data, objective);
  Point point = some_point(p, 3, 0.1);
  EXPECT_FALSE(Certifier(p).certify_rigorously(point).guaranteed);
}

TEST(Rigorous, dual_points_are_clipped) {
  const Dataset data = test::random_data(20, 3, Target::sign, 4);
  Objective objective;
  objective.loss = "logistic";
  objective.lambda = 0.1;
  const Problem p = make_problem(data, objective);
  Point point{std::vector<double>(3, 0.1), {0.0}, std::vector<double>(20, NAN)};
  point.y[1] = infinity;
  point.y[2] = -infinity;
  const Certificate c = Certifier(p).certify_rigorously(point);
  EXPECT_TRUE(std::isfinite(c.gap));
  EXPECT_GE(c.dual, 0);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_TRUE(Logistic{}.domain(p.scalar().target[i]).contains(point.y[i]));
  point.x[0] = NAN;
  EXPECT_EQ(Certifier(p).certify_rigorously(point).gap, infinity);
}

TEST(Rigorous, a_timestamp_among_unit_features_is_certified_correctly) {
  Rng rng(5);
  Matrix matrix(200, std::vector<double>(4));
  std::vector<double> labels;
  for (auto& row : matrix) {
    for (double& value : row) value = rng.normal();
    row[2] = 1.7e9 + 1e6 * rng.uniform();
    labels.push_back(row[0] + 0.3 * rng.normal() > 0 ? 1 : -1);
  }
  Dataset data = test::table(matrix, test::Storage::dense);
  data.labels = labels;
  for (const char* loss : {"logistic", "squared-hinge"})
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      FitSpec spec;
      spec.objective.loss = loss;
      spec.objective.lambda = 1e-3;
      spec.objective.intercept = intercept;
      spec.solver.name = "newton";
      spec.criteria.max_passes = 3000;
      const Outcome outcome = fit(data, spec).outcome;
      const Certificate& c = outcome.certificate;
      EXPECT_EQ(outcome.termination, Termination::converged) << loss;
      const test::QuadObjective truth = test::quad_objective(make_problem(data, spec.objective), outcome.point);
      EXPECT_TRUE(c.primal >= truth.primal) << loss;
      if (intercept == Intercept::none) {
        EXPECT_TRUE(c.dual <= truth.dual) << loss;
      }
      EXPECT_EQ(outcome.trace.back().gap, c.gap);  // the last row of the trace is the guaranteed one
      EXPECT_EQ(outcome.trace.back().primal, c.primal);
      EXPECT_EQ(outcome.trace.back().dual, c.dual);
    }
}

TEST(Rigorous, has_the_same_bits_for_any_number_of_threads) {
  const Dataset data = test::random_data(9000, 6, Target::sign, 8);
  Objective objective;
  objective.loss = "logistic";
  objective.lambda = 0.01;
  const Problem p = make_problem(data, objective);
  std::vector<Certificate> found;
  for (const std::size_t threads : {1u, 2u, 4u}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    Point point = some_point(p, 3, 0.1);
    found.push_back(Certifier(p).certify_rigorously(point));
  }
  for (const Certificate& c : found) {
    EXPECT_EQ(c.primal, found[0].primal);
    EXPECT_EQ(c.dual, found[0].dual);
    EXPECT_EQ(c.gap, found[0].gap);
  }
}

// The region from the products of the certificate has the bits of one that computes them again, near the optimum and far
// from it, and contains x.
TEST(Rigorous, region_does_not_depend_on_who_computed_the_products) {
  for (const char* loss : {"hinge", "squared-hinge", "logistic", "softmax"})
    for (const Intercept intercept : {Intercept::none, Intercept::free})
      for (const double gap : {1e-1, 1e-4, 1e-12}) {
        const bool block = std::string_view(loss) == "softmax";
        const Dataset data = test::random_data(300, 11, block ? Target::index : Target::sign, 5);
        FitSpec spec;
        spec.objective.loss = loss;
        spec.objective.lambda = 0.01;
        spec.objective.intercept = intercept;
        spec.solver.name = "sdca";
        spec.criteria.gap = gap;
        spec.criteria.max_passes = 300;
        const Fit fitted = fit(data, spec);
        ASSERT_TRUE(fitted.model.optimum.has_value()) << loss;
        const Problem problem = make_problem(data, spec.objective);
        const auto again = optimum_region(problem, fitted.outcome.point, fitted.outcome.certificate);
        ASSERT_TRUE(again.has_value()) << loss;
        EXPECT_EQ(again->centre, fitted.model.optimum->centre) << loss << " " << gap;
        EXPECT_EQ(again->radius, fitted.model.optimum->radius) << loss << " " << gap;
        for (std::size_t k = 0; k < again->intercept.size(); ++k) {
          const Interval &one = again->intercept[k], &other = fitted.model.optimum->intercept[k];
          EXPECT_EQ(one.lo, other.lo) << loss << " " << gap;
          EXPECT_EQ(one.hi, other.hi) << loss << " " << gap;
          EXPECT_LE(one.lo, fitted.model.intercept[k]);
          EXPECT_GE(one.hi, fitted.model.intercept[k]);
        }
      }
}

}  // namespace rigorous_test
}  // namespace seesaw
