// The quadratic model of P over a working set of features and the free intercept:
//
//     s.(u - x) + s_b db + 1/2 |A_W (u - x) + db|^2_weight + 1/2 |u - x|^2_damping + g(u)
//
// The intercept is eliminated exactly: H <- H - h h^T/h_b with h = A_W^T weight and h_b = sum of the weights. Uses a Gram
// matrix (parts/l1/set_gram.h, l1_quadratic.h), or none (parts/l1/l1_columns.h): for more than 3000 features, and where the
// columns are short, until sweeps over them are slow. The columns of the set are on all ranks, in the order of the rows,
// and each rank computes the same minimizer.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ranks.h"
#include "base/stop.h"
#include "base/tree_sum.h"
#include "data/column_segments.h"
#include "data/columns.h"
#include "data/dataset.h"
#include "data/listed_nodes.h"
#include "data/select_columns.h"
#include "solvers/parts/l1/kept_features.h"
#include "solvers/parts/l1/l1_columns.h"
#include "solvers/parts/l1/set_gram.h"

namespace seesaw {

class SetModel {
 public:
  // `several_steps`: the loss is not its own model, so that each set has several products.
  explicit SetModel(bool intercept, bool several_steps = true) : intercept_(intercept), several_steps_(several_steps) {}

  // `whole`: all features, with a matrix.
  void choose(SetRows set, bool whole = false) {
    rows_ = std::move(set.rows);
    features_ = std::move(set.features);
    entries_ = static_cast<double>(entries_of(rows_));
    const auto m = static_cast<double>(features_.size());
    whole_ = whole;
    has_matrix_ =
        whole || (features_.size() <= largest_matrix && (prefers_matrix_ || m * m <= matrix_per_entry * entries_));
    if (!has_matrix_) columns_ = transpose(on_every_rank(rows_));
    segments_.reset();
    if (several_steps_ && !whole && ColumnSegments::suit(rows_))
      segments_ = set.columns ? std::move(set.columns) : ColumnSegments(rows_);
  }

  void multiply(const double* x, double* z) const {  // z = A_W x
    if (segments_) segments_->multiply(x, z);
    else seesaw::multiply(rows_, x, z);
  }
  void multiply_transposed(const double* y, double* s) const {
    if (segments_) segments_->multiply_transposed(y, s);
    else seesaw::multiply_transposed(rows_, y, s);
  }
  const std::vector<std::uint32_t>& features() const { return features_; }
  const Rows& rows() const { return rows_; }
  double entries() const { return entries_; }
  bool has_matrix() const { return has_matrix_; }
  // Of assembling the matrix, in entries of A: a sparse row costs the square of its entries, a dense one less by vector
  // instructions.
  double matrix_cost() const {
    const double m = static_cast<double>(features_.size());
    const double r = std::visit([&](const auto& a) { return entries_ / static_cast<double>(all_rows(a) + 1); }, rows_);
    return entries_ * (rows_.index() < 2 && r <= 0.3 * m ? r / 2 + 1 : m / 16 + 1);
  }
  // Whether keeping the weights saves work when the set changes.
  bool saves_by_keeping() const { return has_matrix_ && SetGram::grows(rows_); }

  // `kept`: the weights are those of the previous call.
  void weigh(std::span<const double> weight, bool kept, Eigen::VectorXd damping, double damping_b) {
    weight_.assign(weight.begin(), weight.end());
    damping_ = std::move(damping);
    if (intercept_) {
      border_.resize(static_cast<Eigen::Index>(features_.size()));
      multiply_transposed(weight.data(), border_.data());
      curvature_b_ = damping_b + sum_over(leaves_of(rows_), weight);
    }
    if (!has_matrix_) {
      if (!kept) gram_.forget();
      return;
    }
    gram_.assemble(rows_, features_, weight, kept, whole_);
    make_matrix();
  }

