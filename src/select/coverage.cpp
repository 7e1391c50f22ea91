#include "select/coverage.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/compensated_sum.h"
#include "base/elementary.h"

namespace seesaw {
namespace {

constexpr double last_bits = 1e-15;

bool is_zero(const std::vector<double>& y) {
  return std::all_of(y.begin(), y.end(), [](double yi) { return yi == 0; });
}

// The sum over the classes.
void join(CertificateAt& all, const Certificate& part, std::optional<double> label) {
  if (!label) {
    all.certificate = part;
    return;
  }
  if (all.classes.empty()) {
    all.certificate = part;
    all.certificate.distance_bound.reset();
  } else {
    add_rigorously(all.certificate, part);
  }
  all.classes.push_back({static_cast<const Bounds&>(part), *label});
}

// What all curves cover, by the relative or by the absolute tolerance, whichever covers more.
struct Covered {
  Interval interval;
  Tolerance by;
};
std::optional<Covered> widest(const std::vector<GapCurve>& curves, double t, const PathTolerance& tolerance,
                              const Interval& range) {
  std::optional<Covered> best;
  for (const Tolerance& trial : {Tolerance{tolerance.relative, 0}, Tolerance{0, tolerance.absolute}}) {
    if (trial.relative == 0 && trial.absolute == 0) continue;
    std::optional<Interval> found = range;
    for (const GapCurve& curve : curves) {
      const auto one = curve.covered(t, trial, range);
      if (!one) found.reset();
      if (!found) break;
      found = Interval{std::max(found->lo, one->lo), std::min(found->hi, one->hi)};
    }
    if (!found || (best && best->interval.hi / best->interval.lo >= found->hi / found->lo)) continue;
    best = {*found, trial};
  }
  return best;
}

}  // namespace

bool proves(const Bounds& bounds, const Tolerance& tolerance) {
  return bounds.gap + last_bits * bounds.primal <=
         (1 - last_bits) * (tolerance.relative * std::max(bounds.dual, 0.0) + tolerance.absolute);
}

bool proves(const CertificateAt& at, const Tolerance& tolerance) {
  if (!at.certificate.guaranteed) return false;
  if (at.classes.empty()) return proves(at.certificate, tolerance);
  return std::all_of(at.classes.begin(), at.classes.end(),
                     [&](const ClassCertificate& one) { return proves(one, tolerance); });
}

PathProblem::PathProblem(const Problem& base, const PathLine& line) : base_(base), line_(line) {
  if (!base.is_one_versus_rest()) parts_.push_back(base);
  else
    for (std::size_t k = 0; k < base.labels.size(); ++k) parts_.push_back(class_problem(base, k));
  certifiers_.resize(parts_.size());
  if (base.is_scalar() && GapCurve::is_ridge(base, line)) {
    parts_[0].penalty = line.penalty_at(base.penalty, 1);
    prover_ = RidgeProver::make(parts_[0]);
  }
}

Certifier& PathProblem::certifier_at(std::size_t part, double t) {
  parts_[part].penalty = line_.penalty_at(base_.penalty, t);
  if (!certifiers_[part]) certifiers_[part] = std::make_unique<Certifier>(parts_[part]);
  return *certifiers_[part];
}

Problem PathProblem::at(double t) const {
  Problem problem = base_;
  problem.penalty = line_.penalty_at(base_.penalty, t);
  return problem;
}

std::vector<Point> PathProblem::split(const Point& point) const {
  if (!base_.is_one_versus_rest()) return {point};
  const std::size_t K = parts_.size();
  std::vector<Point> points(K);
  const auto part = [&](const std::vector<double>& all, std::size_t k) {
    std::vector<double> one;
    for (std::size_t at = k; at < all.size(); at += K) one.push_back(all[at]);
    return one;
  };
  for (std::size_t k = 0; k < K; ++k) points[k] = {part(point.x, k), {point.intercept[k]}, part(point.y, k)};
  return points;
}

std::optional<CertificateAt> PathProblem::certify_proved(const RidgeProof& proof, double t) {
  parts_[0].penalty = line_.penalty_at(base_.penalty, t);
  const auto found = prover_->certify(proof);
  return found ? std::optional(CertificateAt{.t = t, .certificate = *found}) : std::nullopt;
}

std::optional<CertificateAt> PathProblem::certify_combination(Point& point, double t, const ProvedPoint& a,
                                                              const ProvedPoint& b, ProvedPoint& combined) {
  prover_->make_feasible(point);
  const auto proof = prover_->prove(point, combined.products.z, combined.products.v, a.proof, b.proof);
  if (!proof) return std::nullopt;
  combined.proof = *proof;
  return certify_proved(*proof, t);
}

CertificateAt PathProblem::certify(Point& point, double t, double enough, std::optional<ProvedPoint>* proved,
                                   const std::vector<double>* z) {
  if (proved != nullptr) proved->reset();
  if (prover_ && proved != nullptr) {
    prover_->make_feasible(point);
    PointProducts products = products_of(base_, point, z);
    if (const auto proof = prover_->prove(point, products.z, products.v)) {
      const auto found = certify_proved(*proof, t);
      if (found && found->certificate.gap <= enough) {
        *proved = {std::move(products), *proof};
        return *found;
      }
    }
  }
  std::vector<Point> points = split(point);
  CertificateAt result;
  result.t = t;
  result.dual_scale.assign(parts_.size(), 1.0);
  const std::size_t K = parts_.size();
  for (std::size_t k = 0; k < K; ++k) {
    const Certificate part = certifier_at(k, t).certify_rigorously(points[k], enough);
    join(result, part, base_.is_one_versus_rest() ? std::optional(base_.labels[k]) : std::nullopt);
    if (!base_.is_one_versus_rest()) point.y = points[k].y;
    else
      for (std::size_t i = 0; i < points[k].y.size(); ++i) point.y[i * K + k] = points[k].y[i];
  }
  return result;
}

std::optional<CertificateAt> PathProblem::certify_parts(const std::vector<Point>& points,
                                                        const std::vector<GapCurve>& curves, double t, double enough) {
  CertificateAt result;
  result.t = t;
  result.dual_scale.clear();
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    Certifier& certifier = certifier_at(k, t);
    double s = curves[k].dual_scale(t), less = 1e-14;
    for (int round = 0;; ++round) {  // the certificate leaves y as it is where it is proved to be feasible
      Point scaled = points[k];
      if (s != 1)
        for (double& yi : scaled.y) yi *= s;
      const std::vector<double> y = scaled.y;
      const Certificate part = certifier.certify_rigorously(scaled, enough);
      const bool same = scaled.y == y;
      if (!same && is_zero(scaled.y)) s = 0;
      else if (!same) {
        if (!line_.l1_alone() || round == 12) return std::nullopt;
        const auto largest =
            std::max_element(y.begin(), y.end(), [](double p, double q) { return std::abs(p) < std::abs(q); });
        const double shrunk = scaled.y[static_cast<std::size_t>(largest - y.begin())] / *largest;
        s *= std::clamp(shrunk, 0.5, 1.0) * (1 - less);  // as far as the certificate had to shrink it
        less *= 8;
        continue;
      }
      result.dual_scale.push_back(s);
      join(result, part, base_.is_one_versus_rest() ? std::optional(base_.labels[k]) : std::nullopt);
      break;
    }
  }
  return result;
}

