#include "solvers/parts/newton/newton_system.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/ranks.h"
#include "base/rng.h"
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
    if (factor_.ready() && nearly_the_same(h)) {
      const auto [steps, converged] = by_products(h, g, tolerance, p);
      passes += steps;
      cg_iterations_ += steps;
      if (converged) return passes;
    }
    h.assemble(matrix_);
    factor_.factor(matrix_);
    remember(h);
    p = -factor_.solve(g);
    residual_ = g;
    residual_.noalias() += matrix_.selfadjointView<Eigen::Lower>() * p;
    has_residual_ = factor_.ready();
    return passes + 1;
  }
  const Eigen::VectorXd* residual() const override { return has_residual_ ? &residual_ : nullptr; }

  void serialize(Archive& archive) override {
    archive.numbers("system", cg_iterations_);
    factor_.serialize(archive);
    archive.row_list("rows", rows_);
    archive.listed("weights", weights_);
  }

 private:
  ConjugateGradientResult by_products(Hessian& h, const Eigen::VectorXd& g, double tolerance, Eigen::VectorXd& p) {
    if (max_products_ < 0) {
      const SecondOrderCost cost(h.rows());
      max_products_ = static_cast<int>(std::min(12.0, 0.6 * (cost.assembly + cost.factorization) / cost.product));
    }
    return conjugate_gradient(
        g, tolerance, max_products_, [&](const Eigen::VectorXd& s, Eigen::VectorXd& hs) { h.multiply(s, hs); },
        [&](const Eigen::VectorXd& r, Eigen::VectorXd& m) { m = factor_.solve(r); }, p);
  }

  // Whether the curvatures have changed by less than a fifth, in the mean.
  bool nearly_the_same(const Hessian& h) const {
    struct Change {
      double moved = 0, size = 0;
      Change& operator+=(const Change& other) {
        moved += other.moved;
        size += other.size;
        return *this;
      }
    };
    const auto position = [](std::span<const std::uint32_t> list, std::size_t row) {
      return static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), row) - list.begin());
    };
    const auto change = tree_sum<Change>(leaves_of(h.rows()), [&](std::size_t begin, std::size_t end) {
      Change part;
      std::size_t at = position(rows_, begin);
      const std::size_t last = position(rows_, end), last_now = position(h.curved(), end);
      for (std::size_t k = position(h.curved(), begin); k < last_now; ++k) {
        while (at < last && rows_[at] < h.curved()[k]) part.moved += weights_[at++];
        const bool both = at < last && rows_[at] == h.curved()[k];
        part.moved += std::abs(h.weights()[k] - (both ? weights_[at] : 0));
        part.size += h.weights()[k];
        at += both;
      }
      while (at < last) part.moved += weights_[at++];
      return part;
    });
    return change.moved <= 0.2 * change.size;
  }
  void remember(const Hessian& h) {
    rows_.assign(h.curved().begin(), h.curved().end());
    weights_.assign(h.weights().begin(), h.weights().end());
  }

  Cholesky factor_;
  Eigen::MatrixXd matrix_;
  Eigen::VectorXd residual_;
  bool has_residual_ = false;
  std::vector<std::uint32_t> rows_;  // of the factor
  std::vector<double> weights_;
  int max_products_ = -1;  // CG steps allowed with the factor of an earlier point
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
