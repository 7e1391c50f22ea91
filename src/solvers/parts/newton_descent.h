// Newton's method on P over some rows: all of them, or a sample.
//
//     g = lambda x + sum_i c_i phi_i' a_i          H = lambda I + sum_i c_i phi_i'' a_i a_i^T        at z = A x + b
//     H p = -g, as exactly as is worth it;  x += t p,  z += t q,  q = A p;  t = 1 where P falls enough there, else near
//     the minimum along p
//
// Where that step is short the curvature at x says little: losses that are straight there bend elsewhere. The next step
// adds mu/gamma to every phi_i'' (1/gamma is the most that they bend), mu growing from 1e-3 to 1, until steps are whole
// again.
//
// With y_i = phi_i'(z_i) the gap is |g|^2/(2 lambda), exactly (with a free intercept where it is the best for x).
// Without lambda, or with unpenalized features, it is about -g.p/2, what a Newton step would still gain. The free intercept is the last number of x.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "solvers/parts/hessian.h"
#include "solvers/parts/loss_curve.h"
#include "solvers/parts/newton_system.h"

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
  // One step. `wanted`: the gap that is asked for; systems are not solved more exactly than it needs.
  void step(double wanted);
  // The best intercept for x.
  void settle_intercept();
  // Scores from x once more: what rounding left in them goes.
  void refresh() { begin(Eigen::VectorXd(x_)); }

  const Eigen::VectorXd& x() const { return x_; }
  double primal() const { return primal_; }
  double gap(double wanted);
  std::span<const double> derivatives() const { return derivative_; }  // c_i phi_i'
  double passes() const { return passes_; }

 private:
  void gradient();
  void find_direction(double wanted);
  double search();  // the length of the step; slope_, bend_ and primal_ are those of its end
  double penalty(const Eigen::VectorXd& x) const;
  double penalized_product(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const;  // over the penalized features

  NewtonRows set_;
  LossCurve curve_;
  double lambda_;
  std::vector<std::uint32_t> unpenalized_;  // features without a penalty
  bool free_;
  Eigen::Index features_;
  Hessian h_;
  std::unique_ptr<NewtonSystem> system_;
  Eigen::VectorXd x_, g_, p_;
  std::vector<double> z_, q_, derivative_, bend_;
  double primal_ = 0, first_ = 0;  // P; |g| at the start
  double gamma_, mu_ = 0;
  bool has_direction_ = false;
  double passes_ = 0;
};

}  // namespace seesaw
