#include "solvers/engines/semismooth_newton.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/archive.h"
#include "base/parallel_elements.h"
#include "base/rng.h"
#include "base/stop.h"
#include "base/tree_sum.h"
#include "data/gathered_rows.h"
#include "data/listed_nodes.h"
#include "solvers/engines/semismooth_newton_settings.h"
#include "solvers/follows_penalty.h"
#include "solvers/parts/common/dual_sums.h"
#include "solvers/parts/common/first_smoothing.h"
#include "solvers/parts/newton/best_points.h"
#include "solvers/parts/newton/face_system.h"
#include "solvers/parts/newton/nonsmooth_rows.h"
#include "solvers/parts/newton/row_products.h"

namespace seesaw {
namespace {

using namespace semismooth_newton_settings;

// State      x_, s_: the primal point (intercept last) and s = sum_i c_i y_i a_i, with sum_i c_i y_i as last entry
//            rows_: all rows, or a sample, with z, y, y0, gamma;  near_: copies of the rows of the working set, whose
//            positions in rows_ are place_
//            best_.x, best_.y: the points with the lowest P and the highest D of all rows
// Invariant  after refresh() and between Newton steps on all rows: z = A x + b, y = psi'(z), s = sum c y a (s up to
//            rounding). During Newton steps on the working set this holds for near_; the other rows keep y, so s is
//            complete, and their z is updated by leave_working_set().
// Step       epoch() = refresh(), stages while solved, then newton_steps()
class SemismoothNewton final : public Solver, public FollowsPenalty {
 public:
  SemismoothNewton(const Problem& problem, const SemismoothNewtonSpec& spec, const Start& start)
      : problem_(problem),
        matrix_(problem.data->rows),
        loss_(std::get<PiecewiseQuadratic>(scalar_.loss)),
        factor_(spec.factor),
        working_set_(spec.working_set),
        rng_(spec.seed),
        face_(problem),
        rows_(loss_),
        near_(loss_),
        d_(static_cast<Eigen::Index>(problem.d())) {
    begin(start);
  }

  void epoch() override {
    GapTerms terms = refresh();
    while (!stop_requested() && solved(terms) && next_stage()) terms = refresh();
    if (stop_requested()) return;                                     // read() returns the best point so far
    if (on_all_rows() && best_.gap * gap_factor_ <= target_) return;  // ready for a check
    if (++refreshes_ > max_refreshes) increase_gamma();
    newton_steps(terms);
  }

  void penalty_changed() override;
  double primal() override;
  const std::vector<double>* scores() override {
    return on_all_rows() && product_of_z_ && best_.x == x_ ? &rows_.z : nullptr;
  }

  void read(Point& point) override {
    point.x.assign(best_.x.data(), best_.x.data() + d_);
    point.intercept.assign(1, has_intercept() ? best_.x[d_] : 0);
    point.y = best_.y;
  }

  Work work() const override {
    const double rows = rows_read_ + face_.rows_used();
    const double passes = rows / static_cast<double>(std::max<std::size_t>(problem_.all_rows(), 1));
    return {passes, passes * static_cast<double>(problem_.data->nnz), best_.gap * gap_factor_};
  }

  Diagnostics diagnostics() const override {
    return {{{"smoothing", rows_.gamma},
             {"stage", stages_},
             {"newton_steps", steps_taken_},
             {"sample_rows", static_cast<double>(sample_sizes_[sample_])},
             {"working_set", static_cast<double>(working_set_size_)},
             {"free_rows", static_cast<double>(face_.free_rows())}}};
  }

  bool resumable() const override { return true; }
  void serialize(Archive& archive) override {
    archive.numbers("ssn", factor_, first_gamma_, mean_square_, sample_, width_, refreshes_, refreshes_since_sum_,
                    rows_read_, stages_, steps_taken_, working_set_size_, best_.primal, best_.dual, best_.gap, target_,
                    gap_factor_);
    archive.object("random", rng_);
    archive.array("sample_sizes", sample_sizes_);
    for (Eigen::VectorXd* vector : {&x_, &s_, &best_.x}) archive.array("x", *vector);
    for (std::vector<double>* of_rows : {&first_y0_, &best_.y}) archive.rows("y", *of_rows);
    archive.row_list("free", free_);
    rows_.serialize(archive, problem_);
    face_.serialize(archive);
  }