  // `rows`: of all features.
  void serialize(Archive& archive, const Rows& rows) {
    archive.numbers("set_matrix", prefers_matrix_);
    archive.array("set", features_);
    archive.numbers("whole_set", whole_);
    if (!archive.saving() && !features_.empty())
      choose({whole_ ? rows : select_columns(rows, features_), std::nullopt, features_}, whole_);
    archive.rows("set_weight", weight_);
    archive.array("set_damping", damping_);
    archive.array("set_border", border_);
    archive.numbers("set_curvature", curvature_b_);
    gram_.serialize(archive);
    // Where the set has changed since the last weigh(), the matrix is not used before the next one.
    if (!archive.saving() && has_matrix_ && gram_.matrix().rows() == damping_.size()) make_matrix();
  }

  // Input: u = x. Output: u is the minimizer. Returns the change of the intercept.
  double minimize(const Eigen::VectorXd& derivative, double derivative_b, const L1Quadratic::Penalty& penalty,
                  double tolerance, Eigen::VectorXd& u) {
    if (!has_matrix_) {
      const double m = static_cast<double>(features_.size()), of_factor = 0.1 * m * m * m;
      const int sweeps = static_cast<int>(std::clamp(of_factor / (entries_ + 1), 100.0, 500.0));
      const Eigen::VectorXd x = u;
      const Shares* const shares = leaves_of(rows_).shares();
      const std::vector<double> of_all = shares == nullptr ? weight_ : shares->ranks->concatenate<double>(weight_);
      const auto [move_b, solved] = by_columns_.minimize(
          {&columns_, of_all, &derivative, &damping_, &border_, intercept_, derivative_b, curvature_b_}, penalty,
          tolerance, sweeps, u);
      if (solved || features_.size() > largest_matrix || stop_requested()) return move_b;
      u = x;  // slow: from now on with a matrix, and steps to the minimum of a face
      prefers_matrix_ = has_matrix_ = true;
      gram_.assemble(rows_, features_, weight_, false);
      make_matrix();
    }
    if (!intercept_) {
      by_matrix_.minimize(H_, derivative, penalty, tolerance, u);
      return 0;
    }
    const Eigen::VectorXd x = u;
    by_matrix_.minimize(H_, derivative - border_ * (derivative_b / curvature_b_), penalty, tolerance, u);
    return -(derivative_b + border_.dot(u - x)) / curvature_b_;
  }
  // With a matrix: the derivatives of the quadratic part at the last minimizer, and what they change by over a move.
  const Eigen::VectorXd& derivative() const { return by_matrix_.derivative(); }
  std::pair<Eigen::VectorXd, double> image(const Eigen::VectorXd& move, double move_b) const {
    Eigen::VectorXd of_features = gram_.matrix() * move;
    if (!intercept_) return {std::move(of_features), 0.0};
    of_features += move_b * border_;
    return {std::move(of_features), border_.dot(move) + move_b * curvature_b_};
  }
  double entries_used() const { return has_matrix_ ? 0 : by_columns_.entries_used(); }  // by minimize()

 private:
  void make_matrix() {  // H
    H_ = gram_.matrix();
    if (intercept_) H_.noalias() -= border_ * (border_ / curvature_b_).transpose();
    H_.diagonal() = H_.diagonal().cwiseMax(0.0) + damping_;
  }

  static constexpr std::size_t largest_matrix = 3000;
  static constexpr double matrix_per_entry =
      2;  // a move costs a column of the matrix or, twice, the entries of a feature
  bool intercept_, several_steps_, has_matrix_ = true, prefers_matrix_ = false, whole_ = false;
  Rows rows_ = SparseRows<double>(0, {}, {}, {}, nullptr), columns_ = rows_;
  std::optional<ColumnSegments> segments_;  // A_W again, for products
  std::vector<std::uint32_t> features_;
  double entries_ = 0;
  std::vector<double> weight_;
  Eigen::VectorXd damping_, border_;
  double curvature_b_ = 1;
  SetGram gram_;
  Eigen::MatrixXd H_;
  L1Quadratic by_matrix_;
  L1Columns by_columns_;
};

}  // namespace seesaw
