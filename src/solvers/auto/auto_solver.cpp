#include "solvers/auto/auto_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/elementary.h"
#include "solvers/catalog.h"

namespace seesaw {
namespace {

constexpr double patience = 1.5;  // what remains may take this many times the other method's estimate
constexpr std::size_t most_switches = 3;

class AutoSolver final : public Solver {
 public:
  AutoSolver(const Problem& problem, const SolverSpec& spec, const Start& start, std::vector<Estimate> methods,
             std::string selection)
      : problem_(problem), spec_(spec), open_(std::move(methods)), selection_(std::move(selection)) {
    take_next(start);
  }

  void epoch() override { method_->epoch(); }
  void read(Point& point) override { method_->read(point); }
  Diagnostics diagnostics() const override {
    Diagnostics all = method_->diagnostics();
    all.methods = before_names_ + now_.name;
    all.selection = selection_;
    return all;
  }
  Work work() const override {
    Work work = method_->work();
    work.passes += before_.passes;
    work.entries += before_.entries;
    return work;
  }

  void on_check(const Checked& checked) override {
    method_->on_check(checked);
    history_.push_back({method_->work().passes, checked.gap});
    if (open_.empty() || switches_ == most_switches || !(checked.gap > checked.target)) return;
    const double passes = history_.back().passes;
    const double to_go = passes_to_go(history_, checked.target);
    const bool stuck = passes >= 20 && std::isinf(to_go);
    if (passes < earliest_doubt() && !stuck) return;
    if (to_go * now_.seconds / now_.passes > patience * open_.front().seconds) change(to_go, checked);
  }

 private:
  // Coordinate methods show their rate soon; second-order ones close most of the gap with their last steps.
  double earliest_doubt() const {
    return now_.name == "sdca" ? std::max(5.0, 0.3 * now_.passes) : std::max(20.0, 3 * now_.passes);
  }

  void take_next(const Start& start) {
    now_ = open_.front();
    open_.erase(open_.begin());
    method_ = make_solver(problem_, {now_.name, {}, spec_.seed, spec_.costs, spec_.gap}, start);
    history_.clear();
  }

  void change(double to_go, const Checked& checked) {
    Point point;
    method_->read(point);
    before_ = work();
    before_names_ += now_.name + ", ";
    const std::string slow = now_.name;
    take_next({point.y, point.x, point.intercept});
    method_->on_check(checked);
    history_.push_back({0, checked.gap});
    ++switches_;
    selection_ = fmt::format(
        "after {:.3g} passes {} takes over from {}, which would have needed {}.", before_.passes, now_.name, slow,
        std::isfinite(to_go) ? fmt::format("about {:.0f} more", to_go) : std::string("too many more"));
  }

  const Problem& problem_;
  SolverSpec spec_;
  std::vector<Estimate> open_;  // not tried yet, the quickest first
  Estimate now_;
  std::unique_ptr<Solver> method_;
  std::vector<Seen> history_;  // of the method at work
  Work before_;                // of those before it
  std::string before_names_;
  std::size_t switches_ = 0;
  std::string selection_;
};

}  // namespace

double passes_to_go(const std::vector<Seen>& history, double target) {
  const Seen& now = history.back();
  const auto past = std::find_if(history.rbegin(), history.rend(), [&](const Seen& seen) {
    return seen.passes <= 0.6 * now.passes && seen.passes < now.passes;
  });
  if (past == history.rend()) return 0;
  const double fallen = log_of(past->gap / now.gap);
  if (!(fallen > 0)) return infinity;
  return log_of(now.gap / target) * (now.passes - past->passes) / fallen;
}

std::vector<Estimate> candidates(const Problem& problem, const SolverSpec& spec) {
  std::vector<Estimate> able;
  for (const Estimate& estimate : estimates(workload_of(problem), spec.costs, spec.gap))
    if (!missing(recipe_named(estimate.name), problem)) able.push_back(estimate);
  if (!able.empty()) return able;
  for (const Recipe& recipe : catalog())
    if (recipe.name != spec.name && recipe.unsupported_reason == nullptr && !missing(recipe, problem))
      return {{recipe.name, 1, 1, "it is the one that solves such a problem"}};
  return {};
}

std::unique_ptr<Solver> make_auto_solver(const Problem& problem, const SolverSpec& spec, const Start& start,
                                         std::vector<Estimate> methods, std::string selection) {
  return std::make_unique<AutoSolver>(problem, spec, start, std::move(methods), std::move(selection));
}

}  // namespace seesaw
