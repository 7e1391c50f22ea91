// Newton's method on P over some rows: all of them, or a sample.
//
//     g = lambda x + sum_i c_i phi_i' a_i          H = lambda I + sum_i c_i phi_i'' a_i a_i^T        at z = A x + b
//     H p = -g                                     as exactly as useful
//     x += t p,  z += t q,  q = A p                t = 1 if P decreases enough, else close to the minimum along p
//
// After a short step the curvature at x is a poor model: losses that are linear there are curved elsewhere. The next step
// adds mu/gamma to every phi_i'' (1/gamma is its maximum), mu growing from 1e-3 to 1, until steps are full again.
//
// With y_i = phi_i'(z_i) the gap is |g|^2/(2 lambda), exactly (with a free intercept if it is optimal for x). Without
// lambda, or with unpenalized features, it is about -g.p/2, the decrease predicted for a Newton step. The free intercept
// is the last entry of x.
//
// Where the loss is quadratic in pieces, g follows from the matrix M = sum_i w_i a_i a_i^T of the last solve and the rows
// that changed their piece, without a product by A^T over the others:
//
//     g(x + t p) = g + t (lambda p + M p) + sum_i delta_i a_i
//     delta_i = c_i phi_i'(z_i + t q_i) - c_i phi_i'(z_i) - t w_i q_i
//
// Its rounding errors are relative to M, those of a product to g itself. Where g is not larger than an estimate of them,
// and neither is what the target gap needs, it is computed again.
//
// The squared loss is its own model: after the first step g is the residual H p + g of the system, without a product by
// A^T, and z = A x is computed from x. Its errors are estimated alike.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "solvers/parts/newton/hessian.h"
#include "solvers/parts/newton/loss_curve.h"
#include "solvers/parts/newton/newton_system.h"

namespace seesaw {

struct NewtonRows {
  const Rows& rows;
  std::span<const double> target, normalized_weight;
};

class NewtonDescent {
 public:
  // All must outlive this.
  NewtonDescent(const NewtonRows& set, const Loss& loss, double lambda, bool free_intercept, SystemKind system,
                std::vector<std::uint32_t> unpenalized = {});

  void begin(const Eigen::VectorXd& x);
  // Another lambda, at the same x: O(d).
  void follow(double lambda);
  // After follow(): x moves on the line through the points of the last two calls, if P decreases there. Not where a step is
  // exact up to rows that change their piece: it costs as much and moves further.
  bool move_on_line();
  // One step. Systems are not solved more exactly than `target_gap` needs.
  void step(double target_gap);
  // Sets the optimal intercept for x, unless it is.
  void settle_intercept();
  // Recomputes the scores from x, to remove accumulated rounding errors.
  void refresh() { begin(Eigen::VectorXd(x_)); }

  const Eigen::VectorXd& x() const { return x_; }
  double primal() const { return primal_; }
  double gap(double target_gap);
  std::span<const double> derivatives() const { return derivative_; }  // c_i phi_i'
  double passes() const { return passes_; }

  void serialize(Archive& archive);  // between two steps

  double steps() const { return steps_; }
  double cg_iterations() const { return system_->cg_iterations(); }
  double step_length() const { return step_length_; }  // t of the last step
  double damping() const { return mu_; }

 private:
  void gradient();
  // To x + t p, after search(). `noise`: of q - A p, in units of the rounding of A x.
  void move(double t, double noise = 0);
  bool update_gradient(double t, double noise);  // false: too many rows
  void scores();                                 // z = A x + b
  void solve_first_step();                       // of the squared loss
  void find_direction(double target_gap);
  double search();  // the step length; sets derivative_, curvature_ and primal_ at the new point
  double penalty(const Eigen::VectorXd& x) const;
  double penalized_product(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const;  // over the penalized features

  NewtonRows set_;
  LossCurve curve_;
  double lambda_;
  std::vector<std::uint32_t> unpenalized_;  // features without a penalty, ascending
  bool free_;
  Eigen::Index features_;
  bool piecewise_;  // the loss is quadratic in pieces
  bool quadratic_;  // the squared loss with a penalty on every feature
  Hessian h_;
  std::unique_ptr<NewtonSystem> system_;
  Eigen::VectorXd x_, g_, p_;
  std::vector<double> z_, q_, derivative_, curvature_;
  std::vector<double> last_derivative_;  // at the point before search()
  std::vector<double> weight_, change_;  // of update_gradient(): w and delta
  std::vector<std::uint32_t> changed_;
  int updates_ = 0;           // of g_ since it was computed
  double error_ = 0;          // of g_ by these: an estimate of its norm
  Eigen::VectorXd solved_x_;  // of move_on_line(): the point of the call before, and its scores
  std::vector<double> solved_z_;
  double drift_ = 0, drift_since_ = 0;  // error of z_ in units of the rounding of A x; of z_ - solved_z_
  double primal_ = 0, first_ = 0;       // P; |g| at the start
  double gamma_, mu_ = 0;
  bool has_direction_ = false, settled_ = false;  // settled_: the intercept is optimal for x
  double passes_ = 0, steps_ = 0, step_length_ = 0;
};

}  // namespace seesaw
