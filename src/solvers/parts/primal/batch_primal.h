// The primal point of a method that uses all rows in each iteration, extrapolated, with the scores of both points:
//
//     s    = sum_i c_i y_i a_i
//     x'   = prox_tau(from - tau s)                     from: x (primal-dual) or xbar (accelerated gradient)
//     xbar = x' + theta (x' - x)
//     zbar = A xbar + bbar
//     z'   = A x' + b' = (zbar + theta z)/(1 + theta)   without another product
//
// The free intercept is one more coordinate: b = t x_b with the entry t in every row and the penalty
// (lambda/2)(x_b - from_b)^2, a proximal point that moves with every iteration. An iteration costs two products by A and
// O(n + d), in parallel, with the same bits for any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "model/certificate.h"
#include "solvers/solver.h"

namespace seesaw {

class BatchPrimal {
 public:
  BatchPrimal(const Problem& problem, double bias_entry);
  void begin(const Start& start);  // x of the start; else grad g*(v) of its y; else 0 with its optimal intercept

  // Input of step(): c_i y_i of every row.
  std::vector<double>& weighted_dual() { return cy_; }

  enum class From { last, extrapolated };
  // Takes the step of x; returns (from - x').(x' - x), which is positive if momentum goes against the gradient.
  double step(double tau, From from);
  void extrapolate(double theta);

  const std::vector<double>& scores() const { return z_; }                  // z = A x + b
  const std::vector<double>& extrapolated_scores() const { return zbar_; }  // zbar
  void read(Point& point) const;                                            // x and b

  Work work_of(std::uint64_t iterations) const;  // one pass each: a product by A and one by A^T

 private:
  const Problem& problem_;
  double t_;
  std::vector<double> x_, before_, xbar_, s_;  // d numbers and that of the intercept
  std::vector<double> z_, zbar_, cy_;
};

}  // namespace seesaw
