// Estimates Delta, the strong convexity that the data adds to lambda, every ten passes. The three rules are described in
// recipes/spdc_adaptive.cpp.
#pragma once

#include <vector>

#include "model/certificate.h"
#include "solvers/options.h"
#include "solvers/parts/steps/step_rule.h"
#include "solvers/solver.h"

namespace seesaw {

enum class CurvatureRule { simple, robust, secant };

// How the rate of the gap over a period is measured: by regression over all passes, or from its two ends for
// deterministic methods.
enum class RateOf { all_passes, ends };

inline void describe_rule(OptionReader& reader, CurvatureRule& rule) {
  reader.choice("rule", rule, {"simple", "robust", "secant"}, "how the strong convexity of the data is estimated");
}
void refuse_rule_without_lambda(CurvatureRule rule, const Problem& problem);  // except the secant rule

class CurvatureLearner {
 public:
  CurvatureLearner(const Problem& problem, CurvatureRule rule, const RowFacts& facts,
                   RateOf rate_of = RateOf::all_passes);

  double curvature(double gamma);  // Delta; initially n lambda, or R^2/(1000 gamma) if that is 0

  void begin(Solver& method);  // measures the gap of the start; without it the first pass gives the first gap

  struct Update {
    bool changed = false;
    double passes = 0;  // cost of the estimate; certificates are not counted
  };
  // promised_rate: the rate per pass that theta guarantees. scores: A x + b at the method's point, if available.
  Update end_pass(Solver& method, double gamma, double promised_rate, const std::vector<double>* scores = nullptr);

 private:
  static constexpr int period = 10;
  bool by_gap(Solver& method, double promised_rate);
  bool by_secant(Solver& method, double gamma, const std::vector<double>* scores);

  const Problem& problem_;
  CurvatureRule rule_;
  RateOf rate_of_;
  const RowFacts& facts_;
  double curvature_ = 0;
  int passes_ = 0;

  Certifier certifier_;
  Point point_, before_;
  std::vector<double> z_, z_before_;
  double first_gap_ = 0, regression_ = 0, rho_ = 1;
};

}  // namespace seesaw
