// The generic saddle problem: against closed forms and a slow reference. tests/reference/saddle_steps_test.cpp has its steps.
#include "seesaw/saddle.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <memory>
#include <numeric>

#include "base/rng.h"
#include "seesaw/error.h"

namespace seesaw::saddle {
namespace saddle_test {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr Method methods[] = {Method::bpd, Method::spdc, Method::adaspdc, Method::spdhg, Method::sdca};

Matrix random_matrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Rng rng(seed);
  return Matrix::NullaryExpr(rows, columns, [&] { return rng.normal(); });
}

ScoreRow dense_row(const Eigen::RowVectorXd& values) {
  ScoreRow row;
  for (Eigen::Index j = 0; j < values.size(); ++j) {
    row.columns.push_back(static_cast<std::uint32_t>(j));
    row.values.push_back(values[j]);
  }
  return row;
}

// Row i of A for target k of K: x has K numbers per feature.
ScoreRow row_of_target(const Eigen::RowVectorXd& a, std::uint32_t k, std::uint32_t K) {
  ScoreRow row = dense_row(a);
  for (std::uint32_t& column : row.columns) column = column * K + k;
  return row;
}

// The same function, whose values are not known.
class OnlyProx final : public BlockFunction {
 public:
  explicit OnlyProx(std::shared_ptr<const BlockFunction> of) : of_(std::move(of)) {}
  void dual_step(std::span<const double> z, std::span<const double> y0, double q, std::span<double> y) const override {
    of_->dual_step(z, y0, q, y);
  }
  double strong_convexity() const override { return of_->strong_convexity(); }

 private:
  std::shared_ptr<const BlockFunction> of_;
};

struct Ridge {
  Matrix A = random_matrix(30, 6, 3), B = random_matrix(30, 4, 4);
  double lambda = 0.05;
  Matrix solution() const {  // of 1/(2n) |A X - B|^2 + lambda/2 |X|^2
    const double n = 30;
    return (A.transpose() * A / n + lambda * Matrix::Identity(6, 6)).ldlt().solve(A.transpose() * B / n);
  }
  Problem problem(bool with_values = true) const {
    Problem result(6 * 4, std::make_shared<Quadratic>(lambda));
    for (Eigen::Index i = 0; i < 30; ++i) {
      std::vector<ScoreRow> rows;
      for (std::uint32_t k = 0; k < 4; ++k) rows.push_back(row_of_target(A.row(i), k, 4));
      const Vector b = B.row(i);
      std::shared_ptr<const BlockFunction> phi =
          std::make_shared<SquaredDistance>(std::vector<double>(b.begin(), b.end()));
      if (!with_values) phi = std::make_shared<OnlyProx>(phi);
      result.add(rows, phi, 1.0 / 30);
    }
    return result;
  }
  double distance(const std::vector<double>& x) const {
    const Matrix X = solution();
    double most = 0;
    for (Eigen::Index j = 0; j < 6; ++j)
      for (Eigen::Index k = 0; k < 4; ++k)
        most = std::max(most, std::abs(X(j, k) - x[static_cast<std::size_t>(j * 4 + k)]));
    return most;
  }
};

TEST(Saddle, blocks_of_several_targets_give_the_closed_form_of_ridge_by_every_method) {
  const Ridge ridge;
  const Problem problem = ridge.problem();
  for (std::size_t i = 0; i < problem.blocks(); ++i)
    EXPECT_NEAR(problem.norm(i), ridge.A.row(static_cast<Eigen::Index>(i)).norm(), 1e-13);
  for (const Method method : methods) {
    const Result result = solve(problem, {.method = method, .gap = 1e-12});
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.gap, 1e-12 * std::max(1.0, result.primal));
    EXPECT_GE(result.gap, -1e-14);
    EXPECT_LE(ridge.distance(result.x), 1e-5);
  }
}

TEST(Saddle, without_values_it_ends_by_the_residuals) {
  const Ridge ridge;
  const Problem problem = ridge.problem(false);
  for (const Method method : methods) {
    const Result result = solve(problem, {.method = method, .gap = 1e-9});
    EXPECT_TRUE(result.converged);
    EXPECT_TRUE(std::isnan(result.gap));
    EXPECT_LE(std::max(result.primal_residual, result.dual_residual), 1e-9);
    EXPECT_LE(ridge.distance(result.x), 1e-7);
  }
}

