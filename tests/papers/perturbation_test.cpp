// The strongly convex perturbation of Zhu & Storkey 2015, section 1, as the option `perturb`.
#include <gtest/gtest.h>

#include "model/certificate.h"
#include "papers/direct_solve.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "support/problems.h"

namespace seesaw {
namespace perturbation_test {

Problem posed(const Dataset& data, const char* loss, double lambda, double l1) {
  Objective objective;
  objective.loss = loss;
  if (lambda > 0) objective.lambda = lambda;
  else if (l1 == 0) objective.regularizer = "none";
  else objective.regularizer = "l1";
  if (l1 > 0) objective.l1 = l1;
  objective.intercept = Intercept::none;
  return make_problem(data, objective);
}

double squared_norm(const std::vector<double>& x) {
  double sum = 0;
  for (double value : x) sum += value * value;
  return sum;
}

// The iterates are those of the problem with lambda = eps, and the gap that of the problem without lambda.
TEST(Perturbation, gives_the_iterates_of_the_problem_with_lambda) {
  const Dataset data = test::random_data(60, 6, Target::number, 6);
  const double eps = 1e-3;
  for (const double l1 : {0.0, 0.02})
    for (const char* name : {"sdca", "spdc", "adaspdc", "spdhg", "spdc-ais", "dspdc", "spd1-vr", "catr"}) {
      const Problem without = posed(data, "squared", 0, l1), with = posed(data, "squared", eps, l1);
      const auto perturbed = make_solver(without, {name, {{"perturb", "1e-3"}}, 3});
      const auto plain = make_solver(with, {name, {}, 3});
      Point a, b;
      for (int pass = 0; pass < 10; ++pass) {
        perturbed->epoch();
        plain->epoch();
      }
      perturbed->read(a);
      plain->read(b);
      EXPECT_EQ(a.x, b.x) << name;
      EXPECT_EQ(a.y, b.y) << name;
    }
}

// Without a penalty the optimum is that of least squares: P(x_eps) - P* <= (eps/2)|x*|^2, and the certificate shows it.
TEST(Perturbation, is_certified_as_posed) {
  const Dataset data = test::random_data(60, 6, Target::number, 6);
  const Problem without = posed(data, "squared", 0, 0);
  const double optimum = test::solve_ridge(data, 0).primal;
  double last = infinity;
  for (const char* eps : {"1e-2", "1e-3", "1e-4"}) {
    const auto solver = make_solver(without, {"sdca", {{"perturb", eps}}, 3});
    Point point;
    for (int pass = 0; pass < 20000; ++pass) solver->epoch();
    solver->read(point);
    const Certificate certificate = Certifier(without).certify(point);
    EXPECT_NEAR(certificate.dual, optimum, 1e-9) << eps;
    EXPECT_GT(certificate.gap, 0) << eps;
    EXPECT_LE(certificate.gap, std::stod(eps) / 2 * 1.5 * squared_norm(point.x) + 1e-12) << eps;
    EXPECT_LT(certificate.gap, last) << eps;
    last = certificate.gap;
  }
}

TEST(Perturbation, is_refused_where_it_means_nothing) {
  const Dataset data = test::random_data(60, 6, Target::number, 6);
  const auto refused = [](const Problem& problem, const char* name, const char* value, const char* why) {
    try {
      make_solver(problem, {name, {{"perturb", value}}, 1});
      ADD_FAILURE() << name << " " << value;
    } catch (const InvalidOption& refusal) {
      EXPECT_NE(std::string(refusal.what()).find(why), std::string::npos) << refusal.what();
    }
  };
  const Problem without = posed(data, "squared", 0, 0.01), with = posed(data, "squared", 0.1, 0.01);
  refused(with, "sdca", "1e-3", "lambda 0.1");
  refused(without, "sdca", "0", "above 0");
  refused(without, "sdca", "-1", "above 0");
  refused(without, "saga", "1e-3", "does not have this option");
  EXPECT_THROW(make_solver(without, {"sdca", {}, 1}), Unsupported);
}

}  // namespace perturbation_test
}  // namespace seesaw
