// The vectorized sums and products of rigorous certificates against the same in quad precision: widths below, at and
// between multiples of eight columns, and numbers of rows below, at and between blocks.
#include "model/rigorous/row_sums.h"

#include <gtest/gtest.h>

#include "model/rigorous/products.h"
#include "support/problems.h"
#include "support/quad.h"

namespace seesaw {
namespace row_sums_test {

using rigorous::Bounded;
using rigorous::Twofold;
using test::Quad;

bool holds(Quad value, double error, Quad truth) { return test::size(value - truth) <= Quad(error) * (1 + Quad(1e-9)); }

struct Sample {
  Dataset data;
  std::vector<double> x;
  test::Matrix matrix;
};

Sample sample_of(std::size_t n, std::size_t d, Target target, test::Storage storage) {
  Rng rng(n + 100 * d);
  Sample sample{test::random_data(n, d, target, d, storage), {}, {}};
  for (std::size_t j = 0; j < d; ++j) sample.x.push_back(rng.normal() * std::pow(10, 4 * rng.uniform() - 2));
  sample.matrix = test::matrix_of(sample.data);
  return sample;
}

Quad dot(const std::vector<double>& a, const std::vector<double>& x) {
  Quad sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += Quad(a[j]) * x[j];
  return sum;
}

constexpr std::size_t widths[] = {1, 3, 7, 8, 9, 11, 15, 16, 17, 22, 33};

TEST(RowSums, products_by_rows_of_any_width_stay_within_their_bounds) {
  for (const test::Storage storage : test::all_storages)
    for (const std::size_t d : widths) {
      const std::size_t n = 301;
      const Sample sample = sample_of(n, d, Target::number, storage);
      std::vector<Bounded<double>> z, q;
      rigorous::multiply(sample.data.rows, sample.x.data(), 1, z);
      rigorous::multiply_transposed(sample.data.rows, sample.data.labels, 0, 1, q);
      ASSERT_EQ(z.size(), n);
      ASSERT_EQ(q.size(), d);
      for (std::size_t i = 0; i < n; ++i) {
        const Quad truth = dot(sample.matrix[i], sample.x);
        ASSERT_TRUE(holds(z[i].value, z[i].error, truth)) << d << " " << i;
        ASSERT_LE(z[i].error, 1e-10);
      }
      for (std::size_t j = 0; j < d; ++j) {
        Quad truth = 0;
        for (std::size_t i = 0; i < n; ++i) truth += Quad(sample.matrix[i][j]) * sample.data.labels[i];
        ASSERT_TRUE(holds(q[j].value, q[j].error, truth)) << d << " " << j;
        ASSERT_LE(q[j].error, 1e-10);
      }
    }
}

Quad quad_phi(const Problem& p, double b, Quad z) {
  const std::string name(p.kind->name);
  const auto positive = [](Quad t) { return t > 0 ? t : 0; };
  const Quad t = p.loss_parameter, r = z - b, m = b * z, hinge = positive(1 - m);
  if (name == "squared") return r * r / 2;
  if (name == "quantile") return r < 0 ? -t * r : (1 - t) * r;
  if (name == "epsilon-insensitive") return positive(test::size(r) - t);
  if (name == "hinge") return hinge;
  if (name == "squared-hinge") return hinge * hinge;
  return positive(-m) + test::quad_log1p(test::quad_exp(-test::size(m)));
}

void expect_sums_hold(const char* loss, std::size_t n, bool weighted, double b) {
  const Target target = loss_kind(loss).target;
  Sample sample = sample_of(n, 11, target, test::Storage::dense);
  if (weighted)
    for (std::size_t i = 0; i < n; ++i) sample.data.weights.push_back(0.1 + static_cast<double>(i % 7));
  Objective objective;
  objective.loss = loss;
  const Problem problem = make_problem(sample.data, objective);
  const rigorous::RowWeights weights(problem);
  std::vector<Bounded<double>> scores(n), again;
  const Bounded<Twofold> losses = sum_of_losses(problem, weights, {sample.x.data()}, b, scores.data());
  rigorous::multiply(sample.data.rows, sample.x.data(), 1, again);
  const Bounded<Twofold> of_known = sum_of_losses(problem, weights, {sample.x.data(), again.data()}, b, nullptr);
  EXPECT_EQ(of_known.value.high, losses.value.high);
  EXPECT_EQ(of_known.error, losses.error);
  Quad truth = 0;
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(scores[i].value, again[i].value);
    EXPECT_EQ(scores[i].error, again[i].error);
    const Quad s = weighted ? sample.data.weights[i] : 1;
    truth += s * quad_phi(problem, problem.scalar().target[i], dot(sample.matrix[i], sample.x) + b);
  }
  EXPECT_TRUE(holds(Quad(losses.value.high) + losses.value.low, losses.error, truth)) << loss << " " << n;
  EXPECT_LE(losses.error, 1e-12 * losses.value.high + 1e-10) << loss << " " << n;

