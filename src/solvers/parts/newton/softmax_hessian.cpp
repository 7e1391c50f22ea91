#include "solvers/parts/newton/softmax_hessian.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "base/ranks.h"
#include "base/tree_sum.h"
#include "data/resident.h"
#include "solvers/parts/newton/weighted_gram.h"

namespace seesaw {
namespace {

constexpr std::size_t grain = 512;  // rows per chunk, K numbers each

// Adds the mean of the diagonal to all entries, which has no effect on directions whose classes sum to 0.
void determine_intercepts(Eigen::Ref<Eigen::MatrixXd> block) {
  block.array() += std::max(block.trace(), 1e-300) / static_cast<double>(block.rows());
}

}  // namespace

SoftmaxHessian::SoftmaxHessian(const Problem& problem)
    : problem_(problem),
      classes_(problem.outputs()),
      p_(problem.n() * classes_),
      z_(problem.n() * classes_),
      all_(problem.n()) {
  std::iota(all_.begin(), all_.end(), 0u);
}

void SoftmaxHessian::move_to(const std::vector<double>& p) {
  p_ = p;
  weight_gram_.resize(0, 0);
}

bool SoftmaxHessian::rows_agree() const {
  const auto agree = [&](const std::vector<double>& p) {
    for (std::size_t at = classes_; at < p.size(); ++at)
      if (std::abs(p[at] - p[at - classes_]) > 1e-14) return false;
    return true;
  };
  if (any_rank(problem_.leaves(), !agree(p_))) return false;
  if (problem_.leaves().shares() == nullptr) return true;
  std::vector<double> ends;  // the first and the last row of every process
  if (!p_.empty()) {
    ends.assign(p_.begin(), p_.begin() + static_cast<std::ptrdiff_t>(classes_));
    ends.insert(ends.end(), p_.end() - static_cast<std::ptrdiff_t>(classes_), p_.end());
  }
  return agree(problem_.leaves().shares()->ranks->concatenate<double>(ends));
}

void SoftmaxHessian::scores(const Eigen::VectorXd& direction, std::vector<double>& z) const {
  z.resize(p_.size());
  seesaw::multiply(problem_.data->rows, direction.data(), z.data(), classes_);
  if (!problem_.free_intercept()) return;
  const double* b = direction.data() + problem_.d() * classes_;
  for (std::size_t i = 0; i < problem_.n(); ++i)
    for (std::size_t k = 0; k < classes_; ++k) z[i * classes_ + k] += b[k];
}

void SoftmaxHessian::transposed(std::vector<double>& y, Eigen::VectorXd& sums) const {
  sums.resize(static_cast<Eigen::Index>(unknowns()));
  std::vector<double> of_classes(classes_);
  tree_sum(problem_.leaves(), classes_, of_classes.data(), [&](std::size_t begin, std::size_t end, double* part) {
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t k = 0; k < classes_; ++k) part[k] += y[i * classes_ + k] *= problem_.normalized_weight[i];
  });
  if (problem_.free_intercept()) std::copy(of_classes.begin(), of_classes.end(), sums.data() + problem_.d() * classes_);
  multiply_transposed(problem_.data->rows, y.data(), sums.data(), classes_);
}

void SoftmaxHessian::multiply(const Eigen::VectorXd& direction, Eigen::VectorXd& product) {
  scores(direction, z_);
  parallel_chunks(chunks_of(problem_.n(), grain), [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double* p = &p_[i * classes_];
      double *z = &z_[i * classes_], mean = 0;
      for (std::size_t k = 0; k < classes_; ++k) mean += p[k] * z[k];
      for (std::size_t k = 0; k < classes_; ++k) z[k] = p[k] * (z[k] - mean);
    }
  });
  transposed(z_, product);
  const auto penalized = static_cast<Eigen::Index>(problem_.d() * classes_);
  product.head(penalized) += problem_.penalty.l2() * direction.head(penalized);
}

