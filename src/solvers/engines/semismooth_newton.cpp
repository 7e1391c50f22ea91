#include "solvers/engines/semismooth_newton.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/rng.h"
#include "base/stop.h"
#include "solvers/parts/dual_sums.h"
#include "solvers/parts/face_system.h"
#include "solvers/parts/nonsmooth_rows.h"
#include "solvers/parts/row_products.h"

namespace seesaw {
namespace {

constexpr int newton_steps = 10;  // on one working set
constexpr int patience = 60;      // refreshes in one stage
constexpr double finest = 1e-13;  // gamma / the first gamma: below there is only rounding
constexpr double roughly = 0.05;  // what an exact line search leaves of the slope

class SemismoothNewton final : public Solver {
 public:
  SemismoothNewton(const Problem& problem, const SemismoothNewtonSpec& spec, const Start& start)
      : problem_(problem),
        matrix_(problem.data->rows),
        loss_(std::get<PiecewiseQuadratic>(problem.loss)),
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
    Look look = refresh();
    while (!stop_asked() && solved(look) && next_stage()) look = refresh();
    if (stop_asked()) return;                               // read() gives the best point so far
    if (on_all() && believed_ * doubt_ <= target_) return;  // to be checked
    if (++refreshes_ > patience) soften();
    newton(look);
  }

  void read(Point& point) override {
    point.x.assign(best_x_.data(), best_x_.data() + d_);
    point.intercept.assign(1, border() ? best_x_[d_] : 0);
    point.y = best_y_;
  }

  Work work() const override {
    const double rows = rows_read_ + face_.rows_used();
    const double passes = rows / static_cast<double>(std::max<std::size_t>(problem_.n(), 1));
    return {passes, passes * static_cast<double>(problem_.data->nnz)};
  }

  std::optional<double> estimated_gap() const override { return believed_ * doubt_; }

  void on_check(const Checked& checked) override {
    target_ = checked.target;
    if (believed_ * doubt_ > checked.target || checked.gap <= checked.target) return;
    doubt_ *= 4;  // said too much: rounding in what was updated, or y that is not quite balanced
    believed_ = best_primal_ = infinity;
    best_dual_ = -infinity;
    scores_of_all();
    age_ = 0;
  }

 private:
  // What a refresh found: the excess of the smoothing, and how far Psi's gradient is from 0, as gaps.
  struct Look {
    double excess, shortfall;
  };

  bool border() const { return problem_.free_intercept(); }
  bool on_all() const { return rows_.size() == problem_.n(); }
  auto head(const Eigen::VectorXd& vector) const { return vector.head(d_); }

  void begin(const Start& start) {
    const std::size_t n = problem_.n();
    x_.setZero(d_ + (border() ? 1 : 0));
    best_y_.assign(n, 0.0);
    centre_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Interval box = loss_.domain(problem_.target[i]);
      centre_[i] = (box.lo + box.hi) / 2;
      if (!border() && entries_of(i) == 0) centre_[i] = loss_.derivative(problem_.target[i], 0);  // and stays there
    }
    const bool mirrored = loss_.domains[0].lo != loss_.domains[1].lo;  // classes: 0 is between them
    if (border()) x_[d_] = !start.y.empty() ? start.intercept[0] : mirrored ? 0 : intercepts_alone(problem_)[0];
    if (border()) {
      const std::vector<double>& squares = problem_.squared_row_norms();
      for (std::size_t i = 0; i < n; ++i) mean_square_ += problem_.normalized_weight[i] * squares[i];
    }
    double spread = 0;
    for (std::size_t i = 0; i < n; ++i)
      spread += problem_.normalized_weight[i] * std::abs(problem_.target[i] - (border() && !mirrored ? x_[d_] : 0));
    first_gamma_ = 4 * (spread > 0 ? spread : 1) / (loss_.domains[0].hi - loss_.domains[0].lo);
    if (start.y.empty()) {
      choose_samples();
      best_x_ = x_;
      return take_rows(first_gamma_);
    }
    sizes_ = {n};
    for (std::size_t i = 0; i < n; ++i) best_y_[i] = centre_[i] = loss_.domain(problem_.target[i]).clip(start.y[i]);
    std::vector<double> s, sum;
    if (start.x.size() != problem_.d()) weighted_sums(problem_, best_y_, s, sum);
    else s.resize(problem_.d());
    const std::vector<double> x = starting_x(problem_, start, s);
    std::copy(x.begin(), x.end(), x_.data());
    best_x_ = x_;
    take_rows(0.075 * first_gamma_);
  }

  std::size_t entries_of(std::size_t i) const {
    return std::visit([&](const auto& rows) { return rows.entries(i); }, matrix_);
  }

