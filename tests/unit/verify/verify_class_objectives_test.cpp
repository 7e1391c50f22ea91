// Multiclass models: every objective against an independent formula.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rng.h"
#include "support/claims.h"
#include "support/expectations.h"
#include "support/table.h"

namespace seesaw {
namespace verify_class_objectives_test {

using test::all_storages;
using test::claim;
using test::contains;
using test::Matrix;
using test::problems_of;
using test::Solved;
using test::Storage;
using test::table;

using Real = long double;
constexpr std::size_t K = 3;

struct Case {
  std::string loss;
  double lambda, l1;
  Intercept intercept;
  Scaling scaling;
  bool weighted;
};

std::vector<Case> cases() {
  std::vector<Case> result;
  for (const char* loss : {"hinge", "squared-hinge", "logistic", "softmax", "multiclass-hinge"})
    for (const auto& [lambda, l1] : {std::pair{0.3, 0.0}, {0.3, 0.02}, {0.0, 0.02}})
      for (const Intercept intercept : {Intercept::none, Intercept::penalized, Intercept::free})
        for (const Scaling scaling : {Scaling::none, Scaling::rows, Scaling::columns_std})
          for (const bool weighted : {false, true}) result.push_back({loss, lambda, l1, intercept, scaling, weighted});
  return result;
}

std::string name_of(const Case& c) {
  return fmt::format("{}, lambda {}, l1 {}, intercept {}, scaling {}{}", c.loss, c.lambda, c.l1, name_of(c.intercept),
                     name_of(c.scaling), c.weighted ? ", weighted" : "");
}

Real xlogx(Real p) { return p > 0 ? p * std::log(p) : 0; }

// The reference: matrices of long double, and independent formulas.
class Reference {
 public:
  Reference(const Dataset& data, LinearModel& model)
      : a_(test::matrix_of(apply(model.transform, data))), model_(model), joint_(model.joint()) {
    Real total = 0;
    for (std::size_t i = 0; i < data.n(); ++i) {
      const auto& labels = model.labels;
      own_.push_back(std::size_t(std::find(labels.begin(), labels.end(), data.labels[i]) - labels.begin()));
      share_.push_back(data.weights.empty() ? 1 : data.weights[i]);
      if (!model.objective.class_weights.empty()) share_[i] *= model.objective.class_weights.at(data.labels[i]);
      total += share_[i];
    }
    for (Real& c : share_) c /= total;
  }

  void choose_dual_point(Rng& rng) {
    joint_ ? choose_blocks(rng) : choose_columns(rng);
    if (model_.objective.lambda > 0) return;
    Real largest = 0;
    for (std::size_t at = 0; at < model_.x.size(); ++at) largest = std::max(largest, std::abs(v(at)));
    for (double& y : model_.y) y *= std::min(1.0, (1 - 1e-14) * model_.objective.l1 / static_cast<double>(largest));
  }

  void make_claims() {
    Real primal[K] = {}, dual[K] = {};
    for (std::size_t i = 0; i < a_.size(); ++i) add_row(i, primal, dual);
    const Real lambda = model_.objective.lambda, l1 = model_.objective.l1;
    for (std::size_t at = 0; at < model_.x.size(); ++at) {
      const Real x = model_.x[at];
      primal[at % K] += lambda / 2 * x * x + l1 * std::abs(x);
      if (lambda > 0) dual[at % K] -= std::pow(std::max<Real>(0, std::abs(v(at)) - l1), 2) / (2 * lambda);
    }
    const Real P = primal[0] + primal[1] + primal[2], D = dual[0] + dual[1] + dual[2];
    claim(model_, static_cast<double>(P), static_cast<double>(D));
    for (std::size_t k = 0; k < K && !joint_; ++k)
      model_.classes.push_back({{.primal = static_cast<double>(primal[k]),
                                 .dual = static_cast<double>(dual[k]),
                                 .gap = static_cast<double>(primal[k] - dual[k])},
                                model_.labels[k]});
  }

