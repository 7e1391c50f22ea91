#include "solvers/engines/batch_primal_dual.h"

#include "base/parallel.h"
#include "base/stop.h"
#include "solvers/parts/common/smoothing.h"
#include "solvers/parts/primal/batch_primal.h"

namespace seesaw {
namespace {

template <class LossType>
class BatchPrimalDual final : public Solver {
 public:
  BatchPrimalDual(const Problem& problem, const LossType& loss, BatchPrimalDualSpec spec, const Start& start)
      : problem_(problem),
        spec_(std::move(spec)),
        rows_(spec_.rule->facts.drawable),
        smoothing_(problem),
        y_(problem, loss, spec_.dual_step),
        x_(problem, spec_.rule->facts.bias_entry) {
    smooth();
    begin(start);
    spec_.rule->begin(*this);
  }

  void epoch() override {
    ++iterations_;
    if (rows_.empty()) return;  // no variables to move; the pass is counted
    step();
    if (stop_requested()) return;
    if (spec_.rule->end_iteration(*this, y_.gamma(), x_.scores())) load_steps();
  }

  void read(Point& point) override {
    x_.read(point);
    y_.read(point.y);
  }

  Work work() const override { return x_.work_of(iterations_); }

  Diagnostics diagnostics() const override {
    return smoothing_.with(Diagnostics{{{"tau", steps_.tau}, {"sigma", steps_.sigma}, {"theta", steps_.theta}}});
  }

  void on_check(const Checked& checked) override {
    if (smoothing_.follow(*this, checked)) smooth();
  }

 private:
  void step() {
    const std::vector<double>& zbar = x_.extrapolated_scores();
    std::vector<double>& cy = x_.weighted_dual();
    parallel_chunks(chunks_of(rows_.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        const std::uint32_t i = rows_[k];
        double dy;
        y_.move(i, &zbar[i], &dy);
        cy[i] = y_[i].normalized_weight * y_[i].y;
      }
    });
    x_.step(steps_.tau, BatchPrimal::From::last);
    if (stop_requested()) return;
    x_.extrapolate(steps_.theta);
  }

  void smooth() {
    if (smoothing_.needed()) y_.smooth(smoothing_.g());
    load_steps();
  }
  void load_steps() {
    steps_ = spec_.rule->steps(y_.gamma());
    y_.load(Steps{{steps_.tau}, {steps_.theta}, {steps_.sigma}, {1}}, rows_);
  }

  void begin(const Start& start) {
    const bool warm = !start.y.empty();
    x_.begin(start);
    for (std::size_t i = 0; i < y_.size(); ++i)
      if (spec_.rule->facts.empty(i)) y_.solve_empty(i);
      else if (spec_.dual_step == DualStep::dual_free)
        y_.start_at_score(i, warm ? x_.scores()[i] : y_.neutral_score(i));
      else if (warm) y_.start(i, &start.y[i]);
  }

  const Problem& problem_;
  BatchPrimalDualSpec spec_;
  const std::vector<std::uint32_t>& rows_;  // that are not empty
  Smoothing smoothing_;
  DualRows<LossType> y_;
  BatchPrimal x_;
  BatchSteps steps_{};
  std::uint64_t iterations_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_batch_primal_dual(const Problem& problem, BatchPrimalDualSpec spec, const Start& start) {
  return std::visit(
      [&]<class LossType>(const LossType& loss) -> std::unique_ptr<Solver> {
        return std::make_unique<BatchPrimalDual<LossType>>(problem, loss, std::move(spec), start);
      },
      problem.scalar().loss);
}

}  // namespace seesaw
