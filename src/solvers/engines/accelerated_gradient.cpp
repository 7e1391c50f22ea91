#include "solvers/engines/accelerated_gradient.h"

#include <cmath>

#include "base/parallel.h"
#include "base/stop.h"
#include "solvers/parts/common/smoothing.h"
#include "solvers/parts/primal/batch_primal.h"
#include "solvers/parts/steps/spectral_norm.h"
#include "solvers/parts/steps/step_rule.h"

namespace seesaw {
namespace {

template <class LossType>
class AcceleratedGradient final : public Solver {
 public:
  AcceleratedGradient(const Problem& problem, const LossType& loss, const AcceleratedGradientSpec& spec,
                      const Start& start)
      : problem_(problem),
        original_(loss),
        loss_(loss),
        facts_(problem),
        norm_(spectral_norm(problem, facts_.bias_entry)),
        mu_(spec.mu),
        restart_(spec.restart),
        smoothing_(problem),
        x_(problem, facts_.bias_entry) {
    smooth();
    x_.begin(start);
  }

  void epoch() override {
    ++iterations_;
    if (facts_.drawable.empty()) return;  // no variables to move; the pass is counted
    step();
  }

  void read(Point& point) override {
    x_.read(point);
    point.y.resize(problem_.n());
    for (std::size_t i = 0; i < point.y.size(); ++i)  // of an empty row by the original loss, not the smoothed one
      point.y[i] = facts_.empty(i) ? original_.derivative(scalar_.target[i], 0)
                                   : loss_.derivative(scalar_.target[i], x_.scores()[i]);
  }

  Work work() const override { return x_.work_of(iterations_); }

  Diagnostics diagnostics() const override {
    return smoothing_.with(Diagnostics{{{"tau", 1 / L_}, {"momentum", momentum_}}});
  }

  void on_check(const Checked& checked) override {
    if (smoothing_.follow(*this, checked)) smooth();
  }

 private:
  void step() {
    const std::vector<double>& zbar = x_.extrapolated_scores();
    std::vector<double>& cy = x_.weighted_dual();
    parallel_chunks(chunks_of(cy.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        cy[i] = problem_.normalized_weight[i] * loss_.derivative(scalar_.target[i], zbar[i]);
    });
    const double against = x_.step(1 / L_, BatchPrimal::From::extrapolated);
    if (stop_requested()) return;  // y is then that of the scores before
    x_.extrapolate(momentum_ = momentum(against > 0));
  }

  double momentum(bool against) {
    against = against && restart_;
    if (mu_ > 0) {
      if (against) return 0;
      const double k = std::sqrt(mu_ / (L_ + problem_.penalty.l2()));
      return (1 - k) / (1 + k);
    }
    if (against) t_ = 1;
    const double before = t_;
    t_ = (1 + std::sqrt(1 + 4 * t_ * t_)) / 2;
    return (before - 1) / t_;
  }

  void smooth() {
    if constexpr (requires { loss_.curvature; })
      if (smoothing_.needed()) loss_.curvature = smoothing_.g();
    L_ = norm_ * norm_ / loss_.gamma();
  }

  const Problem& problem_;
  const ScalarForm& scalar_ = problem_.scalar();
  LossType original_, loss_;
  RowFacts facts_;
  double norm_, mu_;
  bool restart_;
  double L_ = 0;
  Smoothing smoothing_;
  BatchPrimal x_;
  double t_ = 1, momentum_ = 0;
  std::uint64_t iterations_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_accelerated_gradient(const Problem& problem, const AcceleratedGradientSpec& spec,
                                                  const Start& start) {
  return std::visit(
      [&]<class LossType>(const LossType& loss) -> std::unique_ptr<Solver> {
        return std::make_unique<AcceleratedGradient<LossType>>(problem, loss, spec, start);
      },
      problem.scalar().loss);
}

}  // namespace seesaw
