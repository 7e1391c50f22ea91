#include "run/gram_path.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/stop.h"
#include "solvers/engines/working_set_settings.h"
#include "solvers/parts/newton/second_moments.h"

namespace seesaw {

using namespace working_set_settings;

namespace {

constexpr double aimed_at = 0.9;  // of the tolerance
constexpr int most_rounds = 6;    // of coordinate descent, each more accurate
constexpr double more_accurate = 0.1;

}  // namespace

bool GramPath::applies(const Problem& problem) {
  return problem.penalty.l2() == 0 && worth_second_moments(problem, products_of_path);
}

std::unique_ptr<GramPath> GramPath::make(const Problem& problem) {
  if (!applies(problem)) return nullptr;
  const SecondMoments moments = second_moments(problem);
  if (stop_requested()) return nullptr;
  auto certifier = GramCertifier::make(problem, moments);
  return certifier ? std::unique_ptr<GramPath>(new GramPath(problem, std::move(certifier))) : nullptr;
}

GramPath::GramPath(const Problem& problem, std::unique_ptr<GramCertifier> certifier)
    : problem_(problem),
      certifier_(std::move(certifier)),
      h_(certifier_->of_features()),
      target_(certifier_->of_target()) {
  if (problem.free_intercept()) {
    of_ones_ = certifier_->of_ones();
    h_ -= of_ones_ * of_ones_.transpose();
    target_ -= certifier_->mean_target() * of_ones_;
  }
  const double k = std::get<PiecewiseQuadratic>(problem.scalar().loss).curvature;
  h_ /= k;
  target_ /= k;
  last_.x = Eigen::VectorXd::Zero(target_.size());
}

Eigen::VectorXd GramPath::predicted(double l1) const {
  Eigen::VectorXd x = last_.x;
  if (!(before_.l1 > last_.l1 && last_.l1 > l1)) return x;
  const double r = (last_.l1 - l1) / (before_.l1 - last_.l1);
  if (r > longest_prediction) return x;
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    if (last_.x[j] == 0) continue;
    x[j] += r * (last_.x[j] - before_.x[j]);
    if (x[j] * last_.x[j] < 0) x[j] = 0;
  }
  return x;
}

std::vector<std::vector<double>> GramPath::take_dual_points() {
  return certifier_->dual_points(std::exchange(without_dual_point_, {}));
}

std::optional<Outcome> GramPath::fit(const Criteria& criteria, Stopping& stopping) {
  const double l1 = problem_.penalty.l1();
  const bool shifted = problem_.free_intercept();
  Eigen::VectorXd x = predicted(l1), s = -target_;
  for (Eigen::Index j = 0; j < x.size(); ++j)
    if (x[j] != 0) s += x[j] * h_.col(j);
  Outcome outcome;
  Point& point = outcome.point;
  const auto set_point = [&] {
    point.x.assign(x.begin(), x.end());
    point.intercept = {shifted ? certifier_->mean_target() - of_ones_.dot(x) : 0};
  };
  set_point();
  auto proof = certifier_->certify(point.x, point.intercept[0]);
  const auto finish = [&](Termination end) {
    without_dual_point_.push_back({point.x, point.intercept[0], proof->scale});
    outcome.certificate = proof->certificate;
    outcome.termination = end;
    outcome.last = {static_cast<const Bounds&>(outcome.certificate)};
    outcome.last.passes = 0.5;  // one product; a pass is two
  };
  double accuracy = following_fraction * aimed_at;
  for (int round = 0; round < most_rounds; ++round, accuracy *= more_accurate) {
    const bool interrupted = stopping.interrupted();
    if (interrupted || stopping.out_of_time()) {
      if (proof) finish(interrupted ? Termination::interrupted : Termination::time_limit);
      return proof ? std::optional(std::move(outcome)) : std::nullopt;
    }
    // A violation of the optimality conditions adds |x|_1 times that to the gap, and scales y by l1/|v_j|.
    const double primal = proof ? proof->certificate.primal : 0, size = x.lpNorm<1>();
    const double wanted = accuracy * criteria.target_gap(primal) / size;
    descent_.minimize(h_, s, {0, l1}, std::min(wanted, l1_fraction * l1), x);
    s = descent_.derivative();
    set_point();
    proof = certifier_->certify(point.x, point.intercept[0]);
    if (!proof || !(proof->certificate.gap <= criteria.target_gap(proof->certificate.primal))) continue;
    before_ = std::exchange(last_, {l1, x});
    finish(Termination::converged);
    return outcome;
  }
  return std::nullopt;
}

}  // namespace seesaw
