#include "kernels/dense_eigen.h"

#include <Eigen/Cholesky>

namespace seesaw::bench {
namespace {

Eigen::Map<Eigen::MatrixXd> square(double* a, std::size_t size) {
  return {a, static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size)};
}

}  // namespace

void eigen_gram(const double* w, std::size_t size, std::size_t depth, double* h) {
  const Eigen::Map<const Eigen::MatrixXd> rows(w, static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(depth));
  square(h, size).selfadjointView<Eigen::Lower>().rankUpdate(rows);
}

bool eigen_cholesky(double* a, std::size_t size) {
  Eigen::Map<Eigen::MatrixXd> matrix = square(a, size);
  return Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>>(matrix).info() == Eigen::Success;
}

}  // namespace seesaw::bench