  // If the check does not confirm the estimate, because of accumulated rounding or an unbalanced y, everything is
  // recomputed and the estimate is increased.
  void on_check(const Checked& checked) override {
    target_ = checked.target;
    if (best_.gap * gap_factor_ > checked.target || checked.gap <= checked.target) return;
    gap_factor_ *= gap_factor_increase;
    best_.forget_bounds();
    recompute_scores();
    refreshes_since_sum_ = 0;
  }

 private:
  // The gap of a refresh is excess + residual: that due to the smoothing, and that due to the gradient of Psi.
  struct GapTerms {
    double excess, residual;
  };

  bool has_intercept() const { return problem_.free_intercept(); }
  bool on_all_rows() const { return sample_sizes_[sample_] == problem_.all_rows(); }
  std::size_t of_all_ranks(std::size_t here) const { return sum_of_ranks(problem_.leaves(), here); }
  auto head(const Eigen::VectorXd& vector) const { return vector.head(d_); }
  double curvature(const Eigen::VectorXd& p) const { return problem_.penalty.l2() * head(p).squaredNorm(); }
  const Rows& matrix_of(const NonsmoothRows& rows) const { return &rows == &near_ && gathered_ ? *gathered_ : matrix_; }

  // ---- the start ----
  void begin(const Start& start) {
    const std::size_t n = problem_.n();
    x_.setZero(d_ + (has_intercept() ? 1 : 0));
    best_.y.assign(n, 0.0);
    first_y0_ = middle_of_domain(problem_, loss_);
    const FirstSmoothing first = first_smoothing(problem_, loss_, start);
    first_gamma_ = first.gamma;
    if (has_intercept()) {
      x_[d_] = first.intercept;
      mean_square_ = product_over(problem_.leaves(), problem_.normalized_weight, problem_.squared_row_norms());
    }
    if (start.y.empty()) {
      sample_sizes_ = samples_of(problem_.all_rows(), problem_.d());
      best_.x = x_;
      return take_rows(first_gamma_);
    }
    sample_sizes_ = {problem_.all_rows()};
    parallel_elements(
        n, [&](std::size_t i) { best_.y[i] = first_y0_[i] = loss_.domain(scalar_.target[i]).clip(start.y[i]); });
    std::vector<double> s, sum;
    if (start.x.size() != problem_.d()) weighted_sums(problem_, best_.y, s, sum);
    else s.resize(problem_.d());
    const std::vector<double> x = starting_x(problem_, start, s);
    std::copy(x.begin(), x.end(), x_.data());
    best_.x = x_;
    take_rows(warm_gamma * first_gamma_);
  }

  // Loads the next sample, one row from each of `size` equal parts, with y = 0 and s = 0.
  void take_rows(double gamma) {
    rows_.which = draw_rows(matrix_, sample_sizes_[sample_], rng_);
    rows_.load(problem_);
    rows_.gamma = gamma;
    parallel_elements(rows_.size(), [&](std::size_t k) {
      rows_.y0[k] = first_y0_[rows_.which[k]];
      rows_.y[k] = 0;
    });
    s_.setZero(x_.size());
    refreshes_ = refreshes_since_sum_ = 0;
    recompute_scores();
  }

  // ---- refresh: y, s and the gap of all rows ----
  void recompute_scores() {
    scores(rows_, x_, rows_.z);
    product_of_z_ = true;
  }
  void scores(const NonsmoothRows& rows, const Eigen::VectorXd& x, std::vector<double>& z) {
    const double b = has_intercept() ? x[d_] : 0;
    if (head(x).isZero(0)) return parallel_elements(z.size(), [&](std::size_t k) { z[k] = b; });  // no row is read
    multiply_rows(matrix_of(rows), rows.which, x.data(), z.data());
    if (has_intercept()) parallel_elements(z.size(), [&](std::size_t k) { z[k] += b; });
    rows_read_ += static_cast<double>(&rows == &rows_ ? sample_sizes_[sample_] : working_set_size_);
  }

  // Updates y from the scores, and s by the changes of y. s is recomputed every sum_interval refreshes, and if more than
  // half of y has changed.
  void update_dual(NonsmoothRows& rows) {
    rows.follow_scores(changed_, change_);
    std::size_t changed = of_all_ranks(changed_.size());
    if (&rows == &rows_ && (refreshes_since_sum_ == 0 || 2 * changed > sample_sizes_[sample_])) {
      changed = sample_sizes_[sample_];
      s_.setZero();
      changed_ = rows.which;
      change_.resize(rows.size());
      parallel_elements(rows.size(), [&](std::size_t i) { change_[i] = rows.c[i] * rows.y[i]; });
    }
    add_rows(matrix_of(rows), changed_, change_, s_.data());
    if (has_intercept()) s_[d_] += sum_over(leaves_for_numbers(matrix_, changed_), change_);
    rows_read_ += static_cast<double>(changed);
  }

