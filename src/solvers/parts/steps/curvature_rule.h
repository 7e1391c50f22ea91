// Estimates Delta, the strong convexity that the data adds to lambda, once per period. The three rules are described in
// recipes/spdc_adaptive.cpp.
#pragma once

#include <optional>
#include <vector>

#include "model/certificate.h"
#include "solvers/options.h"
#include "solvers/parts/steps/step_rule.h"
#include "solvers/recipe.h"
#include "solvers/solver.h"

namespace seesaw {

enum class CurvatureRule { simple, robust, secant };

// How the rate of the gap over a period is measured: by regression over all passes, or from its two ends for
// deterministic methods.
enum class RateOf { all_passes, ends };

enum class FirstEstimate { lambda, number };
enum class ThetaOf { proof, one };

struct CurvatureOptions {
  CurvatureRule rule = CurvatureRule::secant;
  FirstEstimate first = FirstEstimate::lambda;
  std::size_t period = 10;                  // T
  double rate_low = 0.95, rate_high = 1.5;  // c and c bar of Algorithm 4
  ThetaOf theta = ThetaOf::proof;

  void describe(OptionReader& reader);  // read by name_numbers(spec, {"first-estimate"})
  void refuse_unused(const SolverSpec& spec, const Problem& problem) const;
};

class CurvatureLearner {
 public:
  // first: the given first estimate.
  CurvatureLearner(const Problem& problem, const CurvatureOptions& options, std::optional<double> first,
                   const RowFacts& facts, RateOf rate_of = RateOf::all_passes);

  double curvature(double gamma);  // Delta; initially the given one, n lambda, or R^2/(1000 gamma) if that is 0

  void begin(Solver& method);  // measures the gap of the start

  struct Update {
    bool changed = false;
    double passes = 0;  // cost of the estimate; certificates are not counted
  };
  // promised_rate: the rate per pass that theta guarantees. scores: A x + b at the method's point, if available.
  Update end_pass(Solver& method, double gamma, double promised_rate, const std::vector<double>* scores = nullptr);

 private:
  bool by_gap(Solver& method, double promised_rate);
  bool by_secant(Solver& method, double gamma, const std::vector<double>* scores);

  const Problem& problem_;
  CurvatureOptions options_;
  RateOf rate_of_;
  const RowFacts& facts_;
  std::optional<double> first_;
  double curvature_ = 0;
  std::size_t passes_ = 0;

  Certifier certifier_;
  Point point_, before_;
  std::vector<double> z_, z_before_;
  double first_gap_ = 0, regression_ = 0, rho_ = 1;
};

}  // namespace seesaw
