// The quadratic with an l1 penalty against closed forms, against plain coordinate descent, and against its optimality
// conditions.
#include "solvers/parts/l1/l1_quadratic.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "base/scalar.h"

namespace seesaw {
namespace l1_quadratic_test {

Eigen::MatrixXd random_gram(Eigen::Index rows, Eigen::Index m, std::uint64_t seed, double common) {
  Rng rng(seed);
  Eigen::MatrixXd a(rows, m);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double shared = common * rng.normal();  // correlates the columns
    for (Eigen::Index j = 0; j < m; ++j) a(i, j) = shared + rng.normal();
  }
  return a.transpose() * a / double(rows);
}

Eigen::VectorXd random_vector(Eigen::Index m, std::uint64_t seed) {
  Rng rng(seed);
  Eigen::VectorXd v(m);
  for (Eigen::Index j = 0; j < m; ++j) v[j] = rng.normal();
  return v;
}

double objective(const Eigen::MatrixXd& H, const Eigen::VectorXd& s, const Eigen::VectorXd& x,
                 const L1Quadratic::Penalty& p, const Eigen::VectorXd& u) {
  const Eigen::VectorXd move = u - x;
  return s.dot(move) + 0.5 * move.dot(H * move) + 0.5 * p.lambda * u.squaredNorm() + p.l1 * u.lpNorm<1>();
}

double violation(const Eigen::MatrixXd& H, const Eigen::VectorXd& s, const Eigen::VectorXd& x,
                 const L1Quadratic::Penalty& p, const Eigen::VectorXd& u) {
  const Eigen::VectorXd f = s + H * (u - x) + p.lambda * u;
  double largest = 0;
  for (Eigen::Index j = 0; j < u.size(); ++j)
    largest = std::max(largest, u[j] == 0 ? std::abs(f[j]) - p.l1 : std::abs(f[j] + std::copysign(p.l1, u[j])));
  return largest;
}

TEST(L1Quadratic, of_an_orthogonal_design_is_the_soft_threshold) {
  const Eigen::Index m = 20;
  const Eigen::VectorXd s = random_vector(m, 1), x = random_vector(m, 2);
  Eigen::VectorXd u = x;
  L1Quadratic().minimize(2 * Eigen::MatrixXd::Identity(m, m), s, {0.5, 0.3}, 1e-13, u);
  for (Eigen::Index j = 0; j < m; ++j) EXPECT_NEAR(u[j], soft_threshold(2 * x[j] - s[j], 0.3) / 2.5, 1e-12);
}

TEST(L1Quadratic, satisfies_its_conditions_and_is_no_higher_than_plain_coordinate_descent) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Eigen::Index m = 5 + Eigen::Index(seed) * 2;
    const Eigen::Index rows = seed % 3 == 0 ? m / 2 : 3 * m;  // every third is singular
    const Eigen::MatrixXd H = random_gram(rows, m, seed, seed % 2 == 0 ? 5 : 0);
    const Eigen::VectorXd s = H * random_vector(m, seed + 100);
    const Eigen::VectorXd x = seed % 4 == 0 ? random_vector(m, seed + 200) : Eigen::VectorXd::Zero(m);
    const L1Quadratic::Penalty penalty = {seed % 5 == 0 ? 0.1 : 0.0, seed % 2 == 0 ? 0.3 : 0.01};
    Eigen::VectorXd u = x;
    L1Quadratic().minimize(H, s, penalty, 1e-9, u);
    EXPECT_LE(violation(H, s, x, penalty, u), 1e-8) << seed;

    Eigen::VectorXd plain = x;
    for (int sweep = 0; sweep < 3000; ++sweep)
      for (Eigen::Index j = 0; j < m; ++j) {
        const double f = s[j] + H.row(j).dot(plain - x);
        plain[j] = soft_threshold(H(j, j) * plain[j] - f, penalty.l1) / (H(j, j) + penalty.lambda);
      }
    EXPECT_LE(objective(H, s, x, penalty, u), objective(H, s, x, penalty, plain) + 1e-9) << seed;
  }
}

TEST(L1Quadratic, solves_empty_and_equal_columns) {
  Eigen::MatrixXd H = random_gram(30, 6, 3, 1);
  H.row(1).setZero();
  H.col(1).setZero();
  H.col(4) = H.col(2);
  H.row(4) = H.row(2);
  H(4, 4) = H(2, 2);
  Eigen::VectorXd s = random_vector(6, 4);
  s[1] = 0;
  s[4] = s[2];
  Eigen::VectorXd u = Eigen::VectorXd::Ones(6);
  L1Quadratic().minimize(H, s, {0, 0.05}, 1e-11, u);
  EXPECT_EQ(u[1], 0);
  EXPECT_LE(violation(H, s, Eigen::VectorXd::Ones(6), {0, 0.05}, u), 1e-10);
}

TEST(L1Quadratic, accepts_zero_coordinates) {
  Eigen::VectorXd u(0);
  L1Quadratic().minimize(Eigen::MatrixXd(0, 0), Eigen::VectorXd(0), {0, 1}, 1e-9, u);
  EXPECT_EQ(u.size(), 0);
}

}  // namespace l1_quadratic_test
}  // namespace seesaw
