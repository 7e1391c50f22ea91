#include "study/ais_probe.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "run/fit.h"
#include "sampling/adaptive.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

constexpr double delta_begin = 0.2, probe_kappa = 0.5;

struct TheoremOne {
  double tau, sigma, theta;

  TheoremOne(double R, double n, double lambda, double gamma, double delta) {
    const double shrink = 1 - delta;
    tau = shrink / (2 * R) * std::sqrt(gamma / (n * lambda));
    sigma = shrink / (2 * R) * std::sqrt(n * lambda / gamma);
    const double growth = 2 * lambda * tau;
    theta = 1 - std::min(growth / (1 + growth), 1 / (n / (sigma * gamma) + n / shrink));
  }
};

// The method for one storage and one loss.
template <class Rows, class Phi>
class DirectSpdcAis {
 public:
  DirectSpdcAis(const Problem& problem, const Rows& rows, const Phi& phi, AdaptiveSampler sampler, double delta)
      : problem_(problem),
        rows_(rows),
        phi_(phi),
        sampler_(std::move(sampler)),
        n_(static_cast<double>(problem.n())),
        steps_(largest_norm(rows), n_, problem.penalty.l2(), phi.gamma(), delta),
        x_(problem.d()),
        bar_(x_),
        s_(x_),
        y_(problem.n()) {}

  void step() {
    std::uint32_t i = 0;
    sampler_.fill({&i, 1});
    const double n_p = n_ * sampler_.probability(i);
    const double next = moved(i, steps_.sigma / n_p), dy = next - y_[i];
    y_[i] = next;
    std::vector<double> derivative = s_;
    add_to(derivative.data(), dy / n_p, rows_.row(i));
    for (std::size_t j = 0; j < x_.size(); ++j) {
      const double before = x_[j];
      x_[j] = (before - steps_.tau * derivative[j]) / (1 + steps_.tau * problem_.penalty.l2());
      bar_[j] = x_[j] + steps_.theta * (x_[j] - before);
    }
    add_to(s_.data(), dy / n_, rows_.row(i));
    sampler_.feedback(i, std::abs(dy) * n_p / steps_.sigma);
  }

  double theta() const { return steps_.theta; }
  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& y() const { return y_; }

  std::vector<double> probabilities() const {
    std::vector<double> p(y_.size());
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = sampler_.probability(static_cast<std::uint32_t>(i));
    return p;
  }

  double squared_distance(const std::vector<double>& best) const {
    double sum = 0;
    for (std::size_t i = 0; i < y_.size(); ++i) sum += (y_[i] - best[i]) * (y_[i] - best[i]);
    return sum;
  }

  double theta_t(const std::vector<double>& p_before, const std::vector<double>& best) const {
    const double half = 1 / (2 * steps_.sigma), gamma = phi_.gamma();
    const std::vector<double> p = probabilities();
    double above = 0, below = 0;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      const double e = (y_[i] - best[i]) * (y_[i] - best[i]);
      above += (half + gamma * (1 - p[i]) / (n_ * p[i])) * e;
      below += (half + gamma / (n_ * p_before[i])) * e;
    }
    return above / below;
  }

  double rho_t(const std::vector<double>& best) const {
    double sum = 0, cubes = 0;  // of the gradient maps
    for (std::size_t i = 0; i < y_.size(); ++i) {
      const double map = std::abs(moved(i, steps_.sigma) - y_[i]) / steps_.sigma;
      sum += map;
      cubes += map * map * map;
    }
    return (cubes / sum - sum / n_ * (sum / n_)) / (squared_distance(best) / n_);
  }

 private:
  static double largest_norm(const Rows& rows) {
    double largest = 0;
    for (std::size_t i = 0; i < rows.count(); ++i) largest = std::max(largest, squared_norm(rows.row(i)));
    return std::sqrt(largest);
  }

  double moved(std::size_t i, double sigma) const {
    return phi_.dual_step(problem_.scalar().target[i], dot(rows_.row(i), bar_.data()), y_[i], 1 / sigma);
  }

  const Problem& problem_;
  const Rows& rows_;
  const Phi& phi_;
  AdaptiveSampler sampler_;
  double n_;
  TheoremOne steps_;
  std::vector<double> x_, bar_, s_, y_;
};

void require_applicable(const Problem& problem) {
  const auto refuse = [](const char* why) {
    throw Error(std::string("the measurement of SPDC-AIS uses Algorithm 1 as printed and ") + why + ".");
  };
  if (problem.outputs() > 1) refuse("needs a loss of one score per row");
  if (!(problem.gamma() > 0)) refuse("needs a smooth loss");
  if (!(problem.penalty.l2() > 0) || problem.penalty.l1() > 0) refuse("needs the penalty l2");
  if (problem.free_intercept()) refuse("has no free intercept; use 'none' or 'penalized'");
  if (!problem.data->weights.empty()) refuse("has no row weights");
}

}  // namespace

DualOptimum dual_optimum(const Problem& problem) {
  const SolverSpec solver{"auto", {}, 1};
  const Criteria criteria{.gap = 0, .gap_abs = 1e-13};
  const Outcome outcome = solve({problem, solver, criteria});
  // D is (gamma/n)-strongly concave.
  const double gap = std::max(outcome.certificate.gap, 1e-16);
  return {outcome.point.y, 2 * static_cast<double>(problem.n()) * gap / problem.gamma()};
}

AisProbe probe_ais(const Problem& problem, const DualOptimum& optimum, const AisProbeOptions& options) {
  require_applicable(problem);
  const auto steps = static_cast<std::uint64_t>(options.passes * static_cast<double>(problem.n()));
  const std::uint64_t spacing = std::max<std::uint64_t>(1, (steps + options.points - 1) / options.points);
  std::vector<std::uint32_t> all(problem.n());
  std::iota(all.begin(), all.end(), 0U);
  AisProbe probe;
  const auto measure = [&](const auto& rows, const auto& phi) {
    const auto ramp =
        options.ramp > 0 ? static_cast<std::uint64_t>(options.ramp * static_cast<double>(problem.n())) : steps;
    const Adaptivity adaptivity{std::min(delta_begin, options.delta), options.delta, ramp, probe_kappa};
    DirectSpdcAis method(problem, rows, phi, AdaptiveSampler(all, adaptivity, Rng(options.seed)), options.delta);
    probe.theta = method.theta();
    for (std::uint64_t t = 1; t <= steps; ++t) {
      const bool measured = t % spacing == 0;
      const std::vector<double> before = measured ? method.probabilities() : std::vector<double>();
      method.step();
      if (!measured) continue;
      if (method.squared_distance(optimum.y) < 100 * optimum.squared_error) break;
      probe.iteration.push_back(static_cast<double>(t));
      probe.theta_t.push_back(method.theta_t(before, optimum.y));
      probe.rho_t.push_back(method.rho_t(optimum.y));
    }
    probe.x = method.x();
    probe.y = method.y();
  };
  std::visit(measure, problem.data->rows, problem.scalar().loss);
  return probe;
}

}  // namespace seesaw
