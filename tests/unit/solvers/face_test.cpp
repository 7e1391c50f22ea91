// Steps on a face of the dual problem against D evaluated by hand.
#include "solvers/parts/dual/face.h"

#include <gtest/gtest.h>

#include "support/problems.h"

namespace seesaw {
namespace face_test {

using test::Storage;

Problem problem_of(const Dataset& data, std::string_view loss, double lambda) {
  Objective objective;
  objective.loss = loss;
  objective.lambda = lambda;
  objective.intercept = Intercept::none;
  return make_problem(data, objective);
}

// Some y_i at each bound of the domain, some inside it, some at 0.
std::vector<double> some_dual_point(const Problem& problem, std::uint64_t seed) {
  const auto& loss = std::get<PiecewiseQuadratic>(problem.scalar().loss);
  Rng rng(seed);
  std::vector<double> y(problem.n());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const Interval box = loss.domain(problem.scalar().target[i]);
    const double lo = std::max(box.lo, -2.0), hi = std::min(box.hi, 2.0), draw = rng.uniform();
    y[i] = draw < 0.15 ? lo : draw < 0.3 ? hi : draw < 0.4 ? 0 : lo + (hi - lo) * rng.uniform();
  }
  return y;
}

std::vector<double> w_of(const Problem& problem, const std::vector<double>& y) {
  std::vector<double> scaled(y), w(problem.d());
  for (std::size_t i = 0; i < y.size(); ++i) scaled[i] *= -problem.normalized_weight[i] / problem.penalty.l2();
  multiply_transposed(problem.data->rows, scaled.data(), w.data());
  return w;
}

std::vector<const LossKind*> losses() {
  std::vector<const LossKind*> kinds;
  for (const LossKind& kind : loss_kinds())
    if (kind.name != "logistic") kinds.push_back(&kind);
  return kinds;
}

TEST(Face, distinguishes_the_bounds_of_each_piece_of_the_domain) {
  const auto hinge = PiecewiseQuadratic::classification(0, 1);
  EXPECT_EQ(Face::place(hinge, 1, 0), Face::Place::high);
  EXPECT_EQ(Face::place(hinge, 1, -1), Face::Place::low);
  EXPECT_EQ(Face::place(hinge, 1, -0.5), Face::Place::inside);
  EXPECT_EQ(Face::place(hinge, -1, 0), Face::Place::low);
  EXPECT_EQ(Face::place(hinge, -1, 1), Face::Place::high);
  const auto tube = PiecewiseQuadratic::regression(0, 0.1, {-1, 1});  // |y| is nonsmooth at 0: a bound as well
  EXPECT_NE(Face::place(tube, 0.3, 0), Face::Place::inside);
  EXPECT_EQ(Face::place(tube, 0.3, 1e-9), Face::Place::inside);
  EXPECT_EQ(Face::place(tube, 0.3, -1e-9), Face::Place::inside);
  const auto absolute = PiecewiseQuadratic::regression(0, 0, {-1, 1});  // without a tube 0 is an interior point
  EXPECT_EQ(Face::place(absolute, 0.3, 0), Face::Place::inside);
}

TEST(Face, a_step_gains_what_it_returns_stays_in_the_domain_and_keeps_w) {
  int moved = 0;
  for (const LossKind* kind : losses())
    for (const Storage storage : test::all_storages)
      for (const double lambda : {1e-5, 0.01, 10.0}) {
        Dataset data = test::random_data(30, 12, kind->target, 9, storage);
        for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 3));
        const Problem problem = problem_of(data, kind->name, lambda);
        const auto& loss = std::get<PiecewiseQuadratic>(problem.scalar().loss);
        const std::vector<double> before = some_dual_point(problem, 4);
        std::vector<double> y = before, w = w_of(problem, y);
        double intercept = 0;
        Face face(problem, 0);
        const FaceStep step = face.ascend(y, w, intercept, {});
        const long double gain = test::slow_dual(problem, y) - test::slow_dual(problem, before);
        EXPECT_GE(step.gain, 0) << kind->name;
        EXPECT_NEAR(double(gain), step.gain, 1e-9 * std::max(1.0, std::abs(double(test::slow_dual(problem, before)))))
            << kind->name << " lambda " << lambda;
        const std::vector<double> expected = w_of(problem, y);
        for (std::size_t j = 0; j < w.size(); ++j)
          EXPECT_NEAR(w[j], expected[j], 1e-9 * (1 + std::abs(w[j]) + 1 / lambda));
        for (std::size_t i = 0; i < y.size(); ++i) {
          EXPECT_TRUE(loss.domain(problem.scalar().target[i]).contains(y[i])) << kind->name;
          if (Face::place(loss, problem.scalar().target[i], before[i]) != Face::Place::inside) {
            EXPECT_EQ(y[i], before[i]) << kind->name;  // not on the face
          }
          if (loss.insensitivity > 0) {
            EXPECT_GE(y[i] * before[i], 0) << kind->name;
          }
        }
        moved += step.gain > 0;
      }
  EXPECT_GT(moved, 90);  // of 108
}

// Without bounds one exact step reaches the maximum of D: ridge regression.
TEST(Face, of_the_squared_loss_contains_all_rows_and_one_step_solves_it) {
  Dataset data = test::random_data(30, 6, Target::number, 2);
  for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(1 + double(i % 2));
  const Problem problem = problem_of(data, "squared", 0.1);
  std::vector<double> y(problem.n(), 0.3), w = w_of(problem, y);
  double intercept = 0;
  Face face(problem, 0);
  face.ascend(y, w, intercept, {.steps = 200, .precision = 1e-12});
  std::vector<double> z(problem.n());
  multiply(problem.data->rows, w.data(), z.data());
  for (std::size_t i = 0; i < y.size(); ++i)
    if (i != 3) {  // y_i = phi_i'(z_i); row 3 is empty, and not in the face
      EXPECT_NEAR(y[i], z[i] - problem.scalar().target[i], 1e-9);
    }
  for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(face.unbounded()[j], w[j], 1e-12);
}

// The proximal term of a free intercept adds b S - S^2/(2 kappa_b) to D, S = sum c_i dy_i; b moves by -S/kappa_b.
TEST(Face, a_step_updates_the_free_intercept) {
  const Dataset data = test::random_data(30, 6, Target::sign, 3);
  for (const char* loss : {"hinge", "squared-hinge"}) {
    const Problem problem = problem_of(data, loss, 0.01);
    const std::vector<double> before = some_dual_point(problem, 8);
    std::vector<double> y = before, w = w_of(problem, y);
    const double start = 0.4, inverse_kappa_b = 25;
    double intercept = start;
    Face face(problem, inverse_kappa_b);
    const FaceStep step = face.ascend(y, w, intercept, {});
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += problem.normalized_weight[i] * (y[i] - before[i]);
    const double gain = double(test::slow_dual(problem, y) - test::slow_dual(problem, before)) + start * sum -
                        0.5 * inverse_kappa_b * sum * sum;
    EXPECT_GT(step.gain, 0);
    EXPECT_NEAR(gain, step.gain, 1e-10);
    EXPECT_NEAR(intercept, start - inverse_kappa_b * sum, 1e-12);
  }
}

}  // namespace face_test
}  // namespace seesaw
