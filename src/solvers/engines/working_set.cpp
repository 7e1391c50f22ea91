#include "solvers/engines/working_set.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "base/stop.h"
#include "model/screening.h"
#include "solvers/parts/dual_sums.h"
#include "solvers/parts/set_model.h"

namespace seesaw {
namespace {

template <class LossType>
class WorkingSet final : public Solver {
 public:
  WorkingSet(const Problem& problem, const LossType& loss, const WorkingSetSpec& spec, const Start& start)
      : problem_(problem),
        loss_(loss),
        spec_(spec),
        seen_(problem.data->rows),
        norm_(screening_norms(problem)),
        l1_(problem.penalty.l1()),
        uniform_(problem.penalty.uniform()),
        one_step_(loss.delta() > 0),
        model_(problem.free_intercept()) {
    const auto n = static_cast<double>(problem.n()), nnz = static_cast<double>(problem.data->nnz);
    least_ = static_cast<std::size_t>(std::clamp(std::sqrt(2 * nnz / n), 50.0, 200.0));
    begin(start);
    look();
    if (spec_.path) l1_ = std::max(problem_.penalty.l1(), stage * largest_);
  }

  void epoch() override {
    choose_set();
    solve_on_set();
    if (stop_asked()) return;  // x and b are those of z, and y is feasible
    look();
    if (l1_ > problem_.penalty.l1()) l1_ = std::max(problem_.penalty.l1(), stage * std::min(l1_, largest_));
    entries_ += std::max(touched_, 0.01 * static_cast<double>(problem_.data->nnz) + 1);  // time passes in any case
    touched_ = 0;
  }

  void read(Point& point) override {
    point.x = x_;
    point.intercept = {b_};
    point.y = y_;
  }
  Work work() const override {
    return {entries_ / (2 * std::max(1.0, static_cast<double>(problem_.data->nnz))), entries_};
  }
  std::optional<double> estimated_gap() const override { return gap_; }
  void on_check(const Checked& checked) override {
    if (gap_ <= target_ && checked.gap > target_) {  // the proof asks for more than was believed
      accuracy_ *= 0.1;
      keep_all();
      look();
      gap_ = std::max(gap_, checked.gap);
    }
    target_ = checked.target;
  }

 private:
  static constexpr double stage = 0.3, least_damping = 1e-12;

  void begin(const Start& start) {
    const std::size_t n = problem_.n();
    x_.assign(problem_.d(), 0.0);
    if (start.x.size() == x_.size()) {
      x_ = start.x;
    } else if (!start.y.empty()) {
      std::vector<double> s, sums;
      weighted_sums(problem_, start.y, s, sums);
      x_ = starting_x(problem_, start, s);
    }
    if (!uniform_)
      for (std::size_t j = 0; j < x_.size(); ++j) x_[j] = problem_.penalty.bounds(j).clip(x_[j]);
    b_ = starting_intercepts(problem_, start)[0];
    z_.resize(n);
    if (std::any_of(x_.begin(), x_.end(), [](double xj) { return xj != 0; }))
      multiply(problem_.data->rows, x_.data(), z_.data());
    for (double& z : z_) z += b_;
    cy_.resize(n);
    weight_.resize(n);
    keep_all();
  }
  void keep_all() {
    seen_ = problem_.data->rows;
    feature_.resize(problem_.d());
    std::iota(feature_.begin(), feature_.end(), 0u);
  }

  // ---- the whole: P, D, gap, and which features are left -----------------------------------------------------------

  double penalty(const std::vector<double>& x) const {
    double sum = 0;
    if (uniform_)
      for (const double xj : x) sum += l1_ * std::abs(xj) + 0.5 * problem_.penalty.l2() * xj * xj;
    else
      for (std::size_t j = 0; j < x.size(); ++j) sum += g_of(j).value(x[j]);
    return sum;
  }
  // ---- a penalty that differs by feature ---------------------------------------------------------------------------