 private:
  // y_i = s_i (q - e_own) with probabilities q; with free intercepts q is the fraction of each class in the data,
  // and s the same for all rows, so that the sums over the rows are 0.
  void choose_blocks(Rng& rng) {
    const bool balanced = model_.objective.intercept == Intercept::free;
    const double s = rng.uniform();
    for (std::size_t i = 0; i < a_.size(); ++i) {
      Real q[K] = {rng.uniform(), rng.uniform(), rng.uniform()};
      const Real sum = q[0] + q[1] + q[2], row_s = balanced ? s : rng.uniform();
      for (std::size_t k = 0; k < K; ++k) {
        q[k] /= sum;
        if (balanced) q[k] = 0;
        for (std::size_t r = 0; r < a_.size() && balanced; ++r) q[k] += own_[r] == k ? share_[r] : 0;
        model_.y.push_back(static_cast<double>(row_s * (q[k] - (own_[i] == k ? 1 : 0))));
      }
    }
  }

  // y = -b p, each column balanced by scaling its heavier side down.
  void choose_columns(Rng& rng) {
    const double most = model_.objective.loss == "squared-hinge" ? 3 : 1;
    model_.y.resize(K * a_.size());
    for (std::size_t at = 0; at < model_.y.size(); ++at)
      model_.y[at] = (own_[at / K] == at % K ? -most : most) * rng.uniform();
    if (model_.objective.intercept != Intercept::free) return;
    for (std::size_t k = 0; k < K; ++k) {
      Real up = 0, down = 0;
      for (std::size_t i = 0; i < a_.size(); ++i) {
        const Real cy = share_[i] * model_.y[i * K + k];
        (cy > 0 ? up : down) += std::abs(cy);
      }
      for (std::size_t i = 0; i < a_.size(); ++i) {
        double& y = model_.y[i * K + k];
        y *= static_cast<double>(y > 0 ? std::min<Real>(1, down / up) : std::min<Real>(1, up / down));
      }
    }
  }

  Real v(std::size_t at) const {
    Real sum = 0;
    for (std::size_t i = 0; i < a_.size(); ++i) sum -= share_[i] * model_.y[i * K + at % K] * a_[i][at / K];
    return sum;
  }

  void add_row(std::size_t i, Real* primal, Real* dual) const {
    Real z[K], p[K];
    for (std::size_t k = 0; k < K; ++k) {
      z[k] = model_.intercept[k];
      for (std::size_t j = 0; j < a_[i].size(); ++j) z[k] += Real(a_[i][j]) * model_.x[j * K + k];
      p[k] = Real(model_.y[i * K + k]) + (own_[i] == k ? 1 : 0);
    }
    const std::size_t own = own_[i];
    const std::string& loss = model_.objective.loss;
    if (loss == "softmax") {
      primal[0] += share_[i] * (std::log(std::exp(z[0]) + std::exp(z[1]) + std::exp(z[2])) - z[own]);
      dual[0] -= share_[i] * (xlogx(p[0]) + xlogx(p[1]) + xlogx(p[2]));
    } else if (loss == "multiclass-hinge") {
      Real worst = z[own];
      for (std::size_t k = 0; k < K; ++k) worst = std::max(worst, z[k] + (k == own ? 0 : 1));
      primal[0] += share_[i] * (worst - z[own]);
      dual[0] -= share_[i] * Real(model_.y[i * K + own]);
    } else {
      for (std::size_t k = 0; k < K; ++k) {
        const Real b = own == k ? 1 : -1, m = b * z[k], u = -b * model_.y[i * K + k], hinge = std::max<Real>(0, 1 - m);
        primal[k] += share_[i] * (loss == "hinge"      ? hinge
                                  : loss == "logistic" ? std::log(1 + std::exp(-m))
                                                       : hinge * hinge);
        dual[k] -= share_[i] * (loss == "hinge" ? -u : loss == "logistic" ? xlogx(u) + xlogx(1 - u) : u * u / 4 - u);
      }
    }
  }