  // 50 d, 300 d, ... rows while a sample has enough of them, and all.
  void choose_samples() {
    const std::size_t n = problem_.n(), d = std::max<std::size_t>(problem_.d(), 1);
    if (n / d >= 1000)
      for (std::size_t size = 50 * d; size <= n / 6; size *= 6) sizes_.push_back(size);
    sizes_.push_back(n);
  }

  // The rows of the next size, one of each of so many equal stretches; s is that of y = 0.
  void take_rows(double gamma) {
    const std::size_t n = problem_.n(), size = sizes_[level_];
    rows_.resize(size);
    rows_.gamma = gamma;
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t from = n * k / size, to = n * (k + 1) / size;
      const std::size_t i = size == n ? k : from + rng_.below(static_cast<std::uint32_t>(to - from));
      rows_.which[k] = static_cast<std::uint32_t>(i);
      rows_.b[k] = problem_.target[i];
      rows_.c[k] = problem_.normalized_weight[i];
      rows_.y0[k] = centre_[i];
      rows_.y[k] = 0;
    }
    s_.setZero(x_.size());
    refreshes_ = age_ = 0;
    scores_of_all();
  }

  void scores_of_all() { scores(rows_, x_, rows_.z); }

  void scores(const NonsmoothRows& rows, const Eigen::VectorXd& x, std::vector<double>& z) {
    multiply_rows(matrix_, rows.which, x.data(), z.data());
    if (border())
      for (double& score : z) score += x[d_];
    rows_read_ += static_cast<double>(rows.size());
  }

  // y and s follow the scores; s anew every 12th time and where most of y has changed.
  void follow(NonsmoothRows& rows) {
    rows.follow_scores(changed_, change_);
    if (&rows == &rows_ && (age_ == 0 || 2 * changed_.size() > rows.size())) {
      s_.setZero();
      changed_ = rows.which;
      change_.resize(rows.size());
      for (std::size_t i = 0; i < rows.size(); ++i) change_[i] = rows.c[i] * rows.y[i];
    }
    add_rows(matrix_, changed_, change_, s_.data());
    if (border()) s_[d_] += std::accumulate(change_.begin(), change_.end(), 0.0);
    rows_read_ += static_cast<double>(changed_.size());
  }

  Look refresh() {
    follow(rows_);
    age_ = (age_ + 1) % 12;
    const NonsmoothRows::Losses losses = rows_.losses();
    const Look look{losses.excess, shortfall()};
    if (on_all())
      keep_best(losses.primal + problem_.penalty.l2() / 2 * head(x_).squaredNorm(), look.excess + look.shortfall);
    return look;
  }

  // The part of the gap that a perfect Newton step removes. y that does not add up to 0 is made to by the certificate:
  // what that may cost.
  double shortfall() {
    g_ = s_;
    g_.head(d_) += problem_.penalty.l2() * head(x_);
    const double of_x = head(g_).squaredNorm() / (2 * problem_.penalty.l2());
    if (!border()) return of_x;
    const double rest = std::abs(g_[d_]);
    return of_x + rest * (rest * mean_square_ / (2 * problem_.penalty.l2()) + first_gamma_ + std::abs(x_[d_]));
  }

  void keep_best(double primal, double gap) {
    believed_ = std::min(believed_, gap);
    if (primal < best_primal_) {
      best_primal_ = primal;
      best_x_ = x_;
    }
    if (primal - gap > best_dual_) {
      best_dual_ = primal - gap;
      best_y_ = rows_.y;
    }
    believed_ = std::min(believed_, std::max(0.0, best_primal_ - best_dual_));
  }

  double accuracy(const Look& look) const { return std::max(look.excess, on_all() ? 0.2 * target_ / doubt_ : 0); }
  bool solved(const Look& look) const { return look.shortfall <= accuracy(look); }

  bool next_stage() {
    refreshes_ = 0;
    const double gamma = factor_ * rows_.gamma;
    if (!on_all() && gamma <= first_gamma_ / 4) {
      ++level_;
      take_rows(std::max(gamma, first_gamma_ / 4));
      return true;
    }
    if (!(gamma < rows_.gamma && gamma >= finest * first_gamma_)) return false;  // nor where it is 0 or infinite
    rows_.y0 = rows_.y;
    rows_.gamma = gamma;
    return true;
  }

  void soften() {
    rows_.gamma *= 2;
    factor_ = std::max(factor_, 0.6);
    refreshes_ = 0;
    follow(rows_);
  }

  void newton(const Look& look) {
    const bool all = !choose_near();
    NonsmoothRows& rows = all ? rows_ : near_;
    const Eigen::VectorXd before = x_;
    for (int step = 0; step < newton_steps; ++step) {
      if (shortfall() <= 0.5 * accuracy(look)) break;
      rows.free_rows(free_, normalized_weight_);
      face_.solve(free_, normalized_weight_, rows.gamma, g_, p_);
      if (stop_asked()) return;
      scores(rows, p_, rows.q);
      const double t = exact_step(rows, g_.dot(p_), p_);
      x_ += t * p_;
      for (std::size_t i = 0; i < rows.size(); ++i) rows.z[i] += t * rows.q[i];
      follow(rows);
    }
    if (all) narrow();
    else settle(before);
  }

  // The rows nearest to where they are curved; false: all of them.
  bool choose_near() {
    if (!working_set_) return false;
    rows_.nearest(width_, problem_.d(), place_);
    if (3 * place_.size() > 2 * rows_.size()) return false;
    near_.gamma = rows_.gamma;
    near_.resize(place_.size());
    for (std::size_t k = 0; k < place_.size(); ++k) {
      const std::size_t i = place_[k];
      near_.which[k] = rows_.which[i];
      near_.b[k] = rows_.b[i];
      near_.c[k] = rows_.c[i];
      near_.y0[k] = rows_.y0[i];
      near_.z[k] = rows_.z[i];
      near_.y[k] = rows_.y[i];
    }
    return true;
  }

  void narrow() { width_ = std::max(4.0, width_ / 2); }

  // Back to all rows. Those that were left out may have crossed a kink on the way from `before`.
  void settle(const Eigen::VectorXd& before) {
    for (std::size_t k = 0; k < place_.size(); ++k) rows_.y[place_[k]] = near_.y[k];
    scores(rows_, x_, rows_.q);
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_.q[i] -= rows_.z[i];
    const std::size_t crossed = rows_.crossings(1, place_);
    if (crossed == 0) {
      narrow();
    } else {
      const Eigen::VectorXd way = x_ - before;
      const double derivative = problem_.penalty.l2() * head(before).dot(head(way)) + rows_.along(0).first;
      const double t = exact_step(rows_, derivative, way);
      x_ = before + t * way;
      for (double& q : rows_.q) q *= t;
      if (t < 0.3) width_ *= 4;
      else if (t < 0.7 || 50 * crossed > place_.size()) width_ *= 1.6;
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_.z[i] += rows_.q[i];
  }

  // The zero of the slope of Psi along p, an increasing piecewise linear function of which `slope` is the value at 0:
  // Newton between known signs. Rows that are not in `rows` keep their y: their part of the slope does not change.
  double exact_step(const NonsmoothRows& rows, double derivative, const Eigen::VectorXd& p) const {
    const double curved = problem_.penalty.l2() * head(p).squaredNorm(), enough = roughly * std::abs(derivative);
    derivative -= rows.along(0).first;
    double lo = 0, hi = infinity, t = 1;
    for (int round = 0; round < 40 && !stop_asked(); ++round) {
      const NonsmoothRows::Slopes at = rows.along(t);
      const double here = derivative + t * curved + at.first;
      if (std::abs(here) <= enough) break;
      (here < 0 ? lo : hi) = t;
      const double next = t - here / (curved + at.second);
      t = lo < next && next < hi ? next : std::isinf(hi) ? 2 * lo : (lo + hi) / 2;
    }
    return t;
  }

  const Problem& problem_;
  const Rows& matrix_;
  PiecewiseQuadratic loss_;
  double factor_;
  bool working_set_;
  Rng rng_;
  FaceSystem face_;

  NonsmoothRows rows_, near_;  // all rows, or those of a sample; the working set
  Eigen::Index d_;
  Eigen::VectorXd x_, s_, g_, p_;  // the intercept comes last
  std::vector<double> centre_;     // the first y0
  double first_gamma_ = 0;
  double mean_square_ = 0;          // of |a_i|, for the intercept
  std::vector<std::size_t> sizes_;  // of the samples, and n
  std::size_t level_ = 0;           // which of them
  double width_ = 4;                // of the working set, in multiples of max(|F|, d)
  int refreshes_ = 0;               // in this stage
  int age_ = 0;                     // of s
  double rows_read_ = 0;

  Eigen::VectorXd best_x_;  // of the lowest P
  std::vector<double> best_y_;
  double best_primal_ = infinity, best_dual_ = -infinity, believed_ = infinity;
  double target_ = 0, doubt_ = 1;

  std::vector<std::uint32_t> changed_, free_, place_;
  std::vector<double> change_, normalized_weight_;
};

}  // namespace

std::unique_ptr<Solver> make_semismooth_newton(const Problem& problem, const SemismoothNewtonSpec& spec,
                                               const Start& start) {
  return std::make_unique<SemismoothNewton>(problem, spec, start);
}

}  // namespace seesaw