// q rows of d columns, of which the columns 1, 3, 5, ... have entries. Bounds of large blocks are at most 1/sqrt(0.9) above.
TEST(Saddle, norm_of_a_block_is_its_largest_singular_value) {
  struct Shape {
    Eigen::Index q, d;
  };
  for (const auto& [q, d] : {Shape{1, 8},
                             {2, 8},
                             {5, 8},
                             {64, 8},
                             {65, 8},
                             {70, 8},
                             {300, 8},
                             {100, 400},
                             {500, 128},
                             {3, 1},
                             {129, 129},
                             {140, 600},
                             {700, 150}}) {
    const Matrix A = random_matrix(q, d, 11);
    Problem problem(static_cast<std::size_t>(2 * d), std::make_shared<Quadratic>(1.0));
    std::vector<ScoreRow> rows;
    for (Eigen::Index k = 0; k < q; ++k) {
      rows.push_back(dense_row(A.row(k)));
      for (std::uint32_t& column : rows.back().columns) column = 2 * column + 1;
    }
    problem.add(rows, std::make_shared<Norm>(1.0));
    const double exact = std::sqrt(Eigen::SelfAdjointEigenSolver<Matrix>(A.transpose() * A).eigenvalues().maxCoeff());
    const double above = std::min(q, d) <= 128 ? 1 : 1 / std::sqrt(0.9);
    EXPECT_GE(problem.norm(0), (1 - 1e-12) * exact) << q << " x " << d;
    EXPECT_LE(problem.norm(0), (1 + 1e-12) * above * exact) << q << " x " << d;
  }
}

// Singular values that are hard for a random start: all equal; one a little above many; one far above; rank 1.
TEST(Saddle, norm_of_a_large_block_is_an_upper_bound) {
  constexpr Eigen::Index size = 150;
  for (const double largest : {1.0, 1.01, 1.2, 30.0, 0.0}) {
    Problem problem(size, std::make_shared<Quadratic>(1.0));
    std::vector<ScoreRow> rows;
    for (std::uint32_t k = 0; k < size; ++k) {
      Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(size);
      if (largest == 0) row.setOnes();
      else row[k] = k == 77 ? largest : 1;
      rows.push_back(dense_row(row));
    }
    problem.add(rows, std::make_shared<Norm>(1.0));
    const double exact = largest == 0 ? static_cast<double>(size) : largest;
    EXPECT_GE(problem.norm(0), (1 - 1e-12) * exact) << largest;
    EXPECT_LE(problem.norm(0), exact / std::sqrt(0.9) * (1 + 1e-12)) << largest;
  }
}

// One block of one score: the first step of dual ascent is the optimum.
TEST(Saddle, dual_ascent_of_a_block_of_one_score_is_exact) {
  const Ridge ridge;
  Problem problem(6, std::make_shared<Quadratic>(ridge.lambda));
  problem.add({dense_row(ridge.A.row(0))}, std::make_shared<SquaredDistance>(std::vector<double>{2.0}));
  const Result result = solve(problem, {.method = Method::sdca, .gap = 1e-14, .max_passes = 1});
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(result.y[0], -2 / (1 + ridge.A.row(0).squaredNorm() / ridge.lambda), 1e-14);
}

// Of two points: (1/2)|x - b|^2 + w |x_1 - x_2| moves them towards each other by w, at most to their mean.
TEST(Saddle, total_variation_of_two_points_is_that_of_the_closed_form) {
  for (const double w : {0.1, 0.7, 3.0}) {
    const std::vector<double> b = {2, -0.5};
    Problem problem(2, std::make_shared<Quadratic>(1.0, b));
    problem.add({{{0, 1}, {1, -1}}}, std::make_shared<Norm>(w));
    const double shift = std::min(w, 1.25);
    const Result result = solve(problem, {.gap = 1e-13});
    EXPECT_TRUE(result.converged);
    EXPECT_NEAR(result.x[0], 2 - shift, 1e-6);
    EXPECT_NEAR(result.x[1], -0.5 + shift, 1e-6);
  }
}