  Coordinate g_of(std::size_t j) const {  // with the present l1 of the path
    Coordinate g = problem_.penalty.coordinate(j);
    if (l1_ != problem_.penalty.l1()) g.l1 *= l1_ / problem_.penalty.l1();
    return g;
  }
  // |v|, 0 on a side where x_j cannot go: x_j = 0 is optimal where this is at most l1_j.
  double size_that_counts(std::size_t j, double v) const {
    const Interval bounds = problem_.penalty.bounds(j);
    return (v > 0 ? bounds.hi > 0 : bounds.lo < 0) ? std::abs(v) : 0;
  }
  double largest_of_features() const {  // in units of l1: the l1 above which x = 0
    double largest = 0;
    for (std::size_t k = 0; k < v_.size(); ++k)
      if (const double l1 = problem_.penalty.l1(feature_[k]); l1 > 0)
        largest = std::max(largest, size_that_counts(feature_[k], v_[k]) / l1 * problem_.penalty.l1());
    return largest;
  }
  // The largest s <= 1 for which |s v_j| <= l1_j wherever x_j has no bound on that side. Unpenalized features: conjugate().
  double scale_into_domain() const {
    double s = 1;
    for (std::size_t k = 0; k < v_.size(); ++k) {
      const Interval bounds = problem_.penalty.bounds(feature_[k]);
      const double l1 = problem_.penalty.l1(feature_[k]);
      if (l1 > 0 && std::isinf(v_[k] > 0 ? bounds.hi : bounds.lo)) s = std::min(s, l1 / std::abs(v_[k]));
    }
    return s;
  }
  // g_j*(v). Outside its domain, where it is infinite: what the certificate takes off D for it, by the size of x_j.
  double conjugate(std::size_t j, double v) const {
    const Coordinate g = problem_.penalty.coordinate(j);
    const double inside = g.dual_domain().clip(v);
    return g.conjugate(inside) + (inside == v ? 0 : std::abs(v - inside) * (1 + 2 * std::abs(x_[j])));
  }
  // The distance of 0 to the subdifferential of P along x_j.
  double violation(std::size_t j, double derivative) const {
    const Coordinate g = g_of(j);
    const double x = x_[j], s = derivative + g.l2 * x;
    const double up = x < g.hi ? -(s + (x >= 0 ? g.l1 : -g.l1)) : 0;  // P falls by this where x_j grows
    const double down = x > g.lo ? s - (x <= 0 ? g.l1 : -g.l1) : 0;
    return std::max({up, down, 0.0});
  }

  double loss_at(double t, const std::vector<double>& move) const {  // sum c_i phi_i(z_i + t move_i)
    return parallel_sum<double>(chunks_of(z_.size()), [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t i = begin; i < end; ++i)
        sum += problem_.normalized_weight[i] * loss_.value(problem_.target[i], z_[i] + t * move[i]);
      return sum;
    });
  }
  double loss() {
    if (!loss_now_) loss_now_ = loss_at(0, z_);
    return *loss_now_;
  }
  void derivatives(std::vector<double>& y) const {
    y.resize(z_.size());
    parallel_chunks(chunks_of(y.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) y[i] = loss_.derivative(problem_.target[i], z_[i]);
    });
  }

  void look() {
    std::vector<double> y;
    derivatives(y);
    if (problem_.free_intercept()) balance(y);
    for (std::size_t i = 0; i < y.size(); ++i) cy_[i] = -problem_.normalized_weight[i] * y[i];
    v_.resize(feature_.size());
    multiply_transposed(seen_, cy_.data(), v_.data());
    touched_ += static_cast<double>(entries_of(seen_));
    largest_ = 0;
    if (uniform_)
      for (const double v : v_) largest_ = std::max(largest_, std::abs(v));
    else largest_ = largest_of_features();
    scale_ = 1;
    if (l1_ > problem_.penalty.l1()) return;  // on the way: nothing to prove yet

    const double primal = loss() + penalty(x_);
    const double into_box = !uniform_                          ? scale_into_domain()
                            : largest_ > problem_.penalty.l1() ? problem_.penalty.l1() / largest_
                                                               : 1;
    double s = into_box, dual = dual_at(y, into_box);
    if (problem_.penalty.l2() > 0 && into_box < 1)
      if (const double unscaled = dual_at(y, 1); unscaled > dual) {
        s = 1;
        dual = unscaled;
      }
    scale_ = s;
    if (dual > best_dual_) {
      best_dual_ = dual;
      for (double& yi : y) yi *= s;
      y_ = std::move(y);
    }
    gap_ = std::max(0.0, primal - best_dual_);
    if (spec_.screen) screen(primal, std::max(0.0, primal - dual));
  }

