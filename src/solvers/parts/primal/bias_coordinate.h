// The free intercepts, one coordinate per output: every row has the entry t there, and the penalty is
// (lambda/2)(x - center)^2, a proximal point whose center moves with every pass: b = t x. Every row uses it, so nothing
// is deferred.
#pragma once

#include <vector>

namespace seesaw {

class BiasCoordinate {
 public:
  BiasCoordinate(double entry, double lambda, std::size_t outputs)
      : entry_(entry),
        lambda_(lambda),
        x_(outputs),
        before_(outputs),
        s_(outputs),
        pending_(outputs),
        center_(outputs) {}

  bool present() const { return entry_ > 0; }

  void score(double theta, double* z) const {  // z += t (x + theta (x - x_prev))
    for (std::size_t k = 0; k < x_.size(); ++k) z[k] += entry_ * (x_[k] + theta * (x_[k] - before_[k]));
  }
  void add(const double* ds, const double* dx) {
    for (std::size_t k = 0; k < x_.size(); ++k) {
      s_[k] += entry_ * ds[k];
      x_[k] += entry_ * dx[k];
      pending_[k] += entry_ * dx[k];
    }
  }
  void step(double tau) {  // x <- prox_tau(x - tau s)
    for (std::size_t k = 0; k < x_.size(); ++k) {
      before_[k] = x_[k] - pending_[k];
      x_[k] = (x_[k] - tau * s_[k] + tau * lambda_ * center_[k]) / (1 + tau * lambda_);
      pending_[k] = 0;
    }
  }
  void end_pass() {
    for (std::size_t k = 0; k < x_.size(); ++k) center_[k] = x_[k] - pending_[k];
  }

  void set(const std::vector<double>& intercepts, const std::vector<double>& sums) {  // sums: of c_i y_i
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = intercepts[k] / entry_;
    before_ = center_ = x_;
    pending_.assign(x_.size(), 0.0);
    set_sum(sums);
  }
  void set_sum(const std::vector<double>& sums) {
    for (std::size_t k = 0; k < x_.size(); ++k) s_[k] = entry_ * sums[k];
  }
  void read(std::vector<double>& intercepts) const {  // without what add() has added for the next step
    intercepts.resize(x_.size());
    for (std::size_t k = 0; k < x_.size(); ++k) intercepts[k] = entry_ * (x_[k] - pending_[k]);
  }

 private:
  double entry_, lambda_;
  std::vector<double> x_, before_, s_;
  std::vector<double> pending_;  // added to x by add() for the next step
  std::vector<double> center_;
};

}  // namespace seesaw
