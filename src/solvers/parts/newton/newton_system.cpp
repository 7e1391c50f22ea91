#include "solvers/parts/newton/newton_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "base/ranks.h"
#include "base/rng.h"
#include "base/stop.h"
#include "base/tree_sum.h"
#include "solvers/parts/newton/cholesky.h"
#include "solvers/parts/newton/conjugate_gradient.h"
#include "solvers/parts/newton/second_order_cost.h"

namespace seesaw {
namespace {

double fraction_of(const Hessian& h, std::size_t rows) {
  const std::size_t all = std::visit([](const auto& a) { return all_rows(a); }, h.rows());
  return static_cast<double>(rows) / static_cast<double>(std::max<std::size_t>(all, 1));
}

class CholeskySystem final : public NewtonSystem {
 public:
  double solve(Hessian& h, const Eigen::VectorXd& g, double tolerance, Eigen::VectorXd& p) override {
    double passes = 0;
    has_residual_ = false;
    if (!cost_) cost_.emplace(h.rows());
    const Changes changes = changes_of(h);
    const bool few = matrix_.size() > 0 && updates_ < most_updates && changes.rows <= most_changed * changes.all;
    const double update = changes.rows / std::max(changes.all, 1.0) * cost_->assembly + cost_->factorization;
    const bool by_update = few && update <= products_of_update * cost_->product;
    if (factor_.ready() && !by_update && changes.moved <= largest_move * changes.size) {
      const auto [steps, converged] = by_products(h, g, tolerance, p);
      passes += steps;
      cg_iterations_ += steps;
      if (converged) return passes;
    }
    if (few) {
      update_matrix(h);
      largest_ = largest_.cwiseMax(matrix_.diagonal());
      ++updates_;
      passes += fraction_of(h, static_cast<std::size_t>(changes.rows));
    } else {
      h.assemble_rows(h.curved(), h.weights(), matrix_);
      largest_ = matrix_.diagonal();
      updates_ = 0;
      passes += 1;
    }
    remember(h);
    const Eigen::VectorXd of_rows = matrix_.diagonal();
    h.add_diagonal(matrix_);
    factor_.factor(matrix_);
    p = -factor_.solve(g);
    residual_ = g;
    residual_.noalias() += matrix_.selfadjointView<Eigen::Lower>() * p;
    has_residual_ = factor_.ready();
    matrix_.diagonal() = of_rows;
    if (stop_requested()) matrix_.resize(0, 0);  // that of fewer rows
    return passes;
  }
  const Eigen::VectorXd* residual() const override { return has_residual_ ? &residual_ : nullptr; }

  std::optional<KeptSizes> kept_product(const Eigen::VectorXd& p, Eigen::VectorXd& product,
                                        std::span<double> w) const override {
    if (matrix_.size() == 0) return std::nullopt;
    product.noalias() = matrix_.selfadjointView<Eigen::Lower>() * p;
    std::fill(w.begin(), w.end(), 0.0);
    for (std::size_t k = 0; k < rows_.size(); ++k) w[rows_[k]] = weights_[k];
    return KeptSizes{std::sqrt(largest_.sum()), largest_.cwiseSqrt()};
  }

  void serialize(Archive& archive) override {
    archive.numbers("system", cg_iterations_);
    factor_.serialize(archive);
    archive.row_list("rows", rows_);
    archive.listed("weights", weights_);
    archive.numbers("updates", updates_);
    archive.matrix("matrix", matrix_);
    archive.array("largest", largest_);
  }

 private:
  ConjugateGradientResult by_products(Hessian& h, const Eigen::VectorXd& g, double tolerance, Eigen::VectorXd& p) {
    const double cheaper = 0.6 * (cost_->assembly + cost_->factorization) / cost_->product;
    return conjugate_gradient(
        g, tolerance, static_cast<int>(std::min(12.0, cheaper)),
        [&](const Eigen::VectorXd& s, Eigen::VectorXd& hs) { h.multiply(s, hs); },
        [&](const Eigen::VectorXd& r, Eigen::VectorXd& m) { m = factor_.solve(r); }, p);
  }

