// Step sizes are data (Steps); a StepRule computes them and may change them between passes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/problem.h"
#include "sampling/sampler.h"
#include "solvers/solver.h"

namespace seesaw {

// The step sizes of a primal-dual method, one entry per row, or a single entry for all rows:
//     y_i  <- dual step with 1/sigma_i
//     x    <- prox_tau(x - tau (s + weight_i dy a_i))
//     xbar  = x + theta (x - x_prev)
struct Steps {
  std::vector<double> tau, theta, sigma, weight;
};
inline double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// Norms and weights of the rows, from which steps are computed. The free intercept is one more feature with the entry t.
struct RowFacts {
  explicit RowFacts(const Problem& problem);

  std::size_t n = 0;
  double lambda = 0;
  double bias_entry = 0;                  // t; 0 without a free intercept
  std::vector<double> normalized_weight;  // c_i
  std::vector<double> square;             // |a_i|^2 + t^2
  std::vector<std::uint32_t> drawable;    // rows that are not empty
  double m = 0;                           // their number
  std::vector<double> norm;               // R_i = sqrt(m c_i) |a_i|: the row norm if all weights are equal
  double largest = 0, mean = 0;           // of R_i; the mean over the drawable rows

  bool empty(std::size_t i) const { return !(square[i] > 0); }
};

class StepRule {
 public:
  explicit StepRule(const Problem& problem) : facts(problem) {}
  virtual ~StepRule() = default;

  // The steps for a loss whose conjugate is gamma-strongly convex; sets the sampler's probabilities accordingly.
  virtual Steps steps(double gamma) = 0;

  virtual void begin(Solver& /*method*/) {}  // at its start

  // After a pass: new steps, if the rule has changed them, and the cost of the update in passes.
  struct Retuned {
    std::optional<Steps> steps = {};
    double passes = 0;
  };
  virtual Retuned end_pass(Solver& /*method*/, double /*gamma*/) { return {}; }

  // Adaptive sampling: `moved` receives the size of each dual step, and `at_draw` returns sigma and weight of the row
  // just drawn if probabilities change from draw to draw.
  virtual bool uses_moves() const { return false; }
  virtual void moved(std::uint32_t /*row*/, double /*size*/) {}
  virtual bool changes_at_draws() const { return false; }
  virtual std::pair<double, double> at_draw(std::uint32_t /*row*/) const { return {}; }

  // Ideal sampling: before each block of draws (Sampler::block), `follow` receives |y_i' - y_i|/sigma for the dual step with
  // this sigma that each drawable row would take, indexed by row. O(nnz). Euclidean steps only; 0: not used.
  virtual double map_sigma() const { return 0; }
  virtual void follow(std::span<const double> /*maps*/) {}

  const RowFacts facts;
  std::unique_ptr<Sampler> sampler;  // set by steps() at the latest
};

}  // namespace seesaw