std::optional<RidgeSums> PathProblem::ridge_sums(std::size_t part, const Point& point, double t, const Bounds& at) {
  Point copy = point;
  const Certificate twice = certifier_at(part, 2 * t).certify_rigorously(copy, infinity);
  if (!twice.guaranteed || twice.dual_point == DualPoint::zero || copy.y != point.y) return std::nullopt;
  CompensatedSum x_squared;
  for (const double xj : point.x) x_squared += xj * xj;
  RidgeSums sums{};
  sums.x_squared = x_squared.value();
  sums.loss = at.primal - 0.5 * t * sums.x_squared;
  sums.v_squared = std::max(0.0, 4 * t * (twice.dual - at.dual));
  sums.conjugate = -at.dual - sums.v_squared / (2 * t);
  return sums;
}

std::optional<CertificateAt> PathProblem::prove_end(const GapCurve& curve, double t, double end, bool last,
                                                    const Tolerance& tolerance, const Certify& certify) {
  constexpr std::array parts = {1.0, 0.999, 0.99, 0.95, 0.8, 0.5};  // of the logarithmic distance
  const double enough = 0.5 * (tolerance.relative * curve.at(end).dual + tolerance.absolute);
  for (const double part : parts) {
    if (part == 1 && !last) continue;  // found by plain sums: a little too far in half of the cases
    const double at = part == 1 ? end : t * exp_of(part * log_of(end / t));
    auto found = certify(at, enough);
    if (found && proves(*found, tolerance)) return found;
  }
  const auto found = certify(t, enough);
  return found && proves(*found, tolerance) ? found : std::nullopt;
}

std::optional<Interval> PathProblem::promised(const Point& point, PointProducts products, double t,
                                              const PathTolerance& tolerance, const Interval& range) const {
  std::vector<GapCurve> curve;
  curve.emplace_back(base_, line_, point, std::move(products));
  const auto found = widest(curve, t, tolerance, range);
  return found ? std::optional(found->interval) : std::nullopt;
}

std::optional<Coverage> PathProblem::prove(const std::vector<GapCurve>& curves, const CertificateAt& at,
                                           const PathTolerance& tolerance, const Interval& range,
                                           const Certify& certify) {
  const double t = at.t;
  const auto found = widest(curves, t, tolerance, range);
  if (!found) return std::nullopt;
  const Interval& interval = found->interval;
  const Tolerance& by = found->by;
  const auto end = [&](double to, double limit) -> std::optional<CertificateAt> {
    if (to == t && proves(at, by)) return at;
    return prove_end(curves[0], t, to, to == limit, by, certify);
  };
  auto lower = end(interval.lo, range.lo);
  auto upper = lower ? end(interval.hi, range.hi) : std::nullopt;
  if (!lower || !upper) return std::nullopt;
  return Coverage{std::move(*lower), std::move(*upper), by.relative == 0};
}

std::optional<Coverage> PathProblem::cover(const Point& point, const CertificateAt& at, const PathTolerance& tolerance,
                                           const Interval& range, const ProvedPoint* proved) {
  std::vector<GapCurve> curves;
  if (proved != nullptr) {
    const RidgeProof& of = proved->proof;
    curves.emplace_back(parts_[0], line_, point, RidgeSums{of.loss, of.conjugate, of.x_squared, of.v_squared});
    return prove(curves, at, tolerance, range, [&](double t, double) { return certify_proved(of, t); });
  }
  const std::vector<Point> points = split(point);
  curves.reserve(points.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Bounds& known = at.classes.empty() ? static_cast<const Bounds&>(at.certificate) : at.classes[k];
    const bool usable = GapCurve::is_ridge(parts_[k], line_) && known.dual > 0;
    const auto sums = usable ? ridge_sums(k, points[k], at.t, known) : std::nullopt;
    if (sums) curves.emplace_back(parts_[k], line_, points[k], *sums);
    else curves.emplace_back(parts_[k], line_, points[k]);
  }
  return prove(curves, at, tolerance, range,
               [&](double t, double enough) { return certify_parts(points, curves, t, enough); });
}

}  // namespace seesaw
