#include "solvers/parts/dual/proximal_point.h"

#include <algorithm>
#include <cmath>

#include "model/certificate.h"
#include "model/mean_loss.h"
#include "solvers/parts/dual/conditioning.h"

namespace seesaw {
namespace {

void scores_of(const Problem& problem, const std::vector<double>& x, double intercept, std::vector<double>& z) {
  z.resize(problem.n());
  multiply(problem.data->rows, x.data(), z.data());
  for (double& score : z) score += intercept;
}

}  // namespace

double gap_of_rows(const Problem& problem, const Point& point, double g, std::vector<double>& scores) {
  scores_of(problem, point.x, point.intercept[0], scores);
  const ScalarForm& scalar = problem.scalar();
  return std::visit(
      [&](const auto& loss) {
        double gap = 0;
        for (std::size_t i = 0; i < scores.size(); ++i) {
          const double b = scalar.target[i], y = point.y[i], z = scores[i];
          gap += problem.normalized_weight[i] * (loss.value(b, z) + loss.conjugate(b, y) - y * z);
        }
        return gap;
      },
      smoothed(scalar.loss, g));
}

ProximalPoint::ProximalPoint(const Problem& problem, const ProximalPointSpec& spec, std::unique_ptr<DualAscent> inner,
                             const Start& start)
    : problem_(problem),
      spec_(spec),
      inner_(std::move(inner)),
      smoothing_(problem),
      largest_row_smoothness_(largest_row_smoothness(problem)),
      center_(problem.d()) {
  inner_->read(point_);  // x = grad g*(v) of the first y
  if (!start.y.empty()) center_ = start.x.size() == center_.size() ? start.x : point_.x;
  before_ = center_;
  intercept_before_ = inner_->intercept();
  retune();
  if (spec_.schedule == Schedule::precision) xi_ = Certifier(problem).certify(point_).gap;
}

// The center moves before the pass that uses it: until then x is the solution of the finished step.
void ProximalPoint::epoch() {
  if (kappa_ > 0 && solved()) move_center();
  inner_->epoch();
  ++passes_;
}

bool ProximalPoint::solved() {
  if (passes_ == 0) return false;
  if (spec_.schedule == Schedule::fixed) return passes_ >= spec_.inner_passes;
  const double eta = problem_.penalty.l2() / (problem_.penalty.l2() + 2 * kappa_);
  inner_->read(point_);
  if (gap_of_rows(problem_, point_, smoothing_.g(), z_) > eta / 2 * xi_) return false;
  xi_ *= 1 - eta / 2;
  return true;
}

void ProximalPoint::move_center() {
  inner_->read_primal(x_, v_);
  double against = 0;
  for (std::size_t j = 0; j < x_.size(); ++j) against += (center_[j] - x_[j]) * (x_[j] - before_[j]);
  const double beta = spec_.restart && against > 0 ? 0 : beta_;
  for (std::size_t j = 0; j < x_.size(); ++j) center_[j] = x_[j] + beta * (x_[j] - before_[j]);
  const double b = inner_->intercept();
  inner_->recenter(center_, spec_.restart ? beta * (b - intercept_before_) : 0);
  before_.swap(x_);
  intercept_before_ = b;
  passes_ = 0;
  ++stages_;
}

void ProximalPoint::read(Point& point) {
  inner_->read(point);
  if (kappa_ == 0) return;
  inner_->read_primal(x_, v_);
  for (double& v : v_) v = soft_threshold(v, problem_.penalty.l1()) / problem_.penalty.l2();
  if (primal(v_, point.intercept[0]) < primal(point.x, point.intercept[0])) point.x = v_;
}

double ProximalPoint::primal(const std::vector<double>& x, double intercept) {
  scores_of(problem_, x, intercept, z_);
  double penalty = 0;
  for (double xj : x) penalty += problem_.penalty.l1() * std::abs(xj) + 0.5 * problem_.penalty.l2() * xj * xj;
  return mean_loss(problem_, z_) + penalty;
}

void ProximalPoint::on_check(const Checked& checked) {
  if (smoothing_.follow(*this, checked)) retune();
}

void ProximalPoint::retune() {
  const double lambda = problem_.penalty.l2(), gamma = smoothing_.needed() ? smoothing_.g() : problem_.gamma();
  const bool had_term = kappa_ > 0;
  kappa_ = std::max(0.0, spec_.K * largest_row_smoothness_ / gamma - lambda);
  const double h = std::sqrt(spec_.mu * lambda / (spec_.mu * lambda + kappa_));
  beta_ = spec_.momentum ? (1 - h) / (1 + h) : 0;
  if (kappa_ > 0 && !had_term && work().passes > 0) {  // the outer loop starts at the current point of the inner method
    inner_->read_primal(center_, v_);
    before_ = center_;
    intercept_before_ = inner_->intercept();
    passes_ = 0;
  }
  if (kappa_ > 0 || smoothing_.needed()) inner_->retune(smoothing_.g(), kappa_, center_);
}

}  // namespace seesaw
