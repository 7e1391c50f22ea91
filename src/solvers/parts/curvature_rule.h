// Learns Delta, the strong convexity that the data adds to lambda, every ten passes: recipes/spdc_adaptive.cpp has the
// three rules.
#pragma once

#include <vector>

#include "model/certificate.h"
#include "solvers/parts/step_rule.h"
#include "solvers/solver.h"

namespace seesaw {

enum class CurvatureRule { simple, robust, secant };

class CurvatureLearner {
 public:
  CurvatureLearner(const Problem& problem, CurvatureRule rule, const RowFacts& facts);

  double curvature(double gamma);  // Delta; its first value is n lambda, or a thousandth of R^2/gamma where that is 0

  struct Lesson {
    bool changed = false;
    double passes = 0;  // that the learning cost; certificates do not count
  };
  Lesson end_pass(Solver& method, double gamma, double promised_rate);  // promised: what theta promises of a pass

 private:
  static constexpr int period = 10;
  bool by_gap(Solver& method, double promised_rate);
  bool by_secant(Solver& method, double gamma);

  const Problem& problem_;
  CurvatureRule rule_;
  const RowFacts& facts_;
  double curvature_ = 0;
  int passes_ = 0;

  Certifier certifier_;
  Point point_, before_;
  std::vector<double> z_, z_before_;
  double first_gap_ = 0, regression_ = 0, rho_ = 1;
};

}  // namespace seesaw