SoftmaxHessian::OfIntercepts SoftmaxHessian::of_intercepts(const std::vector<double>& y) const {
  const auto classes = static_cast<Eigen::Index>(classes_);
  OfIntercepts result{Eigen::VectorXd::Zero(classes), Eigen::MatrixXd::Zero(classes, classes)};
  // One column more than the curvature: the derivative.
  Eigen::MatrixXd sums(classes, classes + 1);
  tree_sum(problem_.leaves().grouped(problem_.all_rows() / 1024), static_cast<std::size_t>(sums.size()), sums.data(),
           [&](std::size_t begin, std::size_t end, double* part) {
             Eigen::Map<Eigen::MatrixXd> curvature(part, classes, classes);
             Eigen::Map<Eigen::VectorXd> derivative(part + classes * classes, classes);
             for (std::size_t i = begin; i < end; ++i) {
               const Eigen::Map<const Eigen::VectorXd> yi(&y[i * classes_], classes), p(&p_[i * classes_], classes);
               const double c = problem_.normalized_weight[i];
               derivative += c * yi;
               curvature.diagonal() += c * p;
               curvature.noalias() -= c * p * p.transpose();
             }
           });
  result.curvature = sums.leftCols(classes);
  result.derivative = sums.col(classes);
  determine_intercepts(result.curvature);
  return result;
}

// sum_i c_i p_ik ([k = l] - p_il) a_i a_i^T, without its sign where k != l.
void SoftmaxHessian::gram(std::size_t k, std::size_t l, Eigen::MatrixXd& h) const {
  std::vector<double> weight(problem_.n());
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const double* p = &p_[i * classes_];
    weight[i] = problem_.normalized_weight[i] * p[k] * (k == l ? 1 - p[k] : p[l]);
  }
  weighted_gram(problem_.data->rows, all_, weight, problem_.free_intercept(), h);
}

void SoftmaxHessian::assemble(std::size_t k, Eigen::MatrixXd& h) {
  if (weight_gram_.size() == 0 && !rows_agree()) {
    gram(k, k, h);
  } else {
    if (weight_gram_.size() == 0)
      weighted_gram(problem_.data->rows, all_, problem_.normalized_weight, problem_.free_intercept(), weight_gram_);
    h = p_[k] * (1 - p_[k]) * weight_gram_;
  }
  h.diagonal().head(static_cast<Eigen::Index>(problem_.d())).array() += problem_.penalty.l2();
}

void SoftmaxHessian::assemble(Eigen::MatrixXd& h) const {
  const auto classes = static_cast<Eigen::Index>(classes_), size = static_cast<Eigen::Index>(unknowns());
  h.setZero(size, size);
  Eigen::MatrixXd block;
  for (std::size_t k = 0; k < classes_; ++k)
    for (std::size_t l = 0; l <= k; ++l) {
      gram(k, l, block);
      const double sign = k == l ? 1 : -1;
      for (Eigen::Index m = 0; m < block.cols(); ++m)
        for (Eigen::Index j = m; j < block.rows(); ++j) {  // block(j, m) = block(m, j): both positions, if they differ
          const auto at = [&](std::size_t row_class, std::size_t column_class) -> double& {
            return h(j * classes + static_cast<Eigen::Index>(row_class),
                     m * classes + static_cast<Eigen::Index>(column_class));
          };
          at(k, l) = sign * block(j, m);
          at(l, k) = sign * block(j, m);
        }
    }
  const auto penalized = static_cast<Eigen::Index>(problem_.d()) * classes;
  h.diagonal().head(penalized).array() += problem_.penalty.l2();
  if (size > penalized) {
    determine_intercepts(h.bottomRightCorner(classes, classes));
  }
}

void SoftmaxHessian::diagonal(Eigen::VectorXd& h) const {
  h.resize(static_cast<Eigen::Index>(unknowns()));
  std::visit(
      [&](const auto& rows) {
        tree_sum(leaves_for_vectors(rows), unknowns(), h.data(), [&](std::size_t begin, std::size_t end, double* sum) {
          std::vector<double> weight(classes_);
          resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
              const double* p = &p_[i * classes_];
              for (std::size_t k = 0; k < classes_; ++k) weight[k] = problem_.normalized_weight[i] * p[k] * (1 - p[k]);
              const auto add = [&](std::size_t j, double a) {
                double* to = sum + j * classes_;
                for (std::size_t k = 0; k < classes_; ++k) to[k] += a * a * weight[k];
              };
              for_each(rows.row(i), add);
              if (problem_.free_intercept()) add(rows.width(), 1);
            }
          });
        });
      },
      problem_.data->rows);
  h.head(static_cast<Eigen::Index>(problem_.d() * classes_)).array() += problem_.penalty.l2();
}

}  // namespace seesaw