// min 1/(2n) |A x - b|^2 + lambda/2 |x|^2 + w sum_G |x_G|, overlapping groups, by ADMM on copies of the groups.
Vector group_lasso_by_admm(const Matrix& A, const Vector& b, double lambda, double w,
                           const std::vector<std::vector<Eigen::Index>>& groups) {
  const Eigen::Index d = A.cols();
  const double rho = 1;
  Vector count = Vector::Zero(d);
  for (const auto& group : groups)
    for (const Eigen::Index j : group) count[j] += 1;
  const Matrix H = A.transpose() * A / static_cast<double>(A.rows()) + lambda * Matrix::Identity(d, d) +
                   rho * Matrix(count.asDiagonal());
  const Eigen::LDLT<Matrix> factor(H);
  const Vector right = A.transpose() * b / static_cast<double>(A.rows());
  std::vector<Vector> copy, scaled;
  for (const auto& group : groups) {
    copy.push_back(Vector::Zero(static_cast<Eigen::Index>(group.size())));
    scaled.push_back(copy.back());
  }
  Vector x = Vector::Zero(d);
  for (int round = 0; round < 20000; ++round) {
    Vector r = right;
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (std::size_t k = 0; k < groups[g].size(); ++k)
        r[groups[g][k]] += rho * (copy[g][static_cast<Eigen::Index>(k)] - scaled[g][static_cast<Eigen::Index>(k)]);
    x = factor.solve(r);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      Vector v(copy[g].size());
      for (std::size_t k = 0; k < groups[g].size(); ++k)
        v[static_cast<Eigen::Index>(k)] = x[groups[g][k]] + scaled[g][static_cast<Eigen::Index>(k)];
      const double size = v.norm();
      copy[g] = size > w / rho ? Vector((1 - w / rho / size) * v) : Vector::Zero(v.size());
      scaled[g] = v - copy[g];
    }
  }
  return x;
}

TEST(Saddle, overlapping_group_lasso_agrees_with_a_slow_reference) {
  const Matrix A = random_matrix(40, 9, 31);
  Vector truth = Vector::Zero(9);
  truth.head(4) << 1, -2, 1.5, 0.5;
  const Vector b = A * truth + 0.1 * random_matrix(40, 1, 32);
  const std::vector<std::vector<Eigen::Index>> groups = {{0, 1, 2, 3}, {2, 3, 4, 5}, {5, 6, 7}, {7, 8}};
  const double lambda = 0.01, w = 0.3;
  const Vector slow = group_lasso_by_admm(A, b, lambda, w, groups);

  Problem problem(9, std::make_shared<Quadratic>(lambda));
  for (Eigen::Index i = 0; i < 40; ++i)
    problem.add({dense_row(A.row(i))}, std::make_shared<SquaredDistance>(std::vector<double>{b[i]}), 1.0 / 40);
  for (const auto& group : groups) {
    std::vector<ScoreRow> rows;
    for (const Eigen::Index j : group) rows.push_back({{static_cast<std::uint32_t>(j)}, {1.0}});
    problem.add(rows, std::make_shared<Norm>(w));
  }
  for (const Method method : methods) {
    Settings settings{.method = method, .gap = 1e-7, .max_passes = 200000};
    if (method != Method::bpd && method != Method::sdca) settings.perturb_dual = 1e-6;  // the norm is not smooth
    const Result result = solve(problem, settings);
    EXPECT_TRUE(result.converged) << static_cast<int>(method) << " gap " << result.gap;
    for (Eigen::Index j = 0; j < 9; ++j)
      EXPECT_NEAR(result.x[static_cast<std::size_t>(j)], slow[j], 5e-3) << static_cast<int>(method);
    if (method != Method::bpd) continue;
    for (Eigen::Index j = 0; j < 9; ++j) EXPECT_NEAR(result.x[static_cast<std::size_t>(j)], slow[j], 1e-3);
  }
}

