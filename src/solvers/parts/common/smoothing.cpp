#include "solvers/parts/common/smoothing.h"

#include <algorithm>

#include "base/tree_sum.h"
#include "model/mean_loss.h"

namespace seesaw {

Smoothing::Smoothing(const Problem& problem) : problem_(problem) {
  if (problem.gamma() > 0) return;
  const double at_zero = primal_at_zero(problem);
  g_ = at_zero > 0 ? 1e-2 * at_zero : 1e-2;
}

bool Smoothing::aim(double target_gap) {
  const double before = g_;
  g_ = std::max(g_, 100 * target_gap);
  return g_ != before;
}

bool Smoothing::on_check(const Checked& checked, const Point& current) {
  if (!(error(current) > 0.5 * checked.gap)) return false;
  g_ /= 2;
  return true;
}

bool Smoothing::follow(Solver& method, const Checked& checked) {
  if (!needed()) return false;
  if (method.work().passes == 0) return aim(checked.target);
  Point current;
  method.read(current);
  return on_check(checked, current);
}

double Smoothing::error(const Point& point) const {
  const std::size_t outputs = problem_.outputs();
  std::vector<double> z(problem_.n() * outputs);
  multiply(problem_.data->rows, point.x.data(), z.data(), outputs);
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += point.intercept[i % outputs];
  const auto squares = tree_sum<double>(problem_.leaves(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin * outputs; i < end * outputs; ++i)
      sum += problem_.normalized_weight[i / outputs] * point.y[i] * point.y[i];
    return sum;
  });
  return mean_loss(problem_, z) - mean_loss(problem_, z, g_) - 0.5 * g_ * squares;
}

}  // namespace seesaw
