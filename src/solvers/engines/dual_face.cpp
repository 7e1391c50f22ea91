#include "solvers/engines/dual_face.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/stop.h"
#include "base/tree_sum.h"
#include "solvers/parts/common/dual_sums.h"
#include "solvers/parts/dual/equal_rows.h"
#include "solvers/parts/dual/free_intercept.h"

namespace seesaw {
namespace {

double inverse_kappa_b(const Problem& problem) {
  if (!problem.free_intercept()) return 0;
  return squared_bias_entry(problem, problem.squared_row_norms(), problem.penalty.l2(), problem.gamma()) /
         problem.penalty.l2();
}

// Equal rows are searched for only if coordinate steps are short: mean q_i = c_i |a_i|^2/lambda above 3.
Start with_equal_rows_split(const Problem& problem, Start start) {
  const std::vector<double>& norms = problem.squared_row_norms();
  const double mean_square = product_over(problem.leaves(), problem.normalized_weight, norms);
  if (mean_square <= 3 * problem.penalty.l2() * static_cast<double>(problem.n())) return start;
  const auto groups = equal_rows(problem.data->rows);
  if (groups.empty()) return start;
  if (start.y.empty()) {
    start.intercept = starting_intercepts(problem, start);
    start.y.assign(problem.n(), 0.0);
  }
  split_equal_rows(problem, groups, start.y);
  return start;
}

double squared(const std::vector<double>& x) {
  double sum = 0;
  for (double v : x) sum += v * v;
  return sum;
}

// The zero of an increasing function: a bracket that grows from 1 towards the zero, then bisection. Returns the end of
// the bracket beyond the zero, where the scores have passed the nonsmooth points of their losses.
template <class Derivative>
double best_multiple(const Derivative& derivative) {
  const double side = derivative(1.0) < 0 ? 1 : -1;
  double near = 0, far = 1e-8;
  while (far < 0.5 && side * derivative(1 + side * far) < 0) near = std::exchange(far, 10 * far);
  for (int k = 0; k < 12; ++k) {
    const double middle = 0.5 * (near + far);
    (side * derivative(1 + side * middle) < 0 ? near : far) = middle;
  }
  return side > 0 ? 1 + far : 1 - near;
}

}  // namespace

DualFace::DualFace(const Problem& problem, const DualFaceOptions& options, const Start& start)
    : problem_(problem),
      loss_(std::get<PiecewiseQuadratic>(scalar_.loss)),
      options_(options),
      ascent_(make_dual_ascent(problem, {.extrapolate = false, .seed = options.seed},
                               with_equal_rows_split(problem, start))),
      face_(problem, inverse_kappa_b(problem)),
      place_(problem.n(), Face::Place::low) {
  ascent_->read(at_);
  dual_ = dual_value();
}

void DualFace::epoch() {
  ascent_->epoch();
  ++passes_;
  if (stop_requested()) return;
  if (++burst_ < options_.burst + (passes_ > 100 ? 2 : 0)) return;
  burst_ = 0;
  end_burst();
}

void DualFace::end_burst() {
  ascent_->read(at_);
  const double entries = ascent_->work().entries, dual = dual_value();
  const double rate = (dual - dual_) / std::max(1.0, entries - entries_);
  dual_ = dual;
  entries_ = entries;
  const bool step = ready_for_face();
  if (step) step_on_face(rate);
  if (stop_requested()) return;
  if (step || passes_ >= 1.05 * passes_at_evaluation_ + 2.5) evaluate_gap(step);
}

// Few rows changed their position during the last burst, and the next face step is not being skipped.
bool DualFace::ready_for_face() {
  free_ = changed_ = 0;
  for (std::size_t i = 0; i < place_.size(); ++i) {
    const Face::Place now = Face::place(loss_, scalar_.target[i], at_.y[i]);
    changed_ += now != place_[i];
    free_ += now == Face::Place::inside;
    place_[i] = now;
  }
  const double first = loss_.curvature > 0 ? 8 : 24;  // nonsmooth losses take longer to identify their face
  if (free_ == 0 || passes_ < first || static_cast<double>(changed_) >= 0.3 * static_cast<double>(free_)) return false;
  if (skip_ == 0) return true;
  --skip_;
  return false;
}

void DualFace::step_on_face(double rate_of_passes) {
  constexpr int max_faces = 8;  // each without the row that blocked the previous one
  const auto n = static_cast<double>(problem_.n()), nnz = static_cast<double>(problem_.data->nnz);
  double gain = 0, entries = nnz;
  bool blocked = true;
  for (int k = 0; k < max_faces && blocked && !stop_requested(); ++k) {
    const FaceStep step = face_.ascend(at_.y, at_.x, at_.intercept[0], options_.face);
    face_work_.passes += static_cast<double>(step.steps * face_.rows().size()) / n;
    entries += step.entries;
    cg_steps_ += static_cast<double>(step.steps);
    gain += step.gain;
    blocked = step.blocked;
  }
  if (gain > 0) {
    ascent_->take(at_.y, at_.intercept[0]);
    ascent_->read(at_);
    dual_ = dual_value();
    face_work_.passes += 1;
  }
  face_work_.entries += gain > 0 ? entries : entries - nnz;
  skips_ = gain >= rate_of_passes * entries ? 0 : std::clamp<std::size_t>(2 * skips_, 1, 16);
  skip_ = skips_;
}

// sum c_i [b y_i - phi_i*(y_i)] - (lambda/2)|w|^2; the term with b is 0 when y is balanced.
double DualFace::dual_value() const {
  const auto rows = tree_sum<double>(problem_.leaves(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i)
      sum +=
          problem_.normalized_weight[i] * (at_.y[i] * at_.intercept[0] - loss_.conjugate(scalar_.target[i], at_.y[i]));
    return sum;
  });
  return rows - 0.5 * problem_.penalty.l2() * squared(at_.x);
}

