// Penalty factors and bounds on coefficients: closed forms, a slow reference in long double, every method that takes
// them x penalty x loss x intercept x storage with the verifier's agreement, and models that are forged.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/synthetic.h"
#include "run/fit.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "support/expectations.h"
#include "support/multiclass.h"
#include "support/problems.h"
#include "support/specs.h"
#include "verify/verify.h"

namespace seesaw {
namespace features_test {

using test::Matrix;
using test::Storage;

struct Variant {
  std::string name;
  std::vector<double> factors = {}, lower = {}, upper = {};
};

const double none = infinity;
const std::vector<Variant> variants = {
    {.name = "factors", .factors = {0.3, 1, 2.5, 7, 0.1}},
    {.name = "zero", .factors = {0.3, 0, 2.5, 1, 1}},
    {.name = "nonnegative", .lower = {0, 0, 0, 0, 0}, .upper = {none, none, none, none, none}},
    {.name = "box", .lower = {-0.1, 0, -none, -0.02, 0}, .upper = {0.2, 0.05, 0.1, none, 0}},
    {.name = "factors and box",
     .factors = {0.3, 1, 2.5, 7, 0.1},
     .lower = {-0.1, 0, -none, -0.02, 0},
     .upper = {0.2, 0.05, 0.1, none, 0}},
};
const std::vector<std::pair<double, double>> penalties = {{0.05, 0.0}, {0.05, 0.02}, {0.0, 0.02}};  // lambda, l1

FitSpec spec_of(const Recipe& recipe, const std::string& loss, const Variant& variant, double lambda, double l1,
                Intercept intercept) {
  FitSpec spec = test::spec_of(recipe, loss_kind(loss), lambda, l1, intercept);
  spec.objective.penalty_factors = variant.factors;
  spec.objective.lower = variant.lower;
  spec.objective.upper = variant.upper;
  if (loss_kind(loss).gamma() == 0)  // in 20000 passes, with columns of different scale
    spec.criteria.gap_abs = recipe.exact_nonsmooth && lambda > 0 ? 1e-4 : 1e-3;
  return spec;
}

// min P by proximal gradient steps, all features and the intercept at once.
class Reference {
 public:
  explicit Reference(const Problem& problem) : p_(problem), a_(test::matrix_of(*problem.data)), x_(problem.d()) {
    long double largest = 0;
    for (const auto& row : a_) {
      long double square = p_.free_intercept() ? 1 : 0;
      for (const double value : row) square += (long double)value * value;
      largest = std::max(largest, square);
    }
    const long double tau = 1 / largest;
    for (int step = 0; step < 30000; ++step) {
      std::vector<long double> s(x_.size());
      long double s_b = 0;
      for (std::size_t i = 0; i < a_.size(); ++i) {
        const long double cy = p_.normalized_weight[i] * derivative(i);
        for (std::size_t j = 0; j < s.size(); ++j) s[j] += cy * a_[i][j];
        s_b += cy;
      }
      for (std::size_t j = 0; j < s.size(); ++j) {
        const Coordinate g = p_.penalty.coordinate(j);
        const long double u = x_[j] - tau * s[j], over = std::max(0.0L, std::abs(u) - tau * g.l1);
        x_[j] = std::clamp<long double>(std::copysign(over, u) / (1 + tau * g.l2), g.lo, g.hi);
      }
      if (p_.free_intercept()) b_ -= tau * s_b;
    }
  }
  double primal() const {
    long double sum = 0;
    for (std::size_t i = 0; i < a_.size(); ++i)
      sum += p_.normalized_weight[i] * test::phi_by_hand<long double>(std::string(p_.kind->name), p_.loss_parameter,
                                                                      p_.scalar().target[i], score(i));
    for (std::size_t j = 0; j < x_.size(); ++j)
      sum += p_.penalty.l2(j) / 2 * x_[j] * x_[j] + p_.penalty.l1(j) * std::abs(x_[j]);
    return double(sum);
  }