  GapTerms refresh() {
    update_dual(rows_);
    refreshes_since_sum_ = (refreshes_since_sum_ + 1) % sum_interval;
    const NonsmoothRows::Losses losses = rows_.losses();
    const GapTerms terms{losses.excess, residual()};
    if (on_all_rows()) best_.keep(x_, rows_.y, losses.primal + curvature(x_) / 2, terms.excess + terms.residual);
    return terms;
  }

  // The part of the gap that an exact Newton step removes; sets g_. With a free intercept it includes a bound of the cost
  // of balancing y, sum_i c_i y_i = 0, in the certificate.
  double residual() {
    g_ = s_;
    const double lambda = problem_.penalty.l2();
    g_.head(d_) += lambda * head(x_);
    const double of_x = head(g_).squaredNorm() / (2 * lambda), imbalance = has_intercept() ? std::abs(g_[d_]) : 0;
    if (!has_intercept()) return of_x;
    return of_x + imbalance * (imbalance * mean_square_ / (2 * lambda) + first_gamma_ + std::abs(x_[d_]));
  }

  // ---- stages ----
  double accuracy(const GapTerms& terms) const {
    return std::max(terms.excess, on_all_rows() ? target_fraction * target_ / gap_factor_ : 0);
  }
  bool solved(const GapTerms& terms) const { return terms.residual <= accuracy(terms); }
  // The next sample or a smaller gamma; false if gamma has reached its minimum.
  bool next_stage() {
    refreshes_ = 0;
    ++stages_;
    const double gamma = factor_ * rows_.gamma;
    if (!on_all_rows() && gamma <= sample_gamma * first_gamma_) {
      ++sample_;
      take_rows(std::max(gamma, sample_gamma * first_gamma_));
      return true;
    }
    if (!(gamma < rows_.gamma && gamma >= smallest_gamma * first_gamma_)) return false;  // also if it is 0 or infinite
    parallel_copy(rows_.y, rows_.y0);
    rows_.gamma = gamma;
    return true;
  }

  void increase_gamma() {
    rows_.gamma *= gamma_increase;
    factor_ = std::max(factor_, slow_factor);
    refreshes_ = 0;
    update_dual(rows_);
  }

  // ---- Newton steps on the working set ----
  void newton_steps(const GapTerms& terms) {
    const bool all = !choose_working_set();
    NonsmoothRows& rows = all ? rows_ : near_;
    working_set_size_ = of_all_ranks(rows.size());
    face_.use(&matrix_of(rows));
    const Eigen::VectorXd before = x_;
    residual();
    const Eigen::VectorXd gradient = g_;
    for (int step = 0; step < max_newton_steps; ++step) {
      if (residual() <= 0.5 * accuracy(terms)) break;
      rows.free_rows(free_, normalized_weight_);
      face_.solve(free_, normalized_weight_, rows.gamma, g_, p_);
      if (stop_requested()) return;
      if (has_intercept() && face_.free_rows() == 0) keep_larger_part();
      scores(rows, p_, rows.q);
      const double t = rows.exact_step(g_.dot(p_), curvature(p_));
      ++steps_taken_;
      x_ += t * p_;
      move(rows, t);
      update_dual(rows);
    }
    if (all) reduce_width();
    else leave_working_set(before, gradient);
  }

  // Without free rows Psi is quadratic in x and linear in the intercept: no step length suits both decreases.
  void keep_larger_part() {
    if (-head(g_).dot(head(p_)) > -g_[d_] * p_[d_]) p_[d_] = 0;
    else p_.head(d_).setZero();
  }

  // Copies the rows closest to the interval where they are curved, and so many that Psi is bounded in a free intercept;
  // false: use all rows.
  bool choose_working_set() {
    if (!working_set_) return false;
    rows_.find_distances();
    for (double width = width_;; width *= balance_width_increase) {
      rows_.nearest(width, std::max<std::size_t>(problem_.d(), 1), place_);
      if (3 * of_all_ranks(place_.size()) > 2 * sample_sizes_[sample_]) return false;
      near_.take(problem_, rows_, place_);
      if (!has_intercept() || near_.can_balance(balance_margin * s_[d_])) break;
    }
    gathered_ = gathered_rows(matrix_, near_.which);
    return true;
  }

