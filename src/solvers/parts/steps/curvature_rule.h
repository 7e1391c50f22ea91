// Learns Delta, the strong convexity that the data adds to lambda, every ten passes: recipes/spdc_adaptive.cpp has the
// three rules.
#pragma once

#include <vector>

#include "model/certificate.h"
#include "solvers/options.h"
#include "solvers/parts/steps/step_rule.h"
#include "solvers/solver.h"

namespace seesaw {

enum class CurvatureRule { simple, robust, secant };

// What the rate of the gap over a period is taken from: all passes of it, or its ends, where a method takes no random
// turns.
enum class RateOf { all_passes, ends };

inline void describe_rule(OptionReader& reader, CurvatureRule& rule) {
  reader.choice("rule", rule, {"simple", "robust", "secant"}, "how the strong convexity of the data is learnt");
}
void refuse_rule_without_lambda(CurvatureRule rule, const Problem& problem);  // but the secant rule

class CurvatureLearner {
 public:
  CurvatureLearner(const Problem& problem, CurvatureRule rule, const RowFacts& facts,
                   RateOf rate_of = RateOf::all_passes);

  double curvature(double gamma);  // Delta; its first value is n lambda, or a thousandth of R^2/gamma where that is 0

  void begin(Solver& method);  // where the gap of the start counts; otherwise that of the first pass is the first

  struct Lesson {
    bool changed = false;
    double passes = 0;  // that the learning cost; certificates do not count
  };
  // promised: what theta promises of a pass; scores: A x + b of the method's point, where it has them at hand.
  Lesson end_pass(Solver& method, double gamma, double promised_rate, const std::vector<double>* scores = nullptr);

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
