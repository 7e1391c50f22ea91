#include "solvers/parts/newton/class_preconditioner.h"

#include <algorithm>

namespace seesaw {
namespace {

// Cost of a weighted Gram matrix in multiplications of a product by A: blocks of dense rows take 0.25 per multiplication,
// scattered pairs 4.
double gram_cost(const Problem& problem) {
  const double entries = static_cast<double>(problem.data->nnz), n = static_cast<double>(problem.all_rows()),
               d = static_cast<double>(problem.d());
  const bool dense = problem.data->dense() || entries > 0.35 * n * d;
  const double row = dense ? d : entries / std::max(n, 1.0);
  return n * row * row / 2 * (dense ? 0.25 : 4);
}

}  // namespace

void center_classes(double* x, std::size_t features, std::size_t classes) {
  for (std::size_t j = 0; j < features; ++j, x += classes) {
    double mean = 0;
    for (std::size_t k = 0; k < classes; ++k) mean += x[k];
    mean /= static_cast<double>(classes);
    for (std::size_t k = 0; k < classes; ++k) x[k] -= mean;
  }
}

ClassPreconditioner::ClassPreconditioner(const Problem& problem, std::optional<ClassBlocks> blocks)
    : classes_(problem.outputs()), features_(problem.d() + (problem.free_intercept() ? 1 : 0)) {
  const double classes = static_cast<double>(classes_), features = static_cast<double>(features_),
               entries = static_cast<double>(problem.data->nnz), unknowns = classes * features;
  const double product = 2 * entries * classes;
  const auto cost = [&](ClassBlocks which) {
    if (which == ClassBlocks::diagonal) return entries * classes;
    const double grams = which == ClassBlocks::whole ? classes * (classes + 1) / 2 : classes;
    const double choleskys =
        which == ClassBlocks::whole ? unknowns * unknowns * unknowns / 3 : classes * features * features * features / 3;
    return grams * gram_cost(problem) + 0.2 * choleskys;
  };
  blocks_ = blocks.value_or(unknowns <= 200                                              ? ClassBlocks::whole
                            : features <= 2500 && classes <= 5e7 / (features * features) ? ClassBlocks::classes
                                                                                         : ClassBlocks::diagonal);
  cost_in_products_ = cost(blocks_) / std::max(product, 1.0);
}

void ClassPreconditioner::make(SoftmaxHessian& hessian) {
  Eigen::MatrixXd h;
  switch (blocks_) {
    case ClassBlocks::whole:
      hessian.assemble(h);
      factors_.resize(1);
      factors_[0].factor(h);
      break;
    case ClassBlocks::classes:
      factors_.resize(classes_);
      for (std::size_t k = 0; k < classes_; ++k) {  // after a stop there are no factors, and solve() returns 0
        hessian.assemble(k, h);
        factors_[k].factor(h);
      }
      break;
    case ClassBlocks::diagonal:
      hessian.diagonal(diagonal_);
      break;
  }
}

void ClassPreconditioner::serialize(Archive& archive) {
  std::size_t factors = factors_.size();
  archive.numbers("preconditioner", factors);
  factors_.resize(factors);
  for (Cholesky& factor : factors_) factor.serialize(archive);
  archive.array("diagonal", diagonal_);
}

void ClassPreconditioner::solve(const Eigen::VectorXd& r, Eigen::VectorXd& solution) const {
  if (blocks_ == ClassBlocks::whole) {
    solution = factors_[0].solve(r);
    return;
  }
  if (blocks_ == ClassBlocks::diagonal) {
    solution = r.cwiseQuotient(diagonal_);
  } else {
    solution.resize(r.size());
    const auto of_class = [&](auto& v, std::size_t k) {  // the unknowns of one class
      return Eigen::Map<std::conditional_t<std::is_const_v<std::remove_reference_t<decltype(v)>>, const Eigen::VectorXd,
                                           Eigen::VectorXd>,
                        0, Eigen::InnerStride<>>(v.data() + k, static_cast<Eigen::Index>(features_),
                                                 Eigen::InnerStride<>(static_cast<Eigen::Index>(classes_)));
    };
    for (std::size_t k = 0; k < classes_; ++k) of_class(solution, k) = factors_[k].solve(of_class(r, k));
  }
  center_classes(solution.data(), features_, classes_);
}

}  // namespace seesaw