  void reduce_width() { width_ = std::max(smallest_width, width_ / 2); }
  // Restores the invariant for all rows. If the y of a row outside the working set has changed between `before` and x, an
  // exact line search over all rows is made along this step, and the next working set is larger.
  void leave_working_set(const Eigen::VectorXd& before, const Eigen::VectorXd& gradient) {
    parallel_elements(place_.size(), [&](std::size_t k) { rows_.y[place_[k]] = near_.y[k]; });
    std::vector<double>& z = rows_.q;
    scores(rows_, x_, z);
    const std::size_t crossed = rows_.crossings(z, place_);
    if (crossed == 0) {
      rows_.z.swap(z);
      product_of_z_ = true;
      return reduce_width();
    }
    parallel_elements(rows_.size(), [&](std::size_t i) { rows_.q[i] -= rows_.z[i]; });
    const Eigen::VectorXd direction = x_ - before;
    const double t = rows_.exact_step(gradient.dot(direction), curvature(direction));
    x_ = before + t * direction;
    move(rows_, t);
    if (t < short_step) width_ *= large_width_increase;
    else if (t < medium_step || 50 * crossed > working_set_size_) width_ *= width_increase;
  }
  void move(NonsmoothRows& rows, double t) {
    rows.move(t);
    if (&rows == &rows_) product_of_z_ = false;
  }

  const Problem& problem_;
  const Rows& matrix_;
  const ScalarForm& scalar_ = problem_.scalar();
  PiecewiseQuadratic loss_;
  double factor_;
  bool working_set_;
  Rng rng_;
  FaceSystem face_;

  NonsmoothRows rows_, near_;     // all rows, or those of a sample; the working set
  std::optional<Rows> gathered_;  // of data on disk: the rows of the working set
  Eigen::Index d_;
  Eigen::VectorXd x_, s_, g_, p_;  // the intercept comes last
  std::vector<double> first_y0_;
  double first_gamma_ = 0;
  double mean_square_ = 0;                 // of |a_i|, for the intercept
  std::vector<std::size_t> sample_sizes_;  // the last one is n
  std::size_t sample_ = 0;                 // index of the current one
  double width_ = smallest_width;          // of the working set, in multiples of max(|F|, d)
  bool product_of_z_ = false;              // z is A x + b as computed at once, and not the sum of several steps
  int refreshes_ = 0;                      // in this stage
  int refreshes_since_sum_ = 0;            // since s was recomputed; 0: recompute it
  double rows_read_ = 0, stages_ = 0, steps_taken_ = 0;
  std::size_t working_set_size_ = 0;
  BestPoints best_;
  Eigen::VectorXd solved_x_;  // of penalty_changed(): the point of the last penalty, and its scores
  std::vector<double> solved_z_;
  double target_ = 0;      // the gap that ends the run
  double gap_factor_ = 1;  // the estimated gap is best_.gap times this
  std::vector<std::uint32_t> changed_, free_, place_;
  std::vector<double> change_, normalized_weight_;
};

// From x, or the point with the least Psi on the line through the last two that were solved, and y around the last one.
void SemismoothNewton::penalty_changed() {
  best_.forget_bounds();
  gap_factor_ = 1;
  refreshes_ = 0;
  if (!on_all_rows()) return;  // the fit before was ended early
  rows_.y0 = rows_.y;
  rows_.gamma = std::min(rows_.gamma * path_gamma_increase, warm_gamma * first_gamma_);
  const Eigen::VectorXd last_x = std::exchange(solved_x_, x_);
  const std::vector<double> last_z = std::exchange(solved_z_, rows_.z);
  if (last_x.size() == 0) return;
  const Eigen::VectorXd direction = x_ - last_x;
  parallel_elements(rows_.size(), [&](std::size_t i) { rows_.q[i] = rows_.z[i] - last_z[i]; });
  const double derivative = problem_.penalty.l2() * head(x_).dot(head(direction)) + rows_.along(0).first;
  const double t = derivative < 0 ? rows_.exact_step(derivative, curvature(direction)) : 0;
  x_ += t * direction;
  move(rows_, t);
}

double SemismoothNewton::primal() {
  return std::isfinite(best_.primal) ? best_.primal : rows_.losses().primal + curvature(x_) / 2;
}

}  // namespace

std::unique_ptr<Solver> make_semismooth_newton(const Problem& problem, const SemismoothNewtonSpec& spec,
                                               const Start& start) {
  return std::make_unique<SemismoothNewton>(problem, spec, start);
}

}  // namespace seesaw