void DualFace::evaluate_gap(bool stepped) {
  passes_at_evaluation_ = passes_;
  evaluate_primal(at_.x, at_.intercept[0]);
  if (stepped && !face_.rows().empty()) evaluate_primal(face_.unbounded(), face_.unbounded_intercept());
  gap_ = std::max(0.0, primal_ - dual_);
}

// P at the best multiple of x, min_s P(s x): its derivative s lambda|x|^2 + sum c_i z_i phi_i'(s z_i) increases with s.
void DualFace::evaluate_primal(const std::vector<double>& x, double intercept) {
  const std::size_t n = problem_.n();
  const double square = problem_.penalty.l2() * squared(x);
  z_.resize(n);
  multiply(problem_.data->rows, x.data(), z_.data());
  for (double& z : z_) z += intercept;
  const Leaves& leaves = problem_.leaves();
  const auto derivative = [&](double s) {
    return s * square + tree_sum<double>(leaves, [&](std::size_t begin, std::size_t end) {
             double sum = 0;
             for (std::size_t i = begin; i < end; ++i)
               sum += problem_.normalized_weight[i] * z_[i] * loss_.derivative(scalar_.target[i], s * z_[i]);
             return sum;
           });
  };
  const auto value = [&](double s) {
    return 0.5 * s * s * square + tree_sum<double>(leaves, [&](std::size_t begin, std::size_t end) {
             double sum = 0;
             for (std::size_t i = begin; i < end; ++i)
               sum += problem_.normalized_weight[i] * loss_.value(scalar_.target[i], s * z_[i]);
             return sum;
           });
  };
  double best = 1, lowest = value(1);
  const double far_off = 1000 * target_;  // above this gap the multiple is not optimized
  if (lowest - dual_ > target_ && lowest - dual_ < far_off) {
    const double s = best_multiple(derivative);
    if (const double trial = value(s); trial < lowest) {
      lowest = trial;
      best = s;
    }
  }
  if (lowest >= primal_) return;
  primal_ = lowest;
  x_ = x;
  for (double& v : x_) v *= best;
  intercept_ = best * intercept;
}

void DualFace::read(Point& point) {
  ascent_->read(point);
  if (x_.empty()) return;
  point.x = x_;
  point.intercept = {intercept_};
}

Work DualFace::work() const {
  const Work ascent = ascent_->work();
  return {ascent.passes + face_work_.passes, ascent.entries + face_work_.entries, gap_factor_ * gap_};
}

Diagnostics DualFace::diagnostics() const {
  Diagnostics all = ascent_->diagnostics();
  all.values.insert(all.values.end(), {{"free_rows", static_cast<double>(free_)}, {"cg_iterations", cg_steps_}});
  return all;
}

// After an estimate below the target that the check did not confirm, the estimate is increased.
void DualFace::on_check(const Checked& checked) {
  target_ = checked.target;
  if (gap_factor_ * gap_ <= checked.target)
    gap_factor_ = std::max(2 * gap_factor_, 1.5 * checked.target / std::max(gap_, 1e-300));
}

}  // namespace seesaw