  const Bounded<Twofold> none = sum_of_losses(problem, weights, {nullptr}, 0, nullptr);
  Quad at_zero = 0;
  for (std::size_t i = 0; i < n; ++i)
    at_zero += Quad(weighted ? sample.data.weights[i] : 1) * quad_phi(problem, problem.scalar().target[i], 0);
  EXPECT_TRUE(holds(Quad(none.value.high) + none.value.low, none.error, at_zero)) << loss << " " << n;
}

TEST(RowSums, losses_of_any_number_of_rows_stay_within_their_bounds) {
  for (const char* loss : {"squared", "quantile", "epsilon-insensitive", "hinge", "squared-hinge", "logistic"})
    for (const std::size_t n : {5u, 8u, 255u, 256u, 257u, 700u})
      for (const bool weighted : {false, true})
        for (const double b : {0.0, 0.3}) expect_sums_hold(loss, n, weighted, b);
}

// A loss of one side is exactly 0 on the other, however large the score and its error.
TEST(RowSums, a_score_far_on_the_right_side_costs_nothing) {
  test::Matrix matrix(9, std::vector<double>(2, 1e12));
  Dataset data = test::table(matrix, test::Storage::dense);
  data.labels.assign(9, 1.0);
  data.labels[0] = -1;
  data.source = "large";
  Objective objective;
  objective.loss = "squared-hinge";
  const Problem problem = make_problem(data, objective);
  const std::vector<double> x = {1e8, -0.5e8};
  const Bounded<Twofold> sum = sum_of_losses(problem, rigorous::RowWeights(problem), {x.data()}, 0, nullptr);
  const Quad z = Quad(1e12) * 1e8 - Quad(1e12) * 0.5e8, truth = (1 + z) * (1 + z);  // of the first row alone
  EXPECT_TRUE(holds(Quad(sum.value.high) + sum.value.low, sum.error, truth));
  EXPECT_LE(sum.error, 1e-14 * sum.value.high);
}

// A score that is no number makes the sum none: P is not understated.
TEST(RowSums, a_score_that_is_no_number_is_not_dropped) {
  test::Matrix matrix(9, std::vector<double>{1e150, 1e150});
  Dataset data = test::table(matrix, test::Storage::dense);
  data.labels = {1, -1, 1, -1, 1, -1, 1, -1, 1};
  data.source = "overflow";
  for (const char* loss : {"hinge", "squared-hinge", "logistic"}) {
    Objective objective;
    objective.loss = loss;
    const Problem problem = make_problem(data, objective);
    const std::vector<double> x = {1e300, -1e300};  // inf - inf
    const Bounded<Twofold> sum = sum_of_losses(problem, rigorous::RowWeights(problem), {x.data()}, 0, nullptr);
    EXPECT_FALSE(std::isfinite(sum.value.high) && std::isfinite(sum.error)) << loss;
  }
}

}  // namespace row_sums_test
}  // namespace seesaw
