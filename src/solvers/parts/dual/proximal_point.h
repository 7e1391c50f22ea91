// Proximal point steps that turn an ill-conditioned problem into well-conditioned ones, each solved approximately by
// dual ascent, with or without momentum (Catalyst):
//
//     kappa  = K R^2/(gamma n) - lambda                      so that (lambda + kappa) n gamma/R^2 = K
//     x      ~ argmin P(x) + (kappa/2)|x - center|^2         by m passes, or to an increasing precision
//     center = x + beta (x - x_prev)                         beta = (1-h)/(1+h), h = sqrt(mu/(mu + kappa)); or 0
//
// Restart: beta = 0 in a step with (center - x).(x - x_prev) > 0, that is, with momentum against the gradient. The
// center of the free intercept, which moves with every pass, has momentum as well if restart is on. If kappa <= 0 there
// is no outer loop: the result equals the inner method, bit for bit.
//
// The outer term only changes the numbers of the penalty (engines/dual_ascent.h), so y stays feasible for the original
// problem, and checks certify that problem: D at y; P at the better of x and grad g*(v).
//
// Nonsmooth losses are smoothed; when the smoothing is halved, kappa is recomputed and the points are kept.
#pragma once

#include <memory>
#include <vector>

#include "solvers/engines/dual_ascent.h"
#include "solvers/parts/common/smoothing.h"

namespace seesaw {

// When the center moves: after m passes; or, with eta = lambda/(lambda + 2 kappa), when the gap of the problem with the
// outer term is at most (eta/2) xi. xi starts at P - D of the start and is multiplied by 1 - eta/2 per outer step (the
// paper prints xi with a factor 1 + 1/eta, by which the precision is divided again).
enum class Schedule { fixed, precision };

struct ProximalPointSpec {
  double K = 1;
  Schedule schedule = Schedule::fixed;
  std::size_t inner_passes = 2;  // m
  bool momentum = true;
  double mu = 1;  // in units of lambda
  bool restart = true;
};

class ProximalPoint final : public Solver {
 public:
  ProximalPoint(const Problem& problem, const ProximalPointSpec& spec, std::unique_ptr<DualAscent> inner,
                const Start& start);

  void epoch() override;  // one pass of the inner method
  void read(Point& point) override;
  Work work() const override {
    const Work inner = inner_->work();
    return {inner.passes, inner.entries};
  }
  Diagnostics diagnostics() const override {
    Diagnostics all = inner_->diagnostics();
    all.values.insert(all.values.end(), {{"kappa", kappa_}, {"momentum", beta_}, {"stage", stages_}});
    return smoothing_.with(std::move(all));
  }
  void on_check(const Checked& checked) override;

 private:
  void retune();
  bool solved();
  void move_center();
  double primal(const std::vector<double>& x, double intercept);

  const Problem& problem_;
  ProximalPointSpec spec_;
  std::unique_ptr<DualAscent> inner_;
  Smoothing smoothing_;
  double largest_row_smoothness_;

  double kappa_ = 0, beta_ = 0, xi_ = 0;
  double stages_ = 0;  // moves of the centre
  std::vector<double> center_, x_, before_, v_;
  double intercept_before_ = 0;
  std::size_t passes_ = 0;  // since the center moved
  Point point_;
  std::vector<double> z_;
};

// The gap of the problem with an outer term and with the loss smoothed by g, at a point whose x and intercept are
// computed from y. The terms of the penalty are then 0 and the terms of the rows remain,
//     sum_i c_i [phi_i(z_i) + phi_i*(y_i) - y_i z_i].
// `scores`: working memory for z.
double gap_of_rows(const Problem& problem, const Point& point, double g, std::vector<double>& scores);

}  // namespace seesaw