  // How the curvatures differ from those of matrix_: the sum of their changes and their sum; the number of rows that differ,
  // and of those that are curved.
  struct Changes {
    double moved = 0, size = 0, rows = 0, all = 0;
    Changes& operator+=(const Changes& other) {
      moved += other.moved;
      size += other.size;
      rows += other.rows;
      all += other.all;
      return *this;
    }
  };
  // differs(row, before, now) for each row of begin .. end - 1 whose weight has changed.
  template <class Differs>
  Changes merge(const Hessian& h, std::size_t begin, std::size_t end, const Differs& differs) const {
    const auto position = [](std::span<const std::uint32_t> list, std::size_t row) {
      return static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), row) - list.begin());
    };
    Changes part;
    const auto change = [&](std::uint32_t row, double before, double now) {
      part.moved += std::abs(now - before);
      part.rows += now != before;
      if (now != before) differs(row, before, now);
    };
    std::size_t at = position(rows_, begin);
    const std::size_t last = position(rows_, end), last_now = position(h.curved(), end);
    for (std::size_t k = position(h.curved(), begin); k < last_now; ++k) {
      for (; at < last && rows_[at] < h.curved()[k]; ++at) change(rows_[at], weights_[at], 0);
      const bool both = at < last && rows_[at] == h.curved()[k];
      change(h.curved()[k], both ? weights_[at] : 0, h.weights()[k]);
      part.size += h.weights()[k];
      ++part.all;
      at += both;
    }
    for (; at < last; ++at) change(rows_[at], weights_[at], 0);
    return part;
  }
  Changes changes_of(const Hessian& h) const {
    return tree_sum<Changes>(leaves_of(h.rows()), [&](std::size_t begin, std::size_t end) {
      return merge(h, begin, end, [](std::uint32_t, double, double) {});
    });
  }

  // Piecewise quadratic losses, whose curvatures are 0 or constant: the rows that became curved are added, and those that
  // are no longer curved are subtracted.
  void update_matrix(const Hessian& h) {
    std::vector<std::uint32_t> more, fewer;
    std::vector<double> added, taken;
    const Leaves& leaves = leaves_of(h.rows());
    merge(h, 0, std::numeric_limits<std::size_t>::max(), [&](std::uint32_t row, double before, double now) {
      (now > before ? more : fewer).push_back(row);
      (now > before ? added : taken).push_back(std::abs(now - before));
    });
    const auto add = [&](const std::vector<std::uint32_t>& which, const std::vector<double>& weight, double sign) {
      if (sum_of_ranks(leaves, which.size()) == 0) return;
      Eigen::MatrixXd change;
      h.assemble_rows(which, weight, change);
      matrix_ += sign * change;
    };
    add(more, added, 1);
    add(fewer, taken, -1);
  }
  void remember(const Hessian& h) {
    rows_.assign(h.curved().begin(), h.curved().end());
    weights_.assign(h.weights().begin(), h.weights().end());
  }

  static constexpr double largest_move = 0.2;      // of the curvatures, in the mean, for products with the last factor
  static constexpr double most_changed = 0.25;     // of the curved rows, for an update of the matrix
  static constexpr int most_updates = 50;          // rounding errors accumulate
  static constexpr double products_of_update = 2;  // an update that costs at most so many products by H is made at once

  Cholesky factor_;
  Eigen::MatrixXd matrix_;   // sum_i w_i a_i a_i^T of rows_ and weights_
  int updates_ = 0;          // of matrix_ since it was assembled
  Eigen::VectorXd largest_;  // that its diagonal was since then
  Eigen::VectorXd residual_;
  bool has_residual_ = false;
  std::vector<std::uint32_t> rows_;  // of the factor
  std::vector<double> weights_;
  std::optional<SecondOrderCost> cost_;  // made when first needed
};

class SampledSystem final : public NewtonSystem {
 public:
  double solve(Hessian& h, const Eigen::VectorXd& g, double tolerance, Eigen::VectorXd& p) override {
    double passes = 0;
    if (!factor_.ready() || last_steps_ > refactor_above) passes += refactor(h);
    const auto [steps, converged] = conjugate_gradient(
        g, tolerance, 60, [&](const Eigen::VectorXd& s, Eigen::VectorXd& hs) { h.multiply(s, hs); },
        [&](const Eigen::VectorXd& r, Eigen::VectorXd& m) { m = factor_.solve(r); }, p);
    last_steps_ = steps;
    cg_iterations_ += steps;
    return passes + steps;
  }

  void serialize(Archive& archive) override {
    archive.numbers("system", cg_iterations_, last_steps_);
    factor_.serialize(archive);
  }

 private:
  static constexpr int refactor_above = 10;