  Matrix a_;
  LinearModel& model_;
  bool joint_;
  std::vector<std::size_t> own_;
  std::vector<Real> share_;
};

Solved random_case(const Case& c, Storage storage, Rng& rng) {
  Matrix matrix(12, std::vector<double>(4));
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (double& value : matrix[i])
      if (i != 2 && rng.uniform() < 0.7) value = static_cast<float>(rng.normal());
  Solved solved{.data = table(matrix, storage), .model = {}};
  Dataset& data = solved.data;
  data.source = "train.svm";
  for (std::size_t i = 0; i < data.n(); ++i) data.labels[i] = i % 5 == 0 ? 2 : i % 3 == 0 ? 5 : 7;
  for (std::size_t i = 0; i < data.n() && c.weighted; ++i) data.weights.push_back(0.5 + rng.uniform());

  LinearModel& model = solved.model;
  model.objective.loss = c.loss;
  model.objective.lambda = c.lambda;
  model.objective.l1 = c.l1;
  model.objective.intercept = c.intercept;
  if (c.weighted) model.objective.class_weights = {{2, 3}, {5, 0.5}, {7, 1}};
  model.labels = {2, 5, 7};
  model.n = data.n();
  model.data_hash = content_hash(data);
  model.transform = fit_transform(data, c.scaling, c.intercept == Intercept::penalized);
  for (std::size_t at = 0; at < K * (c.intercept == Intercept::penalized ? 5 : 4); ++at)
    model.x.push_back(rng.normal());
  model.intercept = {0, 0, 0};
  if (c.intercept == Intercept::free) model.intercept = {rng.normal(), rng.normal(), rng.normal()};
  Reference reference(data, model);
  reference.choose_dual_point(rng);
  reference.make_claims();
  return solved;
}

TEST(VerifyClassObjectives, every_objective_agrees_with_an_independent_formula) {
  Rng rng(21);
  for (const Case& c : cases())
    for (const Storage storage : all_storages) {
      SCOPED_TRACE(name_of(c));
      const Solved solved = random_case(c, storage, rng);
      EXPECT_EQ(problems_of(solved), "");
      const Verification verdict = verify(solved.data, solved.model);
      EXPECT_NEAR(verdict.primal, solved.model.certificate->primal, 1e-12 * verdict.primal);
      EXPECT_NEAR(verdict.dual, solved.model.certificate->dual, 1e-12 * (1 + verdict.primal));
    }
}

TEST(VerifyClassObjectives, every_changed_number_is_detected) {
  Rng rng(22);
  for (const Case& c : cases()) {
    SCOPED_TRACE(name_of(c));
    const Solved honest = random_case(c, Storage::sparse, rng);
    const std::string about_class = honest.model.joint() ? "" : "Class 5: ";
    const std::string about_all = honest.model.joint() ? "" : "All classes together: ";

    Solved changed = honest;
    changed.model.x[K * rng.below(4) + 1] += 1e4;
    EXPECT_TRUE(contains(problems_of(changed), about_class + "The model claims P = "));
    EXPECT_TRUE(contains(problems_of(changed), about_all + "The model claims P = "));
    changed = honest;
    changed.model.certificate->gap *= 0.99;
    EXPECT_TRUE(contains(problems_of(changed), about_all + "The model claims a gap of "));
    changed = honest;
    changed.model.certificate->dual += 1e-3;
    EXPECT_TRUE(contains(problems_of(changed), about_all + "The model claims D = "));
    changed = honest;
    for (std::size_t at = 1; at < changed.model.y.size(); at += K) changed.model.y[at] *= 0.9;
    const double before = verify(honest.data, test::loosened(honest.model)).dual;
    if (honest.model.joint()) {
      EXPECT_TRUE(contains(problems_of(changed), "in row 1 the variables of the other classes"));
    } else if (verify(changed.data, changed.model).dual < before - 1e-6) {  // it may also be an improvement
      EXPECT_TRUE(contains(problems_of(changed), "The model claims D = "));
    }
    changed = honest;
    changed.model.y[5 * K + 1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(contains(problems_of(changed), about_class + "The dual point is not feasible: in row 6 "));
    EXPECT_TRUE(contains(problems_of(changed), honest.model.joint() ? "must be nonnegative" : "it is nan"));
    EXPECT_EQ(verify(changed.data, changed.model).dual, -std::numeric_limits<double>::infinity());
  }
}

}  // namespace verify_class_objectives_test
}  // namespace seesaw
