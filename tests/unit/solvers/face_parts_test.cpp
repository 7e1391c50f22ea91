// The parts of semismooth Newton against slow, simple versions: products with some rows, rows with a smoothed loss, and
// the linear system of a face.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <Eigen/LU>
#include <numeric>

#include "solvers/parts/newton/face_system.h"
#include "solvers/parts/newton/nonsmooth_rows.h"
#include "solvers/parts/newton/row_products.h"
#include "support/problems.h"

namespace seesaw {
namespace face_parts_test {

std::vector<std::uint32_t> some_rows(std::size_t n, std::uint32_t every) {
  std::vector<std::uint32_t> which;
  for (std::uint32_t i = 0; i < n; i += 1 + i % every) which.push_back(i);
  return which;
}

TEST(RowProducts, are_those_of_the_listed_rows_in_every_storage_and_for_any_number_of_threads) {
  for (const auto storage : test::all_storages)
    for (const auto& [n, d] : {std::pair<std::size_t, std::size_t>{7, 1}, {300, 9}, {60000, 6}}) {
      const Dataset data = test::random_data(n, d, Target::sign, 3, storage);
      const test::Matrix a = test::matrix_of(data);
      const std::vector<std::uint32_t> which = some_rows(n, 3);
      std::vector<double> x(d), weight(which.size());
      for (std::size_t j = 0; j < d; ++j) x[j] = 0.3 + double(j);
      for (std::size_t k = 0; k < weight.size(); ++k) weight[k] = double(k % 5) - 2;
      std::vector<double> z(which.size()), v(d, 0.5), z_alone(which.size()), v_alone(d, 0.5);
      multiply_rows(data.rows, which, x.data(), z.data());
      add_rows(data.rows, which, weight, v.data());
      {
        const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
        multiply_rows(data.rows, which, x.data(), z_alone.data());
        add_rows(data.rows, which, weight, v_alone.data());
      }
      EXPECT_EQ(z, z_alone);
      EXPECT_EQ(v, v_alone);
      std::vector<double> sum(d, 0.5);
      for (std::size_t k = 0; k < which.size(); ++k) {
        EXPECT_NEAR(z[k], std::inner_product(x.begin(), x.end(), a[which[k]].begin(), 0.0), 1e-12);
        for (std::size_t j = 0; j < d; ++j) sum[j] += weight[k] * a[which[k]][j];
      }
      for (std::size_t j = 0; j < d; ++j) EXPECT_NEAR(v[j], sum[j], 1e-9) << n << " x " << d;
    }
}

TEST(RowGram, has_the_products_of_all_pairs_of_listed_rows) {
  for (const auto storage : test::all_storages)
    for (const std::size_t d : {1, 12}) {
      const Dataset data = test::random_data(200, d, Target::sign, 5, storage);
      const test::Matrix a = test::matrix_of(data);
      const std::vector<std::uint32_t> which = some_rows(200, 2);
      Eigen::MatrixXd gram;
      row_gram(data.rows, which, gram);
      ASSERT_EQ(gram.rows(), Eigen::Index(which.size()));
      for (std::size_t k = 0; k < which.size(); ++k)
        for (std::size_t l = 0; l <= k; ++l)
          EXPECT_NEAR(gram(Eigen::Index(k), Eigen::Index(l)),
                      std::inner_product(a[which[k]].begin(), a[which[k]].end(), a[which[l]].begin(), 0.0), 1e-12);
    }
}

// Rows with scores on both sides of every nonsmooth point, and exactly on it.
NonsmoothRows varied_rows(const LossKind& kind, double gamma, std::size_t n) {
  NonsmoothRows rows(std::get<PiecewiseQuadratic>(kind.make(kind.parameter.standard)));
  rows.gamma = gamma;
  rows.resize(n);
  Rng rng(17);
  for (std::size_t i = 0; i < n; ++i) {
    rows.which[i] = std::uint32_t(2 * i);
    rows.b[i] = kind.target == Target::sign ? (i % 2 == 0 ? 1 : -1) : std::round(4 * rng.normal()) / 4;
    rows.c[i] = 0.5 + rng.uniform();
    const Interval box = rows.loss.domain(rows.b[i]);
    rows.y0[i] = box.lo + (box.hi - box.lo) * rng.uniform();
    rows.z[i] = std::round(8 * rng.normal()) / 4;
    rows.q[i] = rng.normal();
  }
  return rows;
}

std::vector<const LossKind*> nonsmooth_losses() {
  std::vector<const LossKind*> nonsmooth;
  for (const LossKind& kind : loss_kinds())
    if (kind.gamma() == 0) nonsmooth.push_back(&kind);
  return nonsmooth;
}

TEST(NonsmoothRows, are_for_four_losses) { EXPECT_EQ(nonsmooth_losses().size(), 4u); }

TEST(NonsmoothRows, have_the_dual_step_as_y_and_list_what_has_changed) {
  for (const LossKind* kind : nonsmooth_losses())
    for (const double gamma : {4.0, 0.3, 1e-3}) {
      NonsmoothRows rows = varied_rows(*kind, gamma, 1000);
      std::vector<std::uint32_t> changed;
      std::vector<double> change;
      for (const double shift : {0.0, 0.0, 0.25}) {
        for (double& z : rows.z) z += shift;
        const std::vector<double> before = rows.y;
        rows.follow_scores(changed, change);
        std::size_t k = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
          EXPECT_NEAR(rows.y[i], rows.loss.dual_step(rows.b[i], rows.z[i], rows.y0[i], gamma), 1e-15);
          if (rows.y[i] == before[i]) continue;
          ASSERT_LT(k, changed.size());
          EXPECT_EQ(changed[k], rows.which[i]);
          EXPECT_DOUBLE_EQ(change[k], rows.c[i] * (rows.y[i] - before[i]));
          ++k;
        }
        EXPECT_EQ(k, changed.size());
      }
    }
}

TEST(NonsmoothRows, have_the_derivatives_of_the_smoothed_loss_along_a_line) {
  for (const LossKind* kind : nonsmooth_losses())
    for (const double gamma : {4.0, 0.3}) {
      const NonsmoothRows rows = varied_rows(*kind, gamma, 700);
      const auto value = [&](double t) {  // of sum c psi(z + t q)
        long double sum = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const double z = rows.z[i] + t * rows.q[i], y = rows.loss.dual_step(rows.b[i], z, rows.y0[i], gamma);
          sum += (long double)rows.c[i] *
                 (y * z - rows.loss.conjugate(rows.b[i], y) - gamma / 2 * (y - rows.y0[i]) * (y - rows.y0[i]));
        }
        return sum;
      };
      for (const double t : {0.013, 0.9, -1.7}) {
        const double h = 1e-5;
        const NonsmoothRows::Derivatives at = rows.along(t);
        EXPECT_NEAR(at.first, double((value(t + h) - value(t - h)) / (2 * h)), 2e-4) << kind->name;
        const double narrow = 1e-9;  // no nonsmooth point within
        EXPECT_NEAR(at.second, (rows.along(t + narrow).first - rows.along(t - narrow).first) / (2 * narrow), 1e-2)
            << kind->name << " t " << t;
      }
    }
}

