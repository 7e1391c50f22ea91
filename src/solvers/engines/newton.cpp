#include "solvers/engines/newton.h"

#include <algorithm>
#include <utility>

#include "base/archive.h"
#include "base/parallel_elements.h"
#include "base/rng.h"
#include "base/stop.h"
#include "base/tree_sum.h"
#include "data/listed_nodes.h"
#include "solvers/follows_penalty.h"
#include "solvers/parts/common/dual_sums.h"
#include "solvers/parts/newton/newton_descent.h"

namespace seesaw {
namespace {

std::vector<std::uint32_t> unpenalized(const Problem& problem) {  // features, ascending
  std::vector<std::uint32_t> features;
  if (!problem.penalty.uniform() && problem.penalty.l2() > 0)
    for (std::size_t j = 0; j < problem.d(); ++j)
      if (problem.penalty.l2(j) == 0) features.push_back(static_cast<std::uint32_t>(j));
  return features;
}

class Newton final : public Solver, public FollowsPenalty {
 public:
  Newton(const Problem& problem, const NewtonSpec& spec, const Start& start)
      : problem_(problem),
        system_(spec.system),
        samples_(spec.sampled_start && start.y.empty()),
        all_({problem.data->rows, problem.scalar().target, problem.normalized_weight}, problem.scalar().loss,
             problem.penalty.l2(), problem.free_intercept(), spec.system, unpenalized(problem)) {
    std::vector<double> s(problem.d()), sums;
    if (!start.y.empty()) weighted_sums(problem, start.y, s, sums);
    const std::vector<double> x = starting_x(problem, start, s);
    Eigen::VectorXd first(static_cast<Eigen::Index>(problem.d() + (problem.free_intercept() ? 1 : 0)));
    std::copy(x.begin(), x.end(), first.begin());
    if (problem.free_intercept()) first[first.size() - 1] = starting_intercepts(problem, start)[0];
    all_.begin(first);
  }

  void epoch() override {
    if (samples_) {
      samples_ = false;
      const double before = all_.primal();
      const Eigen::VectorXd first = all_.x();
      const Eigen::VectorXd sampled = from_samples(first);
      if (stop_requested()) return;
      all_.begin(sampled);
      if (!(all_.primal() < before)) all_.begin(first);
    } else {
      if (std::exchange(on_line_, false) && all_.move_on_line()) {
        if (problem_.free_intercept()) all_.settle_intercept();
        update_estimate();
        if (estimated_gap_ <= target_) return;
      }
      all_.step(own_target());
    }
    if (stop_requested()) return;
    update_estimate();
    if (problem_.free_intercept() && estimated_gap_ <= target_) {
      all_.settle_intercept();
      update_estimate();
    }
  }

  void penalty_changed() override {
    samples_ = false;
    on_line_ = true;  // where x is not within the tolerance already
    all_.follow(problem_.penalty.l2());
    if (problem_.free_intercept()) all_.settle_intercept();
    target_ = 0;
    checked_primal_ = all_.primal();
    gap_factor_ = 1;
    update_estimate();
  }
  double primal() override { return all_.primal(); }

  void read(Point& point) override {
    const Eigen::VectorXd& x = all_.x();
    point.x.assign(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(problem_.d()));
    point.intercept.assign(1, problem_.free_intercept() ? x[x.size() - 1] : 0);
    point.y.resize(problem_.n());
    const std::span<const double> derivative = all_.derivatives();
    parallel_elements(point.y.size(),
                      [&](std::size_t i) { point.y[i] = derivative[i] / problem_.normalized_weight[i]; });
  }

  Work work() const override {
    const double passes = all_.passes() + sample_passes_;
    return {passes, passes * static_cast<double>(problem_.data->nnz), estimated_gap_};
  }

  Diagnostics diagnostics() const override {
    return {{{"newton_steps", all_.steps()},
             {"cg_iterations", all_.cg_iterations()},
             {"step_length", all_.step_length()},
             {"damping", all_.damping()}}};
  }

  bool resumable() const override { return true; }
  void serialize(Archive& archive) override {
    archive.numbers("newton", samples_, target_, checked_primal_, estimated_gap_, gap_factor_, sample_passes_);
    all_.serialize(archive);
  }

  // An estimate that the check does not confirm is due to rounding, or to a dual point that had to be made feasible: the
  // estimate is increased.
  void on_check(const Checked& checked) override {
    target_ = checked.target;
    checked_primal_ = checked.primal;
    if (estimated_gap_ <= checked.target && checked.gap > checked.target) {
      gap_factor_ *= 2 * std::clamp(checked.gap / std::max(estimated_gap_, 1e-300), 1.0, 1e3);
      all_.refresh();
      estimated_gap_ = infinity;
    }
  }

 private:
  // The target is usually relative to the P of the last check, and P has decreased since.
  double safety_factor() const {
    return gap_factor_ * (all_.primal() > 0 ? std::max(1.0, checked_primal_ / all_.primal()) : 1.0);
  }
  double own_target() const { return target_ / safety_factor(); }
  void update_estimate() { estimated_gap_ = safety_factor() * all_.gap(own_target()); }

  // Each sample keeps lambda. The optimum of N rows differs from that of all rows by about d/N of P, which sets the
  // accuracy.
  Eigen::VectorXd from_samples(Eigen::VectorXd x) {
    const std::size_t n = problem_.all_rows(), d = problem_.d();
    Rng rng(1);
    for (std::size_t size = std::max<std::size_t>(2048, 50 * d); size <= n / 3 && !stop_requested(); size *= 4) {
      const std::vector<std::uint32_t> which = draw_rows(problem_.data->rows, size, rng);
      std::vector<double> target, normalized_weight;
      for (const std::uint32_t i : which) {
        target.push_back(problem_.scalar().target[i]);
        normalized_weight.push_back(problem_.normalized_weight[i]);
      }
      double total = 0;
      tree_sum(problem_.leaves().as_one(which.size()), 1, &total, [&](std::size_t begin, std::size_t end, double* sum) {
        for (std::size_t k = begin; k < end; ++k) *sum += normalized_weight[k];
      });
      for (double& c : normalized_weight) c /= total;
      const Rows rows = settled_sample(problem_.data->rows, which, {&target, &normalized_weight});
      NewtonDescent part({rows, target, normalized_weight}, problem_.scalar().loss, problem_.penalty.l2(),
                         problem_.free_intercept(), system_, unpenalized(problem_));
      part.begin(x);
      const double relative_gap = std::max(1e-7, 0.003 * static_cast<double>(d) / static_cast<double>(size));
      for (int step = 0;
           step < 8 && !stop_requested() && part.gap(relative_gap * part.primal()) > relative_gap * part.primal();
           ++step)
        part.step(relative_gap * part.primal());
      x = part.x();
      sample_passes_ += part.passes() * static_cast<double>(size) / static_cast<double>(n);
    }
    return x;
  }

  const Problem& problem_;
  SystemKind system_;
  bool samples_;
  NewtonDescent all_;
  double target_ = 0;                // the gap that ends the run
  double checked_primal_ = 0;        // P at the last check
  double estimated_gap_ = infinity;  // the gap of the step times the safety factor
  double gap_factor_ = 1;            // increased after a check that does not confirm the estimate
  double sample_passes_ = 0;
  bool on_line_ = false;  // the next epoch begins by move_on_line()
};

}  // namespace

std::unique_ptr<Solver> make_newton(const Problem& problem, const NewtonSpec& spec, const Start& start) {
  return std::make_unique<Newton>(problem, spec, start);
}

}  // namespace seesaw