// A step maximizes: no feasible point has a higher value, and Fenchel-Young holds, with equality at the maximum.
TEST(Saddle, dual_steps_of_norm_and_largest_hinge_maximize) {
  Rng rng(5);
  for (int round = 0; round < 200; ++round) {
    const std::size_t q = 1 + rng.below(5);
    std::vector<double> target, signs, z, y0(q), y(q);
    for (std::size_t k = 0; k < q; ++k) {
      target.push_back(rng.normal());
      signs.push_back(rng.below(2) == 0 ? -1 : 1);
      z.push_back(2 * rng.normal());
    }
    const std::shared_ptr<const BlockFunction> functions[] = {std::make_shared<Norm>(1.5, target),
                                                              std::make_shared<LargestHinge>(signs)};
    for (const auto& phi : functions) {
      const std::vector<double> zero(q);
      std::vector<double> other(q);
      for (double& t : other) t = rng.normal();
      phi->dual_step(other, zero, 0.7, y0);  // a feasible point
      const double weight = 0.1 + rng.uniform();
      phi->dual_step(z, y0, weight, y);
      const auto objective = [&](const std::vector<double>& at, double q_of_step) {
        double sum = -phi->conjugate(at);
        for (std::size_t k = 0; k < q; ++k) sum += z[k] * at[k] - 0.5 * q_of_step * (at[k] - y0[k]) * (at[k] - y0[k]);
        return sum;
      };
      ASSERT_TRUE(std::isfinite(phi->conjugate(y)));
      for (int trial = 0; trial < 20; ++trial) {
        std::vector<double> feasible(q);
        for (double& t : other) t = 3 * rng.normal();
        phi->dual_step(other, zero, 0.5, feasible);
        EXPECT_LE(objective(feasible, weight), objective(y, weight) + 1e-12);
        EXPECT_LE(objective(feasible, 0), phi->value(z) + 1e-12);
      }
      phi->dual_step(z, y0, 1e-10, y);
      EXPECT_NEAR(objective(y, 0), phi->value(z), 1e-8);
    }
  }
}

// The same g without maximizer_of: sdca then computes all of x at every step.
class WholeMaximizer final : public PrimalFunction {
 public:
  explicit WholeMaximizer(double lambda, double l1) : of_(lambda, {}, l1) {}
  void prox(std::span<const double> v, double tau, std::span<double> x) const override { of_.prox(v, tau, x); }
  double value(std::span<const double> x) const override { return of_.value(x); }
  double conjugate(std::span<const double> v) const override { return of_.conjugate(v); }
  double strong_convexity() const override { return of_.strong_convexity(); }
  bool maximizer(std::span<const double> v, std::span<double> x) const override { return of_.maximizer(v, x); }

 private:
  Quadratic of_;
};

// Blocks of rows with two of eight columns each.
TEST(Saddle, dual_ascent_at_the_columns_of_a_block_has_the_bits_of_the_whole) {
  const auto solved = [](std::shared_ptr<const PrimalFunction> g, bool hinge) {
    Rng rng(11);
    Problem problem(8, std::move(g));
    for (std::uint32_t i = 0; i < 20; ++i) {
      std::vector<ScoreRow> rows(1 + i % 3);
      std::vector<double> targets;
      for (std::uint32_t k = 0; k < rows.size(); ++k) {
        rows[k] = {{(i + k) % 7, 7}, {rng.normal(), rng.normal()}};
        targets.push_back(hinge ? (rng.normal() > 0 ? 1 : -1) : rng.normal());
      }
      if (hinge) problem.add(rows, std::make_shared<LargestHinge>(targets), 0.05);
      else problem.add(rows, std::make_shared<Norm>(1, targets), 0.05);
    }
    return solve(problem, {.method = Method::sdca, .gap = 0, .max_passes = 15});
  };
  for (const bool hinge : {false, true}) {
    const Result fast = solved(std::make_shared<Quadratic>(0.1, std::vector<double>(), 0.01), hinge);
    const Result whole = solved(std::make_shared<WholeMaximizer>(0.1, 0.01), hinge);
    EXPECT_EQ(fast.x, whole.x);
    EXPECT_EQ(fast.y, whole.y);
  }
}