  double dual_at(const std::vector<double>& y, double s) const {
    double sum = parallel_sum<double>(chunks_of(y.size()), [&](std::size_t begin, std::size_t end) {
      double part = 0;
      for (std::size_t i = begin; i < end; ++i)
        part += problem_.normalized_weight[i] * loss_.conjugate(problem_.target[i], s * y[i]);
      return part;
    });
    if (!uniform_)
      for (std::size_t k = 0; k < v_.size(); ++k) sum += conjugate(feature_[k], s * v_[k]);
    else if (problem_.penalty.l2() > 0)
      for (const double v : v_) {
        const double over = soft_threshold(s * v, problem_.penalty.l1());
        sum += over * over / (2 * problem_.penalty.l2());
      }
    return -sum;
  }

  // sum c_i y_i = 0, as the certificate does it: the heavier sign is scaled down.
  void balance(std::vector<double>& y) const {
    double up = 0, down = 0;
    for (std::size_t i = 0; i < y.size(); ++i) (y[i] > 0 ? up : down) += problem_.normalized_weight[i] * std::abs(y[i]);
    const double s = std::min(up, down) / std::max({up, down, 1e-300});
    for (double& yi : y)
      if ((yi > 0) == (up > down)) yi *= s;
  }

  // Drops what is proved to be 0, once it is most of what is left: the features that go first have few entries.
  void screen(double primal, double gap) {
    const double radius = screening_radius(problem_, primal, gap);
    std::vector<std::uint32_t> kept;
    for (std::size_t k = 0; k < feature_.size(); ++k) {
      const std::uint32_t j = feature_[k];
      if (x_[j] != 0 || !proved_zero(scale_ * v_[k], norm_[j], radius, problem_.penalty.l1(j)))
        kept.push_back(static_cast<std::uint32_t>(k));
    }
    if (4 * kept.size() > feature_.size()) return;
    touched_ += static_cast<double>(entries_of(seen_));
    seen_ = select_columns(seen_, kept);
    for (std::size_t k = 0; k < kept.size(); ++k) {
      feature_[k] = feature_[kept[k]];
      v_[k] = v_[kept[k]];
    }
    feature_.resize(kept.size());
    v_.resize(kept.size());
  }

  // ---- the working set ---------------------------------------------------------------------------------------------

  void choose_set() {
    struct Near {
      double distance;
      std::uint32_t k;  // place among the features that are seen
    };
    const std::vector<std::uint32_t>& set = model_.features();
    std::vector<Near> outside;
    std::vector<std::uint32_t> chosen;
    std::size_t violators = 0;
    for (std::uint32_t k = 0; k < feature_.size(); ++k) {
      const std::uint32_t j = feature_[k];
      const double l1 = uniform_ ? l1_ : g_of(j).l1, v = uniform_ ? std::abs(v_[k]) : size_that_counts(j, v_[k]);
      if (x_[j] != 0 || l1 == 0) {
        chosen.push_back(k);
      } else if (norm_[j] > 0) {
        outside.push_back({(l1 - scale_ * v) / norm_[j], k});
        violators += v > l1 && !std::binary_search(set.begin(), set.end(), j);
      }
    }
    if (violators == 0 && !set.empty() && l1_ == solved_l1_) {  // the set is right: solve it better
      accuracy_ *= 0.3;
      return;
    }
    const std::size_t size = chosen.size() + std::max(chosen.size(), std::min(violators, 2 * chosen.size()));
    const std::size_t more = std::min(outside.size(), std::max(size, least_) - chosen.size());
    std::nth_element(
        outside.begin(), outside.begin() + static_cast<std::ptrdiff_t>(more), outside.end(),
        [](const Near& a, const Near& b) { return std::tie(a.distance, a.k) < std::tie(b.distance, b.k); });
    for (std::size_t i = 0; i < more; ++i) chosen.push_back(outside[i].k);
    std::sort(chosen.begin(), chosen.end());
    std::vector<std::uint32_t> features;
    for (const std::uint32_t k : chosen) features.push_back(feature_[k]);
    model_.choose(select_columns(seen_, chosen), std::move(features));
    touched_ += static_cast<double>(entries_of(seen_));
    weighed_ = false;
  }

  // ---- P over the working set --------------------------------------------------------------------------------------

