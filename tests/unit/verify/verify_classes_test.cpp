// Models of several classes: one-versus-rest, softmax and multiclass-hinge.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rng.h"
#include "seesaw/error.h"
#include "support/expectations.h"
#include "support/table.h"
#include "verify/verify.h"

namespace seesaw {
namespace {

using test::all_storages;
using test::Matrix;
using test::says;
using test::sentence_of;
using test::Storage;
using test::table;

using Real = long double;
constexpr std::size_t K = 3;

struct Solved {
  Dataset data;
  LinearModel model;
};

void claim(LinearModel& model, double primal, double dual) {
  model.certificate = Certificate{.primal = primal, .dual = dual, .gap = primal - dual};
}

// Row i is the i-th unit vector and of class i: what one class is, all are.
Solved unit_rows(const std::string& loss) {
  Solved solved{.data = table({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), .model = {}};
  solved.data.labels = {2, 5, 7};
  solved.data.source = "train.svm";
  LinearModel& model = solved.model;
  model.objective.loss = loss;
  model.objective.lambda = 1;
  model.labels = {2, 5, 7};
  model.intercept = {0, 0, 0};
  model.n = 3;
  model.data_hash = content_hash(solved.data);
  for (std::size_t i = 0; i < K; ++i)
    for (std::size_t k = 0; k < K; ++k) {
      model.x.push_back(k == i ? 1.0 : -1.0);
      model.y.push_back(k == i ? -1.0 : 1.0);
    }
  return solved;
}

// Each class: mean (1 - b x_i)_+ + |x|^2/2 with p = 1 and x = b/3: P = 2/3 + 1/6 = D = 1 - 1/6.
Solved hinges() {
  Solved solved = unit_rows("hinge");
  for (double& x : solved.model.x) x /= 3;
  claim(solved.model, 2.5, 2.5);
  for (const double label : solved.model.labels)
    solved.model.classes.push_back({.label = label, .primal = 5.0 / 6, .dual = 5.0 / 6, .gap = 0});
  return solved;
}

// p = (0, 1/2, 1/2) of its own class and the others, x = -y/3: margins 1/2, |x|^2 = 1/2: P = 1/2 + 1/4 = D = 1 - 1/4.
Solved crammer_singer() {
  Solved solved = unit_rows("multiclass-hinge");
  for (double& y : solved.model.y) y = y < 0 ? -1 : 0.5;
  for (std::size_t at = 0; at < 9; ++at) solved.model.x[at] = -solved.model.y[at] / 3;
  claim(solved.model, 0.75, 0.75);
  return solved;
}

// p = (a, b, b) with b = (1 - a)/2 and x = -y/3: scores differ by (1 - a + b)/3 = (1 - a)/2, so a = 1/(1 + 2 exp(...)).
Solved softmax() {
  Solved solved = unit_rows("softmax");
  Real a = 0.5L;
  for (int step = 0; step < 200; ++step) a = 1 / (1 + 2 * std::exp((a - 1) / 2));
  const Real b = (1 - a) / 2;
  for (double& y : solved.model.y) y = static_cast<double>(y < 0 ? a - 1 : b);
  for (std::size_t at = 0; at < 9; ++at) solved.model.x[at] = -solved.model.y[at] / 3;
  const Real squares = 3 * ((1 - a) * (1 - a) + 2 * b * b) / 9;
  const Real value = std::log(1 + 2 * std::exp((a - 1) / 2)) + squares / 2;
  const Real dual = -(a * std::log(a) + 2 * b * std::log(b)) - squares / 2;
  EXPECT_NEAR(static_cast<double>(value - dual), 0, 1e-17);
  claim(solved.model, static_cast<double>(value), static_cast<double>(value));
  return solved;
}

std::string problems_of(const Solved& solved) {
  const Verdict verdict = verify(solved.data, solved.model);
  EXPECT_EQ(verdict.holds, verdict.problems.empty());
  return fmt::format("{}", fmt::join(verdict.problems, "\n"));
}

TEST(VerifyClasses, optima_found_by_hand_hold) {
  for (const Solved& solved : {hinges(), crammer_singer(), softmax()}) {
    SCOPED_TRACE(solved.model.objective.loss);
    EXPECT_EQ(problems_of(solved), "");
    const Verdict verdict = verify(solved.data, solved.model);
    EXPECT_NEAR(verdict.primal, solved.model.certificate->primal, 1e-15);
    EXPECT_NEAR(verdict.gap, 0, 1e-15);
    EXPECT_EQ(verdict.classes.size(), solved.model.classes.size());
  }
  EXPECT_NEAR(verify(hinges().data, hinges().model).classes[1].primal, 5.0 / 6, 1e-15);
  EXPECT_EQ(verify(hinges().data, hinges().model).classes[1].label, 5);
}

TEST(VerifyClasses, optima_with_free_intercepts_hold) {
  for (Solved solved : {crammer_singer(), softmax()}) {  // 0 is the best intercept of every class, by symmetry
    solved.model.objective.intercept = Intercept::free;
    EXPECT_EQ(problems_of(solved), "");
  }
}

// ---- every objective against a second formula ---------------------------------------------------------------------

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

// The reference: matrices of long double, and every formula once more.
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
    for (double& y : model_.y) y *= std::min(1.0, model_.objective.l1 / static_cast<double>(largest));
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
      model_.classes.push_back({.label = model_.labels[k],
                                .primal = static_cast<double>(primal[k]),
                                .dual = static_cast<double>(dual[k]),
                                .gap = static_cast<double>(primal[k] - dual[k])});
  }

