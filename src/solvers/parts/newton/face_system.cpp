#include "solvers/parts/newton/face_system.h"

#include <algorithm>
#include <iterator>

#include "data/listed_nodes.h"
#include "solvers/parts/newton/row_products.h"
#include "solvers/parts/newton/weighted_gram.h"

namespace seesaw {
namespace {

double cube(double v) { return v * v * v; }

}  // namespace

FaceSystem::FaceSystem(const Problem& problem) : problem_(problem), border_(problem.free_intercept()) {
  const auto n = static_cast<double>(std::max<std::size_t>(problem.all_rows(), 1));
  row_length_ =
      std::visit([](const auto& rows) { return static_cast<double>(all_entries(rows)); }, problem.data->rows) / n;
  dense_ = row_length_ > 0.35 * static_cast<double>(problem.d());
}

void FaceSystem::serialize(Archive& archive) {
  archive.numbers("face", updates_, rows_used_, free_count_);
  archive.row_list("held", held_);
  archive.matrix("gram", gram_);
}

// Approximate costs in nanoseconds: a pair of entries of a sparse row 1.2, a product of a sparse row with a dense vector
// 0.6 per entry, a multiplication in a product of dense matrices 0.1, in a Cholesky factorization 0.06.
bool FaceSystem::by_rows(std::size_t free, std::size_t changed) const {
  const auto d = static_cast<double>(problem_.d()), m = static_cast<double>(free), r = row_length_;
  if (problem_.d() > most_unknowns) return true;
  if (free > most_unknowns) return false;
  const double pairs = static_cast<double>(changed) / 2;
  const double columns = (dense_ ? 0.1 * pairs * d * d : 1.2 * pairs * r * r) + 0.06 * cube(d) / 3;
  const double rows = m * m / 2 * (dense_ ? 0.1 * d : 0.6 * r) + 0.06 * cube(m) / 3;
  return rows < columns;
}

void FaceSystem::solve(std::span<const std::uint32_t> free, std::span<const double> normalized_weight, double gamma,
                       const Eigen::VectorXd& g, Eigen::VectorXd& p) {
  entered_.clear();
  left_.clear();
  std::set_difference(free.begin(), free.end(), held_.begin(), held_.end(), std::back_inserter(entered_));
  std::set_difference(held_.begin(), held_.end(), free.begin(), free.end(), std::back_inserter(left_));
  free_count_ = sum_of_ranks(problem_.leaves(), free.size());
  entered_count_ = sum_of_ranks(problem_.leaves(), entered_.size());
  left_count_ = sum_of_ranks(problem_.leaves(), left_.size());
  if (by_rows(free_count_, std::min(entered_count_ + left_count_, free_count_)))
    return solve_by_rows(free, normalized_weight, gamma, g, p);
  update_gram(free, normalized_weight);
  solve_by_columns(gamma, g, p);
}

// Rounding errors of added and subtracted rows accumulate: the matrix is recomputed if half of the rows change, and
// after 50 updates.
void FaceSystem::update_gram(std::span<const std::uint32_t> free, std::span<const double> normalized_weight) {
  const std::size_t changes = entered_count_ + left_count_;
  if (2 * changes > free_count_ || updates_ >= 50) {
    weighted_gram(rows(), free, normalized_weight, border_, gram_);
    updates_ = 0;
    rows_used_ += static_cast<double>(free_count_);
  } else if (changes > 0) {
    const auto add = [&](const Rows& from, const std::vector<std::uint32_t>& which, std::size_t count, double sign) {
      if (count == 0) return;
      normalized_weight_.resize(which.size());
      for (std::size_t k = 0; k < which.size(); ++k) normalized_weight_[k] = problem_.normalized_weight[which[k]];
      weighted_gram(from, which, normalized_weight_, border_, change_);
      gram_ += sign * change_;
    };
    add(rows(), entered_, entered_count_, 1);
    add(problem_.data->rows, left_, left_count_, -1);  // these may not be gathered
    ++updates_;
    rows_used_ += static_cast<double>(changes);
  }
  held_.assign(free.begin(), free.end());
}

void FaceSystem::solve_by_columns(double gamma, const Eigen::VectorXd& g, Eigen::VectorXd& p) {
  system_ = gram_;
  system_.diagonal().head(static_cast<Eigen::Index>(problem_.d())).array() += problem_.penalty.l2() * gamma;
  factor_.factor(system_);
  p = factor_.solve(-gamma * g);
}

void FaceSystem::solve_by_rows(std::span<const std::uint32_t> free, std::span<const double> normalized_weight,
                               double gamma, const Eigen::VectorXd& g, Eigen::VectorXd& p) {
  const auto d = static_cast<Eigen::Index>(problem_.d()), m = static_cast<Eigen::Index>(free_count_);
  const double lambda = problem_.penalty.l2();
  p = -g / lambda;
  if (border_) p[d] = m == 0 ? -gamma * g[d] : 0;
  if (m == 0) return;
  const EveryRow every(rows(), free, normalized_weight);  // of all processes
  row_gram(every.rows(), every.which(), system_);
  for (Eigen::Index k = 0; k < m; ++k) system_(k, k) += lambda * gamma / every.weight()[static_cast<std::size_t>(k)];
  factor_.factor(system_);
  Eigen::VectorXd right(m);
  multiply_rows(every.rows(), every.which(), g.data(), right.data());
  Eigen::VectorXd eta = factor_.solve(-right);
  if (border_) {
    const Eigen::VectorXd of_ones = factor_.solve(Eigen::VectorXd::Ones(m));
    const double scaled = (-g[d] - eta.sum()) / of_ones.sum();  // lambda p_b
    eta += scaled * of_ones;
    p[d] = scaled / lambda;
  }
  eta /= -lambda;
  add_rows(rows(), free, {eta.data() + every.before(), free.size()}, p.data());
  rows_used_ += 3 * static_cast<double>(free_count_);
}

}  // namespace seesaw