  // One row from each of 8d equal parts of the curved rows, in order, with a fixed seed.
  double refactor(Hessian& h) {
    const auto curved = h.curved();
    const auto [before, all] = place_among_ranks(leaves_of(h.rows()), curved.size());
    const std::size_t size = std::min(all, 8 * static_cast<std::size_t>(h.size()));
    const double scale = static_cast<double>(all) / static_cast<double>(std::max<std::size_t>(size, 1));
    Rng rng(1);
    std::vector<std::uint32_t> which;
    std::vector<double> weight;
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t first = all * k / size, last = all * (k + 1) / size;
      const std::size_t at = first + rng.below(static_cast<std::uint32_t>(last - first));
      if (at < before || at >= before + curved.size()) continue;  // of another process
      which.push_back(curved[at - before]);
      weight.push_back(scale * h.weights()[at - before]);
    }
    Eigen::MatrixXd matrix;
    h.assemble(which, weight, matrix);
    factor_.factor(matrix);
    return fraction_of(h, size);
  }

  Cholesky factor_;
  int last_steps_ = 0;
};

class DiagonalSystem final : public NewtonSystem {
 public:
  explicit DiagonalSystem(bool block) : block_(block) {}

  double solve(Hessian& h, const Eigen::VectorXd& g, double tolerance, Eigen::VectorXd& p) override {
    h.diagonal(diagonal_);
    double passes = 1;
    if (block_ && (!factor_.ready() || last_steps_ > refactor_above)) passes += refactor(h);
    const auto [steps, converged] = conjugate_gradient(
        g, tolerance, 400, [&](const Eigen::VectorXd& s, Eigen::VectorXd& hs) { h.multiply(s, hs); },
        [&](const Eigen::VectorXd& r, Eigen::VectorXd& m) { precondition(r, m); }, p);
    last_steps_ = steps;
    cg_iterations_ += steps;
    return passes + steps;
  }

  void serialize(Archive& archive) override {
    archive.numbers("system", cg_iterations_, last_steps_);
    archive.array("columns", columns_);
    factor_.serialize(archive);
  }

 private:
  static constexpr int refactor_above = 6;

  // So many that a solve by their factor, about 0.25 ns per entry, costs much less than a product by H.
  static std::size_t block_size(const Hessian& h) {
    return static_cast<std::size_t>(std::clamp(std::sqrt(SecondOrderCost(h.rows()).product / 5), 200.0, 1000.0));
  }

  double refactor(const Hessian& h) {  // of the columns with the largest diagonal
    const auto features = static_cast<std::size_t>(h.features());
    columns_.resize(features);
    std::iota(columns_.begin(), columns_.end(), 0u);
    const std::size_t size = std::min(block_size(h), features);
    std::nth_element(columns_.begin(), columns_.begin() + static_cast<std::ptrdiff_t>(size), columns_.end(),
                     [&](std::uint32_t j, std::uint32_t k) {
                       return diagonal_[j] != diagonal_[k] ? diagonal_[j] > diagonal_[k] : j < k;
                     });
    columns_.resize(size);
    std::sort(columns_.begin(), columns_.end());
    Eigen::MatrixXd matrix;
    h.assemble_block(columns_, matrix);
    factor_.factor(matrix);
    return 1;
  }

  void precondition(const Eigen::VectorXd& r, Eigen::VectorXd& m) {
    m = r.cwiseQuotient(diagonal_);
    if (!factor_.ready()) return;
    Eigen::VectorXd part(static_cast<Eigen::Index>(columns_.size()));
    for (std::size_t k = 0; k < columns_.size(); ++k) part[static_cast<Eigen::Index>(k)] = r[columns_[k]];
    part = factor_.solve(part);
    for (std::size_t k = 0; k < columns_.size(); ++k) m[columns_[k]] = part[static_cast<Eigen::Index>(k)];
  }

  bool block_;  // false: the diagonal only
  Eigen::VectorXd diagonal_;
  std::vector<std::uint32_t> columns_;
  Cholesky factor_;
  int last_steps_ = 0;
};

}  // namespace

std::optional<NewtonSystem::KeptSizes> NewtonSystem::kept_product(const Eigen::VectorXd&, Eigen::VectorXd&,
                                                                  std::span<double>) const {
  return std::nullopt;
}

std::unique_ptr<NewtonSystem> make_newton_system(SystemKind kind) {
  switch (kind) {
    case SystemKind::cholesky:
      return std::make_unique<CholeskySystem>();
    case SystemKind::sampled:
      return std::make_unique<SampledSystem>();
    case SystemKind::diagonal:
      return std::make_unique<DiagonalSystem>(false);
    case SystemKind::block:
      break;
  }
  return std::make_unique<DiagonalSystem>(true);
}

}  // namespace seesaw