 private:
  // y_i = s_i (q - e_own) has q's share of every class; with free intercepts q is the share of each class in the data,
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

TEST(VerifyClasses, every_objective_agrees_with_a_second_formula) {
  Rng rng(21);
  for (const Case& c : cases())
    for (const Storage storage : all_storages) {
      SCOPED_TRACE(name_of(c));
      const Solved solved = random_case(c, storage, rng);
      EXPECT_EQ(problems_of(solved), "");
      const Verdict verdict = verify(solved.data, solved.model);
      EXPECT_NEAR(verdict.primal, solved.model.certificate->primal, 1e-12 * verdict.primal);
      EXPECT_NEAR(verdict.dual, solved.model.certificate->dual, 1e-12 * (1 + verdict.primal));
    }
}

TEST(VerifyClasses, every_change_of_a_number_is_found) {
  Rng rng(22);
  for (const Case& c : cases()) {
    SCOPED_TRACE(name_of(c));
    const Solved honest = random_case(c, Storage::sparse, rng);
    const std::string about_class = honest.model.joint() ? "" : "Class 5: ";
    const std::string about_all = honest.model.joint() ? "" : "All classes together: ";

    Solved changed = honest;
    changed.model.x[K * rng.below(4) + 1] += 10;
    EXPECT_TRUE(says(problems_of(changed), about_class + "The model claims P = "));
    EXPECT_TRUE(says(problems_of(changed), about_all + "The model claims P = "));
    changed = honest;
    changed.model.certificate->gap *= 0.99;
    EXPECT_TRUE(says(problems_of(changed), about_all + "The model claims a gap of "));
    changed = honest;
    changed.model.certificate->dual += 1e-3;
    EXPECT_TRUE(says(problems_of(changed), about_all + "The model claims D = "));
    changed = honest;
    for (std::size_t at = 1; at < changed.model.y.size(); at += K) changed.model.y[at] *= 0.9;
    EXPECT_TRUE(says(problems_of(changed), honest.model.joint() ? "in row 1 the shares of the classes" : "Class 5: "));
    changed = honest;
    changed.model.y[5 * K + 1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(says(problems_of(changed), about_class + "The dual point is not feasible: in row 6 "));
    EXPECT_TRUE(says(problems_of(changed), honest.model.joint() ? "are not all numbers" : "it is nan"));
    EXPECT_EQ(verify(changed.data, changed.model).dual, -std::numeric_limits<double>::infinity());
  }
}

// ---- one-versus-rest ----------------------------------------------------------------------------------------------

TEST(VerifyClasses, one_class_that_claims_too_small_a_gap_is_found) {
  Solved solved = hinges();
  solved.model.x[0 * K + 2] = 0;  // of class 7 only
  solved.model.certificate->primal = 2.5 + 1.0 / 18;
  solved.model.certificate->gap = 1.0 / 18;
  solved.model.classes[2].primal = 5.0 / 6 + 1.0 / 18;
  solved.model.classes[2].gap = 1.0 / 18;
  EXPECT_EQ(problems_of(solved), "");
  solved.model.classes[2].gap = 0.05;
  EXPECT_EQ(problems_of(solved), "Class 7: The model claims a gap of 0.05, but the gap is 0.0555556.");
  // Nor can another class take it over.
  solved.model.classes[1].gap = 0.1;
  EXPECT_EQ(problems_of(solved), "Class 7: The model claims a gap of 0.05, but the gap is 0.0555556.");
}

TEST(VerifyClasses, a_sum_that_is_not_that_of_the_classes_is_found) {
  Solved solved = hinges();
  solved.model.certificate->primal = 2.4;
  EXPECT_EQ(problems_of(solved), "All classes together: The model claims P = 2.4, but its weights give P = 2.5.");
  solved = hinges();
  solved.model.certificate->distance_bound = 0;
  EXPECT_EQ(problems_of(solved), "");
  solved.model.x[0] += 0.01;
  EXPECT_TRUE(says(problems_of(solved), "All classes together: The model claims to be within 0 of the best weights"));
}

TEST(VerifyClasses, a_dual_number_outside_its_domain_is_found_with_class_and_row) {
  Solved solved = hinges();
  solved.model.y[1 * K + 0] = 1.001;
  EXPECT_TRUE(
      says(problems_of(solved), "Class 2: The dual point is not feasible: in row 2 it is 1.001, where the conjugate"));
}

TEST(VerifyClasses, a_class_that_is_not_balanced_is_found) {
  Solved solved = hinges();
  solved.model.objective.intercept = Intercept::free;
  EXPECT_TRUE(says(problems_of(solved),
                   "Class 2: The dual point is not feasible: with a free intercept its weighted "
                   "sum must be 0, and it is 0.333333"));
  EXPECT_TRUE(says(problems_of(solved), "Class 7: "));
}

TEST(VerifyClasses, claims_about_other_classes_are_found) {
  Solved solved = hinges();
  std::swap(solved.model.classes[0], solved.model.classes[1]);
  EXPECT_TRUE(says(problems_of(solved), "The claim about class 5 stands where that about class 2 belongs"));
  solved.model.classes.pop_back();
  EXPECT_TRUE(says(problems_of(solved), "claims about 2 single classes where 3 belong"));
  solved = softmax();
  solved.model.classes = hinges().model.classes;
  EXPECT_TRUE(says(problems_of(solved), "claims about 3 single classes where 0 belong"));
}

// ---- softmax and multiclass-hinge ---------------------------------------------------------------------------------

TEST(VerifyClasses, a_block_outside_the_simplex_is_found_with_its_row) {
  for (Solved solved : {crammer_singer(), softmax()}) {
    double* y = &solved.model.y[1 * K];
    y[2] += y[0] + 0.1;
    y[0] = -0.1;
    EXPECT_TRUE(says(problems_of(solved),
                     "in row 2 the shares of the classes (y, plus 1 for the row's own class) must "
                     "not be negative, and that of class 2 is -0.1."));
    y[0] = y[1] = y[2] = 0.1;
    EXPECT_TRUE(says(problems_of(solved), "must sum to 1, and they sum to 1.3."));
    solved.model.y[2 * K] = 3;
    EXPECT_TRUE(says(problems_of(solved), "1 more rows have dual numbers that are not feasible"));
  }
}

TEST(VerifyClasses, a_block_outside_the_simplex_by_rounding_holds) {
  Solved solved = crammer_singer();
  solved.model.y[0] = std::nextafter(-1.0, -2.0);
  solved.model.y[1] = std::nextafter(0.5, 1.0);
  EXPECT_EQ(problems_of(solved), "");
}

TEST(VerifyClasses, a_sum_over_the_rows_that_is_not_zero_is_found_with_its_class) {
  for (Solved solved : {crammer_singer(), softmax()}) {
    solved.model.objective.intercept = Intercept::free;
    solved.model.y[1] -= 0.03;
    solved.model.y[2] += 0.03;
    EXPECT_TRUE(says(problems_of(solved),
                     "its weighted sum over the rows must be 0 for every class, and for class 5 "
                     "it is -0.01."));
    EXPECT_EQ(verify(solved.data, solved.model).dual, -std::numeric_limits<double>::infinity());
  }
}

TEST(VerifyClasses, a_dual_point_outside_the_box_of_l1_is_found_with_its_class) {
  Solved solved = crammer_singer();
  solved.model.objective.lambda = 0;
  solved.model.objective.l1 = 0.3;
  EXPECT_TRUE(says(problems_of(solved), "for feature 1 and class 2 the data's sum |v| is 0.333333, and l1 = 0.3"));
}

// ---- what does not fit together -----------------------------------------------------------------------------------

TEST(VerifyClasses, labels_that_do_not_fit_are_found) {
  Solved solved = softmax();
  solved.model.labels = {2, 7, 5};
  EXPECT_TRUE(says(problems_of(solved), "The loss softmax needs two labels or more in ascending order"));
  solved.model.labels = {2, 5, 8};
  EXPECT_TRUE(says(problems_of(solved), "Row 3 has the label 7, but the model's labels are 2 and 5 and 8."));
  solved.model.labels = {2, 5};
  EXPECT_TRUE(says(problems_of(solved), "The loss softmax needs two labels or more"));
  solved = hinges();
  solved.model.labels = {2, 5, 5};
  EXPECT_TRUE(says(problems_of(solved), "One-versus-rest needs three labels or more in ascending order"));
  solved.model.objective.loss = "squared";
  EXPECT_TRUE(says(problems_of(solved), "predicts one number, but the model has 3 outputs"));
}

TEST(VerifyClasses, arrays_of_other_sizes_are_found) {
  Solved solved = softmax();
  solved.model.y.pop_back();
  EXPECT_TRUE(says(problems_of(solved), "has 8 numbers, but the data has 3 rows and the model 3 outputs."));
  EXPECT_TRUE(std::isinf(verify(solved.data, solved.model).gap));
  solved = softmax();
  solved.model.x.push_back(0);
  EXPECT_TRUE(says(problems_of(solved), "There are 10 weights, which is not the same number for each of 3 outputs."));
  solved = softmax();
  solved.model.x.resize(6);
  EXPECT_TRUE(says(sentence_of<Error>([&] { verify(solved.data, solved.model); }), "it has 3 features"));
}

TEST(VerifyClasses, an_intercept_that_the_objective_does_not_have_is_found) {
  for (Solved solved : {hinges(), crammer_singer(), softmax()}) {
    solved.model.intercept[2] = 0.5;
    EXPECT_TRUE(says(problems_of(solved), "adds the intercept 0.5 to its scores"));
  }
}

}  // namespace
}  // namespace seesaw