  void solve_on_set() {
    solved_l1_ = l1_;
    double size = 0;
    for (const double xj : x_) size += std::abs(xj);
    const bool on_path = l1_ > problem_.penalty.l1();
    const double wanted = on_path ? infinity : accuracy_ * std::max(0.3 * target_, 0.03 * gap_) / size;
    const double tolerance = std::min(wanted, 0.1 * l1_);  // of |v_j| - l1: what it costs the gap is |x|_1 times that
    double before = infinity;
    for (int step = 0; step < 50; ++step) {
      if (stop_asked()) return;
      read_derivatives();
      const double missed = missed_on_set();
      if (missed <= tolerance && step > 0) return;
      constexpr double slow = 0.3;  // weights of an earlier point do until they make steps slow
      if (step > 0 && !fresh_ && missed > slow * before) outdated_ = true;
      before = missed;
      if (outdated_ || !weighed_) weigh();
      else fresh_ = false;
      if (stop_asked()) return;
      if (!newton_step(one_step_ ? tolerance : std::max(0.3 * tolerance, 0.1 * missed)) || one_step_) return;
    }
  }

  void read_derivatives() {  // s = A_W^T C y, and its sum for the intercept
    parallel_chunks(chunks_of(z_.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        cy_[i] = problem_.normalized_weight[i] * loss_.derivative(problem_.target[i], z_[i]);
    });
    derivative_.resize(static_cast<Eigen::Index>(model_.features().size()));
    multiply_transposed(model_.rows(), cy_.data(), derivative_.data());
    touched_ += model_.entries();
    derivative_b_ = problem_.free_intercept() ? std::accumulate(cy_.begin(), cy_.end(), 0.0) : 0;
  }

  double missed_on_set() const {  // of the conditions of optimality
    double largest = std::abs(derivative_b_);
    for (Eigen::Index k = 0; k < derivative_.size(); ++k) {
      if (!uniform_) {
        largest = std::max(largest, violation(feature_at(k), derivative_[k]));
        continue;
      }
      const double x = x_[feature_at(k)], s = derivative_[k] + problem_.penalty.l2() * x;
      largest = std::max(largest, x == 0 ? std::abs(s) - l1_ : std::abs(s + std::copysign(l1_, x)));
    }
    return largest;
  }
  std::uint32_t feature_at(Eigen::Index k) const { return model_.features()[static_cast<std::size_t>(k)]; }

  // c_i phi_i''(z_i), at this point or, where that saves work, as they were. Of the squared loss they never change.
  void weigh() {
    const bool kept = one_step_ ? !outdated_ : !outdated_ && model_.saves_by_keeping();
    fresh_ = !kept;
    if (fresh_)
      parallel_chunks(chunks_of(z_.size()), [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          weight_[i] = problem_.normalized_weight[i] *
                       (one_step_ ? 1 / loss_.gamma() : loss_.second_derivative(problem_.target[i], z_[i]));
      });
    Eigen::VectorXd damping(derivative_.size());
    for (Eigen::Index k = 0; k < damping.size(); ++k) {
      const double norm = norm_[feature_at(k)];
      damping[k] = one_step_ ? 0 : mu_ * norm * norm / loss_.gamma();
    }
    model_.weigh(weight_, kept, std::move(damping), one_step_ ? 0 : mu_ / loss_.gamma());
    touched_ += model_.entries();
    weighed_ = true;
    outdated_ = false;
  }

  // False where nothing falls any more.
  bool newton_step(double tolerance) {
    Eigen::VectorXd x(derivative_.size());
    for (Eigen::Index k = 0; k < x.size(); ++k) x[k] = x_[feature_at(k)];
    Eigen::VectorXd u = x;
    g_of_set_.clear();
    if (!uniform_)
      for (const std::uint32_t j : model_.features()) g_of_set_.push_back(g_of(j));
    const double move_b =
        model_.minimize(derivative_, derivative_b_, {problem_.penalty.l2(), l1_, g_of_set_}, tolerance, u);
    const Eigen::VectorXd move = u - x;
    dz_.resize(z_.size());
    multiply(model_.rows(), move.data(), dz_.data());
    touched_ += model_.entries() + model_.entries_used();
    for (double& dz : dz_) dz += move_b;

    if (one_step_) loss_now_.reset();
    const double t = one_step_ ? 1 : step_length(x, move, move_b);
    for (Eigen::Index k = 0; k < x.size(); ++k) x_[feature_at(k)] = t == 1 ? u[k] : x[k] + t * move[k];
    if (!uniform_ && t != 1)  // what rounding left outside
      for (Eigen::Index k = 0; k < x.size(); ++k)
        x_[feature_at(k)] = g_of_set_[static_cast<std::size_t>(k)].clip(x_[feature_at(k)]);
    b_ += t * move_b;
    for (std::size_t i = 0; i < z_.size(); ++i) z_[i] += t * dz_[i];
    return t > 0;
  }

