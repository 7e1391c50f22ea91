// The methods of seesaw/saddle.h, pass by pass. With s = sum_i c_i A_i y_i and n blocks:
//
//   bpd       y_i' = dual step at A_i^T xbar, all i;   x' = prox(x - tau s');   xbar = x' + theta (x' - x)
//             L = |[sqrt(c_i) A_i]|. lambda, gamma > 0: tau = sqrt(gamma/lambda)/L, sigma = sqrt(lambda/gamma)/L,
//             theta = 1/(1 + 2 sqrt(lambda gamma)/L). lambda > 0 alone: theta = 1/sqrt(1 + 2 lambda tau), tau theta,
//             sigma/theta after every iteration, begun again from tau = sigma = 1/L when the gap (or the residuals) is a
//             quarter of what it was at the last begin. Otherwise tau = sigma = 1/L, theta = 1.
//   spdc      one block i per step, drawn by permutations, with p_i = 1/n and R^2 = max_i n c_i |A_i|^2:
//             y_i' = dual step at A_i^T xbar;   x' = prox(x - tau (s + n c_i A_i (y_i' - y_i)));   s += c_i A_i (y_i' - y_i)
//   adaspdc   the same with R_i^2 = n c_i |A_i|^2 of the drawn block; steps of both as in spdc_steps.h
//   spdhg     x' = prox(x - tau (s + e));   i drawn with p_i = w_i/W, w_i = (1 + sqrt(1 + c_i |A_i|^2/(k lambda gamma)))/2;
//             y_i' = dual step at A_i^T x';   s += c_i A_i dy;   e = theta (c_i/p_i) A_i dy
//             tau = 1/(2 lambda (W - 1)),  sigma_i = k p_i/(c_i tau |A_i|^2),  theta = 1 - 1/W,  k = 0.98
//   sdca      x = grad g*(-s);   y_i' = dual step at A_i^T x with q_i = c_i |A_i|^2/lambda;   s += c_i A_i dy
//             Where g is a sum over coordinates, a step updates x at the columns of its block alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "seesaw/saddle.h"
#include "solvers/parts/steps/spdc_steps.h"

namespace seesaw::saddle {

const char* name_of(Method method);

struct Sizes {
  double primal = unknown, dual = unknown, gap = unknown, primal_residual = 0, dual_residual = 0;
};

// From x = 0 and y = 0. The problem must outlive it. Polls base/stop.h: a pass that was stopped is incomplete, and the
// point can be read.
class Iteration {
 public:
  // Throws Unsupported if the method needs strong convexity that the functions do not have.
  Iteration(const Problem& problem, const Settings& settings);

  void pass();  // as many block steps as there are blocks, or one step of all
  // P, D and the residuals of the problem as posed, at x and y.
  Sizes measure();
  // After measure(): bpd begins again where `size`, the gap or the residuals, has fallen enough.
  void restart(double size);
  // After a change of the functions: no extrapolation from what was before; x and y stay.
  void begin_again();
  // Settings::perturb_dual from now on; x and y stay.
  void set_dual_perturbation(double g);

  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& y() const { return y_; }

 private:
  std::span<double> block_of(std::vector<double>& y, std::size_t i) const;
  bool accelerated() const { return settings_.method == Method::bpd && lambda_ > 0 && !(gamma_ > 0); }
  double coupling(std::size_t i) const;  // c_i |A_i|^2

  void set_steps();
  void set_batch_steps();
  void set_ascent_steps();
  void set_drawn_steps();
  void set_block_steps();
  void require_strong_convexity() const;
  void leave_empty_blocks();
  double largest_norm();

  void batch_iteration();
  void block_pass();
  void drawn_pass();
  void ascent_pass();

  void scores(std::size_t i, std::span<const double> x);
  void dual_step(std::size_t i, std::span<const double> y0, double q, double perturbation);
  void primal_step(double tau);
  void extrapolate(double theta);
  void exact_primal();
  void exact_primal_of(std::size_t i);
  void update_block(std::size_t i, double sigma, std::vector<double>& also, double scale);
  void recompute_sum();

  const Problem& problem_;
  Settings settings_;
  double lambda_, gamma_of_blocks_, gamma_;
  double tau_ = 1, sigma_ = 1, theta_ = 1, first_step_ = 1, at_restart_;
  bool separable_;
  std::vector<double> cumulative_;  // probabilities, of the blocks of order_
  std::vector<SpdcSteps> steps_;    // per block
  std::vector<double> x_, previous_, extrapolated_, s_, shifted_, y_;
  std::vector<double> z_, next_, center_;  // of a block
  std::vector<std::uint32_t> order_;
  Rng rng_;
};

}  // namespace seesaw::saddle
