#include "solvers/auto/auto_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/archive.h"
#include "base/elementary.h"
#include "solvers/catalog.h"
#include "solvers/parts/newton/second_moments.h"

namespace seesaw {
namespace {

constexpr double switch_factor = 1.5;  // switch if the remaining time exceeds this multiple of the other estimate
constexpr std::size_t max_switches = 3;

class AutoSolver final : public Solver {
 public:
  AutoSolver(const Problem& problem, const SolverSpec& spec, const Start& start, std::vector<Estimate> methods,
             std::string selection)
      : problem_(problem), spec_(spec), untried_(std::move(methods)), selection_(std::move(selection)) {
    take_next(start);
  }

  void epoch() override {
    method_->epoch();
    consider_estimate();
  }
  void read(Point& point) override { method_->read(point); }
  std::optional<PointProof> proof() const override { return method_->proof(); }
  std::optional<double> primal_at_zero() const override { return method_->primal_at_zero(); }
  Diagnostics diagnostics() const override {
    Diagnostics all = method_->diagnostics();
    all.methods = before_names_ + current_.name;
    all.selection = selection_;
    return all;
  }
  Work work() const override {
    Work work = method_->work();
    work.passes += before_.passes;
    work.entries += before_.entries;
    if (check_is_due_) work.estimated_gap = 0;
    return work;
  }

  bool resumable() const override { return method_->resumable(); }
  void serialize(Archive& archive) override {
    std::size_t switches = switches_;
    archive.numbers("auto", switches, before_.passes, before_.entries, checked_.primal, checked_.dual, checked_.gap,
                    checked_.target, estimate_, check_is_due_);
    archive.text("before", before_names_);
    archive.text("selection", selection_);
    for (; switches_ < switches; ++switches_) take_next({});  // its state follows
    std::vector<double> history;
    for (const CheckedGap& one : history_) history.insert(history.end(), {one.passes, one.gap});
    archive.array("history", history);
    history_.clear();
    for (std::size_t k = 0; k + 1 < history.size(); k += 2) history_.push_back({history[k], history[k + 1]});
    method_->serialize(archive);
  }

  void on_check(const Checked& checked) override {
    method_->on_check(checked);
    checked_ = checked;
    check_is_due_ = false;
    consider(checked.gap);
  }

 private:
  // A method that estimates its gap is checked rarely: each new estimate is considered in place of a check.
  void consider_estimate() {
    if (current_.name != "sdca") return;
    const double estimate = method_->work().estimated_gap.value_or(infinity);
    if (!std::isfinite(estimate) || std::exchange(estimate_, estimate) == estimate) return;
    const std::size_t switches = switches_;
    consider(history_.empty() ? estimate : std::min(estimate, history_.back().gap));  // as checks: the best so far
    check_is_due_ = switches_ > switches;                                             // it reports the switch
  }

  void consider(double gap) {
    history_.push_back({method_->work().passes, gap});
    if (untried_.empty() || switches_ == max_switches || !(gap > checked_.target)) return;
    const double passes = history_.back().passes;
    const double remaining = passes_to_go(history_, checked_.target);
    const bool stuck = passes >= std::max(20.0, 0.5 * current_.passes) && std::isinf(remaining);
    if (passes < earliest_switch() && !stuck) return;
    if (remaining * current_.seconds / current_.passes > switch_factor * untried_.front().seconds)
      switch_method(remaining);
  }

  // Coordinate methods show their rate after few passes; second-order ones reduce the gap mostly in their last steps.
  double earliest_switch() const {
    return current_.name == "sdca" ? std::max(5.0, 0.3 * current_.passes) : std::max(20.0, 3 * current_.passes);
  }

  void take_next(const Start& start) {
    current_ = untried_.front();
    untried_.erase(untried_.begin());
    method_ = make_solver(problem_, {current_.name, {}, spec_.seed, spec_.costs, spec_.gap}, start);
    history_.clear();
  }

  void switch_method(double remaining) {
    Point point;
    method_->read(point);
    before_ = work();
    before_names_ += current_.name + ", ";
    const std::string slow = current_.name;
    take_next({point.y, point.x, point.intercept});
    method_->on_check(checked_);
    history_.push_back({0, checked_.gap});
    ++switches_;
    selection_ =
        fmt::format("auto switched from {} to {} after {:.3g} passes: {}.", slow, current_.name, before_.passes,
                    std::isfinite(remaining) ? fmt::format("{} would need about {:.0f} more passes", slow, remaining)
                                             : std::string("the gap stopped falling"));
  }

  const Problem& problem_;
  SolverSpec spec_;
  std::vector<Estimate> untried_;  // the fastest first
  Estimate current_;
  std::unique_ptr<Solver> method_;
  std::vector<CheckedGap> history_;  // of the current method
  Checked checked_{{}, 0};           // the last check
  double estimate_ = infinity;       // the last one considered
  bool check_is_due_ = false;        // after a switch between checks
  Work before_;                      // of the previous methods
  std::string before_names_;
  std::size_t switches_ = 0;
  std::string selection_;
};

}  // namespace

double passes_to_go(const std::vector<CheckedGap>& history, double target) {
  const CheckedGap& now = history.back();
  const auto past = std::find_if(history.rbegin(), history.rend(), [&](const CheckedGap& seen) {
    return seen.passes <= 0.6 * now.passes && seen.passes < now.passes;
  });
  if (past == history.rend()) return 0;
  const double log_reduction = log_of(past->gap / now.gap);
  if (!(log_reduction > 0)) return infinity;
  return log_of(now.gap / target) * (now.passes - past->passes) / log_reduction;
}

std::vector<Estimate> candidates(const Problem& problem, const SolverSpec& spec) {
  constexpr double few_products = 3;  // by A: no method takes fewer
  if (worth_second_moments(problem, few_products))
    return {{problem.penalty.l1() > 0 ? "ws" : "newton", 0, 1,
             fmt::format("squared loss, {} features, one Gram matrix", problem.d())}};
  std::vector<Estimate> able;
  for (const Estimate& estimate : estimates(workload_of(problem), spec.costs, spec.gap))
    if (!missing(recipe_named(estimate.name), problem)) able.push_back(estimate);
  if (!able.empty()) return able;
  for (const Recipe& recipe : catalog())
    if (recipe.name != spec.name && recipe.unsupported_reason == nullptr && !missing(recipe, problem))
      return {{recipe.name, 1, 1, "the only method that supports this loss and penalty"}};
  return {};
}

std::unique_ptr<Solver> make_auto_solver(const Problem& problem, const SolverSpec& spec, const Start& start,
                                         std::vector<Estimate> methods, std::string selection) {
  return std::make_unique<AutoSolver>(problem, spec, start, std::move(methods), std::move(selection));
}

}  // namespace seesaw
