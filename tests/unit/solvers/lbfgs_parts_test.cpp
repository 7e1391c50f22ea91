// The parts of L-BFGS: the pairs against BFGS updates of a dense matrix, and the minimum along a line.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "base/rng.h"
#include "solvers/parts/lbfgs/curvature_pairs.h"
#include "solvers/parts/lbfgs/line_minimum.h"

namespace seesaw {
namespace lbfgs_parts_test {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Vector random_vector(Rng& rng, Eigen::Index size) {
  Vector v(size);
  for (double& number : v) number = rng.normal();
  return v;
}

Matrix random_definite(Rng& rng, Eigen::Index size) {
  Matrix root(size, size);
  for (Eigen::Index k = 0; k < size; ++k) root.col(k) = random_vector(rng, size);
  return root * root.transpose() + 0.1 * Matrix::Identity(size, size);
}

struct Pair {
  Vector s, y;
};

// H of the BFGS updates by the pairs, the oldest first, of s.y/|y|^2 of the newest.
Matrix dense_bfgs(const std::vector<Pair>& pairs) {
  const Eigen::Index size = pairs[0].s.size();
  const Matrix one = Matrix::Identity(size, size);
  Matrix h = pairs.back().s.dot(pairs.back().y) / pairs.back().y.squaredNorm() * one;
  for (const auto& [s, y] : pairs) {
    const double rho = 1 / s.dot(y);
    const Matrix v = one - rho * y * s.transpose();
    h = (v.transpose() * h * v + rho * s * s.transpose()).eval();
  }
  return h;
}

TEST(CurvaturePairs, give_the_direction_of_bfgs_updates_of_a_dense_matrix) {
  constexpr Eigen::Index size = 12;
  Rng rng(3);
  const Matrix a = random_definite(rng, size);
  for (const std::size_t most : {1u, 4u, 7u}) {
    CurvaturePairs kept(size, most);
    std::vector<Pair> pairs;
    Vector d;
    for (int k = 0; k < 15; ++k) {
      const Vector s = random_vector(rng, size), y = a * s, before = random_vector(rng, size), after = before + y;
      ASSERT_TRUE(kept.add(0.5, 2 * s, before, after));
      pairs.push_back({s, y});
      if (pairs.size() > most) pairs.erase(pairs.begin());
      ASSERT_EQ(kept.count(), pairs.size());
      const Matrix h = dense_bfgs(pairs);
      kept.direction(after, d);
      EXPECT_LE((d + h * after).norm(), 1e-5 * (h * after).norm()) << most << " " << k;
      const Vector other = random_vector(rng, size);
      kept.forget_gradient();
      kept.direction(other, d);
      EXPECT_LE((d + h * other).norm(), 1e-5 * (h * other).norm()) << most << " " << k;
      EXPECT_LT(d.dot(other), 0);
      kept.forget_gradient();
      kept.direction(y, d);
      EXPECT_LE((d + s).norm(), 1e-5 * s.norm()) << "H y = s of the newest pair";
    }
    kept.clear();
    kept.direction(pairs[0].y, d);
    EXPECT_EQ(d, -pairs[0].y);
  }
}

TEST(CurvaturePairs, skip_a_pair_without_curvature) {
  constexpr Eigen::Index size = 6;
  Rng rng(4);
  const Matrix a = random_definite(rng, size);
  for (const int before : {2, 9}) {  // fewer than `most`, and as many
    CurvaturePairs kept(size, 5);
    std::vector<Pair> pairs;
    for (int k = 0; k < before; ++k) {
      const Vector s = random_vector(rng, size), g = random_vector(rng, size);
      ASSERT_TRUE(kept.add(1, s, g, g + a * s));
      pairs.push_back({s, a * s});
    }
    const std::size_t count = kept.count();
    const Vector s = random_vector(rng, size), g = random_vector(rng, size);
    EXPECT_FALSE(kept.add(1, s, g, g - s));
    EXPECT_FALSE(kept.add(1, s, g, g));
    EXPECT_FALSE(kept.add(0, s, g, g + s));
    EXPECT_EQ(kept.count(), std::min<std::size_t>(count, 4)) << "the oldest of five made room";
    pairs.erase(pairs.begin(), pairs.end() - static_cast<std::ptrdiff_t>(kept.count()));
    Vector d;
    kept.direction(g, d);
    const Vector expected = -dense_bfgs(pairs) * g;
    EXPECT_LE((d - expected).norm(), 1e-5 * expected.norm());
  }
}

TEST(CurvaturePairs, do_not_depend_on_the_scale_of_numbers) {
  constexpr Eigen::Index size = 8;
  Rng rng(5);
  const Matrix a = random_definite(rng, size);
  const Vector s = random_vector(rng, size), g = random_vector(rng, size);
  for (const double of_s : {1e-60, 1.0, 1e60})
    for (const double of_y : {1e-60, 1.0, 1e60}) {
      CurvaturePairs kept(size, 3);
      const Vector before = Vector::Zero(size), after = of_y * (a * s);
      ASSERT_TRUE(kept.add(of_s, s, before, after));
      Vector d;
      kept.direction(after, d);
      EXPECT_LE((d / of_s + s).norm(), 1e-5 * s.norm()) << of_s << " " << of_y;
    }
}

TEST(CurvaturePairs, have_the_same_bits_for_any_number_of_threads) {
  constexpr Eigen::Index size = 50000;
  Vector directions[2];
  for (const std::size_t threads : {1u, 2u}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    Rng rng(6);
    CurvaturePairs kept(size, 4);
    Vector g = random_vector(rng, size);
    for (int k = 0; k < 6; ++k) {
      const Vector s = random_vector(rng, size), after = g + 2 * s + 0.1 * random_vector(rng, size);
      kept.add(1, s, g, after);
      g = after;
    }
    kept.direction(g, directions[threads - 1]);
  }
  EXPECT_EQ(directions[0], directions[1]);
}

// f(t) = e^t - rate t + c t^2/2, convex with a minimum at t > 0.
struct Exponential {
  double rate, c;
  LossCurve::At operator()(double t) const {
    return {std::exp(t) - rate * t + c * t * t / 2, std::exp(t) - rate + c * t, std::exp(t) + c};
  }
};

TEST(LineMinimum, is_flat_and_lower_from_any_first_trial) {
  for (const double rate : {1.0001, 2.0, 1e3, 1e8})
    for (const double c : {0.0, 1.0, 1e4})
      for (const double first : {1e-6, 1.0, 50.0})
        for (const double flat : {0.5, 0.1, 1e-6}) {
          const Exponential f{rate, c};
          double last = -1;
          int calls = 0;
          const LineMinimum found = minimize_on_line(f(0), first, flat, [&](double t) {
            ++calls;
            return f(last = t);
          });
          EXPECT_GT(found.t, 0);
          EXPECT_EQ(found.t, last) << "the last evaluation is at the result";
          EXPECT_LE(std::abs(f(found.t).derivative), flat * std::abs(f(0).derivative) * (1 + 1e-9));
          EXPECT_LT(f(found.t).value, f(0).value);
          EXPECT_LE(calls, 61);
        }
}

TEST(LineMinimum, is_zero_where_rounding_hides_the_descent) {
  double last = -1;
  const LineMinimum found = minimize_on_line({1, -1, 0}, 1, 0.1, [&](double t) {
    last = t;
    return LossCurve::At{t > 0 ? 2.0 : 1.0, t > 0 ? 1.0 : -1.0, 0};
  });
  EXPECT_LT(found.t, 1e-15);
  EXPECT_EQ(found.t, last);
  const LineMinimum overflow = minimize_on_line({1, -1, 0}, 1, 0.1, [](double t) {
    const bool far = t > 1e-3;
    return LossCurve::At{far ? infinity : 1 - t + 1e4 * t * t, far ? infinity : -1 + 2e4 * t, 2e4};
  });
  EXPECT_NEAR(overflow.t, 5e-5, 5e-6);
}

}  // namespace lbfgs_parts_test
}  // namespace seesaw