TEST(NonsmoothRows, sum_the_original_loss_and_the_gap_due_to_smoothing) {
  for (const LossKind* kind : nonsmooth_losses()) {
    NonsmoothRows rows = varied_rows(*kind, 0.7, 900);
    std::vector<std::uint32_t> changed;
    std::vector<double> change;
    rows.follow_scores(changed, change);
    double primal = 0, excess = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double phi = rows.loss.value(rows.b[i], rows.z[i]);
      primal += rows.c[i] * phi;
      excess += rows.c[i] * (phi + rows.loss.conjugate(rows.b[i], rows.y[i]) - rows.y[i] * rows.z[i]);
    }
    const NonsmoothRows::Losses losses = rows.losses();
    EXPECT_NEAR(losses.primal, primal, 1e-10) << kind->name;
    EXPECT_NEAR(losses.excess, excess, 1e-10) << kind->name;
    EXPECT_GT(losses.excess, 0);
  }
}

TEST(NonsmoothRows, are_free_at_distance_0_and_change_y_beyond_their_distance) {
  for (const LossKind* kind : nonsmooth_losses()) {
    NonsmoothRows rows = varied_rows(*kind, 0.3, 1000);
    std::vector<std::uint32_t> changed, free;
    std::vector<double> change, normalized_weight;
    rows.follow_scores(changed, change);
    rows.free_rows(free, normalized_weight);
    std::vector<float> distance;
    rows.distances(distance);
    std::size_t at = 0, crossed = 0;
    std::vector<std::uint32_t> first_half(500);
    std::iota(first_half.begin(), first_half.end(), 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool is_free = at < free.size() && free[at] == rows.which[i];
      if (is_free) {
        EXPECT_EQ(normalized_weight[at++], rows.c[i]);
      }
      if (distance[i] > 0) {
        EXPECT_FALSE(is_free);
        for (const double sign : {-1.0, 1.0})  // not before the distance
          EXPECT_EQ(rows.loss.dual_step(rows.b[i], rows.z[i] + sign * 0.999 * distance[i], rows.y0[i], rows.gamma),
                    rows.y[i])
              << kind->name;
      } else {  // at a bound: the smallest move in one direction changes y
        const double up = rows.loss.dual_step(rows.b[i], rows.z[i] + 1e-3, rows.y0[i], rows.gamma),
                     down = rows.loss.dual_step(rows.b[i], rows.z[i] - 1e-3, rows.y0[i], rows.gamma);
        EXPECT_TRUE(is_free || up != rows.y[i] || down != rows.y[i]) << kind->name;
      }
      if (i >= 500)
        crossed += rows.loss.dual_step(rows.b[i], rows.z[i] + 0.1 * rows.q[i], rows.y0[i], 0.3) != rows.y[i];
    }
    EXPECT_EQ(at, free.size());
    EXPECT_GT(free.size(), 20u) << kind->name;
    std::vector<double> moved = rows.z;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += 0.1 * rows.q[i];
    EXPECT_EQ(rows.crossings(moved, first_half), crossed);
    EXPECT_GT(crossed, 20u);
  }
}