 private:
  long double score(std::size_t i) const {
    long double z = b_;
    for (std::size_t j = 0; j < x_.size(); ++j) z += a_[i][j] * x_[j];
    return z;
  }
  long double derivative(std::size_t i) const {
    const long double b = p_.scalar().target[i], z = score(i);
    return p_.kind->name == "squared" ? z - b : -b / (1 + std::exp(b * z));
  }

  const Problem& p_;
  Matrix a_;
  std::vector<long double> x_;
  long double b_ = 0;
};

void expect_within_bounds(const Variant& variant, const std::vector<double>& x, std::size_t outputs,
                          const std::string& what) {
  for (std::size_t at = 0; at < variant.lower.size() * outputs; ++at) {
    EXPECT_GE(x[at], variant.lower[at / outputs]) << what;
    EXPECT_LE(x[at], variant.upper[at / outputs]) << what;
  }
}

const std::vector<std::string> methods = {"auto", "sdca",   "spdc",  "adaspdc",   "spdhg", "saga",
                                          "ws",   "newton", "lbfgs", "primal-ag", "ssn",   "catr"};

class Features : public testing::TestWithParam<std::string> {};

TEST_P(Features, are_solved_and_verified_or_refused) {
  const Recipe& recipe = recipe_named(GetParam());
  int solved = 0;
  for (const char* loss : {"squared", "logistic", "hinge"})
    for (const Variant& variant : variants)
      for (const auto& [lambda, l1] : penalties)
        for (const Intercept intercept : {Intercept::none, Intercept::penalized, Intercept::free})
          for (const Storage storage : {Storage::sparse, Storage::dense_float}) {
            const Dataset data = test::random_data(40, 5, loss_kind(loss).target, 31, storage);
            const FitSpec spec = spec_of(recipe, loss, variant, lambda, l1, intercept);
            const std::string what = fmt::format("{} {} {} lambda {} l1 {} intercept {} storage {}", recipe.name, loss,
                                                 variant.name, lambda, l1, name_of(intercept), int(storage));
            const Dataset prepared = apply(fit_transform(data, Scaling::none, intercept == Intercept::penalized), data);
            if (const auto lack = missing(recipe, make_problem(prepared, spec.objective))) {
              try {
                fit(data, spec);
                ADD_FAILURE() << what << " was not refused";
              } catch (const Unsupported& refusal) {
                EXPECT_NE(std::string(refusal.what()).find(recipe.name + " needs " + *lack), std::string::npos)
                    << refusal.what();
              }
              continue;
            }
            const Fit result = fit(data, spec);
            EXPECT_EQ(result.outcome.termination, Termination::converged)
                << what << " gap " << result.outcome.certificate.gap;
            expect_within_bounds(variant, result.model.x, 1, what);
            const Verification verdict = verify(data, result.model);
            EXPECT_TRUE(verdict.holds) << what << ": " << (verdict.problems.empty() ? "" : verdict.problems[0]);
            EXPECT_LE(verdict.gap, spec.criteria.gap_abs * 1.0001) << what;
            ++solved;
          }
  EXPECT_GT(solved, 0);
}

INSTANTIATE_TEST_SUITE_P(Methods, Features, testing::ValuesIn(methods), [](const auto& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(FeaturePenalties, agree_with_a_slow_reference) {
  for (const char* loss : {"squared", "logistic"})
    for (const Variant& variant : variants)
      for (const auto& [lambda, l1] : penalties)
        for (const Intercept intercept : {Intercept::none, Intercept::free}) {
          const Dataset data = test::random_data(40, 5, loss_kind(loss).target, 77);
          FitSpec spec = spec_of(recipe_named("auto"), loss, variant, lambda, l1, intercept);
          spec.criteria.gap_abs = 1e-10;
          const Problem problem = make_problem(data, spec.objective);
          const Fit result = fit(data, spec);
          const double optimum = Reference(problem).primal();
          const std::string what = fmt::format("{} {} {} {} {}", loss, variant.name, lambda, l1, name_of(intercept));
          EXPECT_LE(result.model.certificate->dual, optimum + 1e-14) << what;
          EXPECT_GE(result.model.certificate->primal, optimum - 1e-9) << what;
          EXPECT_NEAR(result.model.certificate->primal, optimum, 2e-10) << what;
        }
}

// The bounds hold at any point, not only at those that a method finds: random x within the bounds, random y in the domain.
TEST(FeaturePenalties, certificates_of_any_point_are_bounds) {
  for (const char* loss : {"squared", "logistic"})
    for (const Variant& variant : variants)
      for (const auto& [lambda, l1] : penalties)
        for (const Intercept intercept : {Intercept::none, Intercept::free}) {
          const Dataset data = test::random_data(40, 5, loss_kind(loss).target, 78);
          const FitSpec spec = spec_of(recipe_named("auto"), loss, variant, lambda, l1, intercept);
          const Problem problem = make_problem(data, spec.objective);
          const double optimum = Reference(problem).primal();
          LinearModel model = fit(data, spec).model;
          const Point solved{model.x, model.intercept, model.y};
          Rng rng(9);
          for (const double size : {0.0, 1e-9, 1e-3, 1.0}) {
            const std::string what =
                fmt::format("{} {} {} {} {} {}", loss, variant.name, lambda, l1, name_of(intercept), size);
            Point point = solved;
            for (std::size_t j = 0; j < point.x.size(); ++j)
              point.x[j] = problem.penalty.bounds(j).clip(point.x[j] + size * rng.normal());
            for (double& y : point.y) y += size * rng.normal();
            Certifier certifier(problem);
            certifier.certify(point);  // into the dual domain
            const Certificate certificate = certifier.certify_rigorously(point);
            EXPECT_TRUE(certificate.guaranteed) << what;
            EXPECT_LE(certificate.dual, optimum + 1e-13) << what;
            EXPECT_GE(certificate.primal, optimum - 1e-12) << what;
            model.x = point.x;
            model.intercept = point.intercept;
            model.y = point.y;
            model.certificate = certificate;
            model.optimum.reset();  // these are of the point before
            model.proved_signs.clear();
            const Verification verdict = verify(data, model);
            EXPECT_TRUE(verdict.holds) << what << ": " << (verdict.problems.empty() ? "" : verdict.problems[0]);
            EXPECT_LE(verdict.dual, optimum + 1e-13) << what;
          }
        }
}

// min mean (x_j - b_j)^2/2 + ... over rows e_j: each coordinate alone.
TEST(FeaturePenalties, of_an_orthogonal_design_have_a_closed_form) {
  const std::size_t d = 6;
  Matrix matrix(d, std::vector<double>(d));
  const std::vector<double> labels = {3, -2, 0.5, -4, 0.1, 1};
  const std::vector<double> factors = {1, 2, 0.5, 4, 3, 0.25}, lower = {-1, -0.5, 0, -none, -1, -none},
                            upper = {none, 1, 0.25, 0, none, 0.75};
  for (std::size_t j = 0; j < d; ++j) matrix[j][j] = 1;
  Dataset data = test::table(matrix);
  data.labels = labels;
  data.source = "orthogonal";
  for (const auto& [lambda, l1] : {std::pair{0.1, 0.05}, {0.1, 0.0}, {0.0, 0.05}}) {
    FitSpec spec = test::spec_of(recipe_named("auto"), loss_kind("squared"), lambda, l1, Intercept::none);
    spec.objective.penalty_factors = factors;
    spec.objective.lower = lower;
    spec.objective.upper = upper;
    spec.criteria.gap_abs = 1e-13;
    const Fit result = fit(data, spec);
    for (std::size_t j = 0; j < d; ++j) {
      const double c = 1.0 / double(d), t = c * labels[j], over = std::max(0.0, std::abs(t) - l1 * factors[j]);
      const double best = std::clamp(std::copysign(over, t) / (c + lambda * factors[j]), lower[j], upper[j]);
      EXPECT_NEAR(result.model.x[j], best, 1e-5) << j;
    }
    EXPECT_TRUE(verify(data, result.model).holds);
  }
}

TEST(FeaturePenalties, nonnegative_ridge_of_one_feature) {
  for (const double sign : {1.0, -1.0}) {
    Dataset data = test::table({{1}, {2}, {3}});
    data.labels = {sign, sign * 3, sign * 2};
    data.source = "line";
    FitSpec spec = test::spec_of(recipe_named("sdca"), loss_kind("squared"), 0.5, 0, Intercept::none);
    spec.objective.lower = {0};
    spec.objective.upper = {infinity};
    spec.criteria.gap_abs = 1e-14;
    const Fit result = fit(data, spec);
    EXPECT_NEAR(result.model.x[0], sign > 0 ? (13.0 / 3) / (14.0 / 3 + 0.5) : 0, 1e-7);
    EXPECT_TRUE(verify(data, result.model).holds);
  }
}

// Every class has the same factors and bounds.
TEST(FeaturePenalties, of_several_classes) {
  for (const char* method : {"auto", "sdca", "spdc", "spdhg"})
    for (const char* loss : {"softmax", "multiclass-hinge", "smooth-hinge"})
      for (const Variant& variant : variants)
        for (const double l1 : {0.0, 0.01}) {
          if (variant.name == "zero") continue;
          const Dataset data = test::random_classes(45, 5, 3, 8);
          FitSpec spec = spec_of(recipe_named(method), loss, variant, 0.05, l1, Intercept::free);
          const std::string what = fmt::format("{} {} {} l1 {}", method, loss, variant.name, l1);
          const Fit result = fit(data, spec);
          EXPECT_EQ(result.outcome.termination, Termination::converged) << what;
          expect_within_bounds(variant, result.model.x, 3, what);
          const Verification verdict = verify(data, result.model);
          EXPECT_TRUE(verdict.holds) << what << ": " << (verdict.problems.empty() ? "" : verdict.problems[0]);
        }
}

// Factors are those of scaled features, bounds those of features as given.
TEST(FeaturePenalties, with_scaled_columns) {
  for (const Scaling scaling : {Scaling::none, Scaling::rows, Scaling::max, Scaling::columns_max, Scaling::columns_std})
    for (const Intercept intercept : {Intercept::penalized, Intercept::free}) {
      const Dataset data = test::random_data(40, 5, Target::sign, 3);
      FitSpec spec = spec_of(recipe_named("sdca"), "logistic", variants.back(), 1e-3, 0, intercept);
      spec.scaling = scaling;
      const Fit result = fit(data, spec);
      EXPECT_TRUE(verify(data, result.model).holds) << name_of(scaling);
      int at_bound = 0;
      for (std::size_t j = 0; j < 5; ++j) {
        const Transform& t = result.model.transform;
        const double factor = scaling == Scaling::max ? t.factor : t.column_factors.empty() ? 1 : t.column_factors[j];
        const double x = result.model.x[j] * factor;
        EXPECT_GE(x, variants.back().lower[j]) << name_of(scaling);
        EXPECT_LE(x, variants.back().upper[j]) << name_of(scaling);
        at_bound += x > 0.999 * variants.back().upper[j] || x < 0.999 * variants.back().lower[j];
      }
      EXPECT_GT(at_bound, 0);
    }
}

// The reach of an unpenalized weight: a bounded feature does not limit the dual points that prove it.
TEST(FeaturePenalties, unpenalized_beside_a_bound_are_verified) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    SynthOptions options{.n = 200, .d = 8, .task = Task::regression};
    options.seed = seed;
    const Dataset data = synthesize("correlated", options);
    FitSpec spec = test::spec_of(recipe_named("ws"), loss_kind("squared"), 0, 0.05, Intercept::free);
    spec.objective.penalty_factors = {0, 0.001, 1, 1, 1, 1, 1, 1};
    spec.objective.lower.assign(8, -none);
    spec.objective.upper.assign(8, none);
    spec.objective.lower[1] = -0.01;
    spec.objective.upper[1] = 0.01;
    spec.criteria = {.gap = 1e-6};
    const Fit result = fit(data, spec);
    EXPECT_EQ(result.outcome.termination, Termination::converged) << seed;
    EXPECT_EQ(test::verification_problems(data, result), "") << seed;
  }
}

TEST(FeaturePenalties, that_are_forged_are_found) {
  const Dataset data = test::random_data(40, 5, Target::sign, 31);
  const auto problems_of = [&](const LinearModel& model) {
    const Verification verdict = verify(data, model);
    return verdict.holds ? std::string() : verdict.problems.at(0);
  };
  for (const auto& [lambda, l1] : penalties) {
    FitSpec spec = spec_of(recipe_named("auto"), "logistic", variants.back(), lambda, l1, Intercept::free);
    spec.criteria.gap_abs = 1e-3;
    const LinearModel good = fit(data, spec).model;
    EXPECT_EQ(problems_of(good), "");
    LinearModel forged = good;
    forged.x[1] = -1e-300;
    EXPECT_NE(problems_of(forged).find("outside its bounds [0, 0.05]"), std::string::npos) << problems_of(forged);
    forged = good;
    std::fill(forged.objective.lower.begin(), forged.objective.lower.end(), -none);  // another problem, another optimum
    std::fill(forged.objective.upper.begin(), forged.objective.upper.end(), none);
    EXPECT_NE(problems_of(forged), "");
    forged = good;
    forged.objective.upper.pop_back();
    EXPECT_NE(problems_of(forged).find("4 upper bounds"), std::string::npos) << problems_of(forged);
    forged = good;
    forged.objective.lower[1] = 0.01;
    EXPECT_NE(problems_of(forged).find("do not contain 0"), std::string::npos) << problems_of(forged);
    forged = good;
    for (double& f : forged.objective.penalty_factors) f *= 1.01;
    EXPECT_NE(problems_of(forged), "");
    forged = good;
    forged.objective.penalty_factors[0] = -1;
    EXPECT_NE(problems_of(forged).find("penalty factor -1"), std::string::npos) << problems_of(forged);
    forged = good;
    if (forged.certificate->distance_bound) {
      *forged.certificate->distance_bound *= 0.99;
      EXPECT_NE(problems_of(forged).find("of the optimal weights"), std::string::npos)
          << problems_of(forged) << *good.certificate->distance_bound << " " << good.certificate->gap;
    }
  }
}

TEST(FeaturePenalties, that_make_no_sense_are_refused) {
  const Dataset data = test::random_data(40, 5, Target::sign, 31);
  const auto refusal_of = [&](const Variant& variant, double lambda) -> std::string {
    FitSpec spec = test::spec_of(recipe_named("auto"), loss_kind("logistic"), lambda, 0, Intercept::free);
    spec.objective.penalty_factors = variant.factors;
    spec.objective.lower = variant.lower;
    spec.objective.upper = variant.upper;
    try {
      fit(data, spec);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  using test::contains;
  EXPECT_TRUE(contains(refusal_of({.name = "", .factors = {1, 2}}, 1), "`factors` has 2 numbers"));
  EXPECT_TRUE(contains(refusal_of({.name = "", .factors = {1, 2, 3, 4, -1}}, 1), "not negative"));
  EXPECT_TRUE(contains(refusal_of({.name = "", .factors = {1, 2, 3, 4, std::nan("")}}, 1), "not negative"));
  EXPECT_TRUE(contains(refusal_of({.name = "", .lower = {0, 0, 0, 0, 1}, .upper = {1, 1, 1, 1, 2}}, 1), "contain 0"));
  EXPECT_TRUE(contains(refusal_of({.name = "", .lower = {0, 0, 0, 0, 0}}, 1), "`upper` has 0 numbers"));
  EXPECT_TRUE(contains(refusal_of({.name = "", .factors = {1, 2, 3, 4, 5}}, 0), "need a penalty"));
}

}  // namespace features_test
}  // namespace seesaw