  double step_length(const Eigen::VectorXd& x, const Eigen::VectorXd& move, double move_b) {
    const auto g = [&](double t) {
      const Eigen::VectorXd at = x + t * move;
      if (!uniform_) {
        double sum = 0;
        for (Eigen::Index k = 0; k < at.size(); ++k) {
          const Coordinate& g_k = g_of_set_[static_cast<std::size_t>(k)];
          sum += g_k.value(g_k.clip(at[k]));
        }
        return sum;
      }
      return l1_ * at.lpNorm<1>() + 0.5 * problem_.penalty.l2() * at.squaredNorm();
    };
    const double before = loss() + g(0);
    const double predicted = predicted_change(x, move) + derivative_b_ * move_b;
    const double rounding = 1e-14 * std::abs(before);
    if (!(predicted <= rounding) || (move.isZero(0) && move_b == 0)) return 0;
    for (double t = 1; t > 1e-8; t *= 0.5) {
      const double loss_there = loss_at(t, dz_);
      if (!(loss_there + g(t) <= before + 1e-3 * t * predicted + rounding)) continue;
      loss_now_ = loss_there;
      if (t == 1) mu_ = std::max(0.1 * mu_, least_damping);
      if (t < 0.2) damp_more(10);
      return t;
    }
    damp_more(100);
    return 0;
  }
  // s.move + g(x + move) - g(x), by coordinates: near the optimum each term is small, their parts are not.
  double predicted_change(const Eigen::VectorXd& x, const Eigen::VectorXd& move) const {
    double sum = 0;
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      const double u = x[k] + move[k];
      const double l2 = uniform_ ? problem_.penalty.l2() : g_of_set_[static_cast<std::size_t>(k)].l2;
      const double l1 = uniform_ ? l1_ : g_of_set_[static_cast<std::size_t>(k)].l1;
      const double derivative = derivative_[k] + l2 * (x[k] + 0.5 * move[k]);
      if (u * x[k] < 0) sum += move[k] * derivative + l1 * (std::abs(u) - std::abs(x[k]));
      else sum += move[k] * (derivative + std::copysign(l1, x[k] != 0 ? x[k] : u));
    }
    return sum;
  }
  void damp_more(double factor) {
    mu_ = std::max(factor * mu_, 1e-4);
    outdated_ = true;
  }

  const Problem& problem_;
  LossType loss_;
  WorkingSetSpec spec_;
  Rows seen_;                         // A of the features that are not proved to be 0 (as far as that saves something)
  std::vector<double> norm_;          // |a_j|_c
  double l1_;                         // the present one of the path
  bool uniform_;                      // the penalty is the same for all features
  std::vector<Coordinate> g_of_set_;  // otherwise: of the working set
  bool one_step_;                     // P is its own model

  std::vector<double> x_, z_, cy_, y_;  // y: of the best D
  double b_ = 0;
  std::optional<double> loss_now_;      // sum c_i phi_i(z_i), where it is known
  std::vector<std::uint32_t> feature_;  // the columns of `seen_`
  std::vector<double> v_;               // of these, before y is scaled
  double largest_ = 0, scale_ = 1;      // of |v_j|; into the box
  double best_dual_ = -infinity, gap_ = infinity, target_ = 0, accuracy_ = 1;

  SetModel model_;  // of the working set
  std::size_t least_ = 50;
  double solved_l1_ = 0;
  std::vector<double> weight_, dz_;
  Eigen::VectorXd derivative_;
  double derivative_b_ = 0, mu_ = least_damping;
  bool weighed_ = false, fresh_ = false, outdated_ = true;  // the model: has weights, of this point, no longer good
  double entries_ = 0, touched_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_working_set(const Problem& problem, const WorkingSetSpec& spec, const Start& start) {
  return std::visit(
      [&]<class LossType>(const LossType& loss) -> std::unique_ptr<Solver> {
        return std::make_unique<WorkingSet<LossType>>(problem, loss, spec, start);
      },
      problem.loss);
}

}  // namespace seesaw