// sum c y is balanced by the other rows up to `excess`: there is a y in the domains that removes it, or there is none.
TEST(NonsmoothRows, can_balance_what_their_domains_allow) {
  for (const LossKind* kind : nonsmooth_losses()) {
    NonsmoothRows rows = varied_rows(*kind, 0.3, 50);
    rows.y = rows.y0;
    double down = 0, up = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Interval box = rows.loss.domain(rows.b[i]);
      down += rows.c[i] * (rows.y[i] - box.lo);
      up += rows.c[i] * (box.hi - rows.y[i]);
    }
    EXPECT_TRUE(rows.can_balance(0.999 * down) && rows.can_balance(-0.999 * up) && rows.can_balance(0)) << kind->name;
    EXPECT_FALSE(rows.can_balance(1.001 * down) || rows.can_balance(-1.001 * up)) << kind->name;
    EXPECT_FALSE(rows.can_balance(NAN));
  }
}

TEST(NonsmoothRows, give_the_same_bits_for_any_number_of_threads) {
  const NonsmoothRows rows = varied_rows(loss_kind("epsilon-insensitive"), 0.3, 100000);
  const auto measure = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    const auto losses = rows.losses();
    const auto derivatives = rows.along(0.4);
    return std::array{losses.primal, losses.excess, derivatives.first, derivatives.second};
  };
  EXPECT_EQ(measure(1), measure(2));
}

// Both matrices of the face, also when updated, give the step of the full Hessian.
TEST(FaceSystem, solves_for_the_newton_step_with_few_and_many_free_rows) {
  for (const auto storage : {test::Storage::sparse, test::Storage::dense_float})
    for (const Intercept intercept : {Intercept::none, Intercept::free}) {
      Dataset data = test::random_data(400, 23, Target::sign, 8, storage);
      for (std::size_t i = 0; i < data.n(); ++i) data.weights.push_back(0.5 + double(i % 4));
      Objective objective;
      objective.loss = "hinge";
      objective.lambda = 0.01;
      objective.intercept = intercept;
      const Problem problem = make_problem(data, objective);
      const test::Matrix a = test::matrix_of(data);
      const Eigen::Index unknowns = 23 + (intercept == Intercept::free);
      FaceSystem face(problem);
      Rng rng(4);
      std::vector<std::uint32_t> free = some_rows(400, 2);
      for (const std::size_t keep : {300, 290, 280, 5, 270, 260, 1, 24, 0}) {
        free = some_rows(400, 1 + keep % 2);
        free.resize(std::min(free.size(), keep));
        std::vector<double> normalized_weight;
        Eigen::MatrixXd h = Eigen::MatrixXd::Zero(unknowns, unknowns);
        for (int j = 0; j < 23; ++j) h(j, j) = problem.penalty.l2();
        const double gamma = 0.2;
        for (const std::uint32_t i : free) {
          normalized_weight.push_back(problem.normalized_weight[i]);
          Eigen::VectorXd row = Eigen::VectorXd::Ones(unknowns);
          for (int j = 0; j < 23; ++j) row[j] = a[i][std::size_t(j)];
          h += problem.normalized_weight[i] / gamma * row * row.transpose();
        }
        if (free.empty() && intercept == Intercept::free) h(23, 23) = 1 / gamma;
        Eigen::VectorXd g(unknowns), p;
        for (double& value : g) value = rng.normal();
        face.solve(free, normalized_weight, gamma, g, p);
        EXPECT_LE((h * p + g).norm(), 1e-9 * g.norm()) << free.size() << " free rows";
      }
      EXPECT_GT(face.rows_used(), 300);
    }
}

}  // namespace face_parts_test
}  // namespace seesaw