TEST(Saddle, group_robust_regression_and_largest_hinges_have_a_small_gap_by_every_method) {
  const Matrix A = random_matrix(30, 4, 41), noise = random_matrix(30, 1, 42);
  for (const bool hinge : {false, true}) {
    Problem problem(4, std::make_shared<Quadratic>(0.1));
    for (Eigen::Index first = 0, size = 1; first < 30; first += size, size = 1 + size % 4) {
      std::vector<ScoreRow> rows;
      std::vector<double> b;
      for (Eigen::Index i = first; i < std::min<Eigen::Index>(30, first + size); ++i) {
        rows.push_back(dense_row(A.row(i)));
        b.push_back(hinge ? (A(i, 0) + 0.3 * noise(i, 0) > 0 ? 1 : -1) : A(i, 0) + noise(i, 0));
      }
      std::shared_ptr<const BlockFunction> phi;
      if (hinge) phi = std::make_shared<LargestHinge>(b);
      else phi = std::make_shared<Norm>(1.0, b);
      problem.add(rows, phi, 0.1);
    }
    std::vector<double> primal;
    for (const Method method : methods) {
      Settings settings{.method = method, .gap = 1e-6, .max_passes = 200000};
      if (method != Method::bpd && method != Method::sdca) settings.perturb_dual = 1e-6;
      const Result result = solve(problem, settings);
      EXPECT_TRUE(result.converged) << hinge << " " << static_cast<int>(method) << " " << result.gap;
      primal.push_back(result.primal);
    }
    for (const double other : primal) EXPECT_NEAR(primal[0], other, 2e-6);
  }
}

TEST(Saddle, refuses_what_a_method_does_not_support_and_bad_input) {
  Problem problem(2, std::make_shared<Quadratic>(1.0));
  problem.add({{{0}, {1.0}}}, std::make_shared<Norm>(1.0));
  EXPECT_THROW(solve(problem, {.method = Method::spdc}), Unsupported);
  EXPECT_NO_THROW(solve(problem, {.method = Method::spdc, .max_passes = 1, .perturb_dual = 0.1}));
  EXPECT_THROW(problem.add({}, std::make_shared<Norm>(1.0)), ShapeError);
  EXPECT_THROW(problem.add({{{0, 1}, {1.0}}}, std::make_shared<Norm>(1.0)), ShapeError);
  EXPECT_THROW(problem.add({{{1, 0}, {1.0, 1.0}}}, std::make_shared<Norm>(1.0)), InvalidArray);
  EXPECT_THROW(problem.add({{{2}, {1.0}}}, std::make_shared<Norm>(1.0)), InvalidArray);
  EXPECT_THROW(problem.add({{{0}, {1.0}}}, std::make_shared<Norm>(1.0), 0), InvalidOption);
  EXPECT_THROW(LargestHinge({0.5}), InvalidArray);
  EXPECT_THROW(Norm(-1.0), InvalidOption);
}

// Functions of a fixed size are compared with the problem when they are given, not when they are evaluated.
TEST(Saddle, refuses_functions_of_another_size) {
  using Numbers = std::vector<double>;
  EXPECT_THROW(Problem(2, std::make_shared<Quadratic>(1.0, Numbers{1, 2, 3})), ShapeError);
  EXPECT_THROW(Problem(4, std::make_shared<Quadratic>(1.0, Numbers{1, 2, 3})), ShapeError);
  Problem problem(3, std::make_shared<Quadratic>(1.0, Numbers{1, 2, 3}));
  const std::vector<ScoreRow> rows(3, {{0}, {1.0}});
  for (const Numbers& numbers : {Numbers{1.0}, Numbers{1, 1, 1, 1}}) {
    EXPECT_THROW(problem.add(rows, std::make_shared<SquaredDistance>(numbers)), ShapeError);
    EXPECT_THROW(problem.add(rows, std::make_shared<Norm>(1.0, numbers)), ShapeError);
    EXPECT_THROW(problem.add(rows, std::make_shared<LargestHinge>(numbers)), ShapeError);
  }
  EXPECT_THROW(SquaredDistance({}), ShapeError);
  EXPECT_THROW(LargestHinge({}), ShapeError);
  EXPECT_EQ(problem.blocks(), 0U);
  problem.add(rows, std::make_shared<SquaredDistance>(Numbers{1, 1, 1}));
  problem.add(rows, std::make_shared<Norm>(1.0));
  EXPECT_EQ(problem.blocks(), 2U);
}

}  // namespace saddle_test
}  // namespace seesaw::saddle
