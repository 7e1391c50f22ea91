#include "solvers/parts/steps/spectral_norm.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "base/rng.h"
#include "base/stop.h"
#include "base/tree_sum.h"

namespace seesaw {
namespace {

using Vector = Eigen::VectorXd;

// A^T C A v; the intercept's column is the last one.
class Gram {
 public:
  Gram(const Problem& problem, double bias_entry) : problem_(problem), t_(bias_entry), z_(problem.n()) {}

  Vector operator*(const Vector& v) {
    const auto d = static_cast<Eigen::Index>(problem_.d());
    Vector result(d + 1);
    multiply(problem_.data->rows, v.data(), z_.data());
    const auto sum = tree_sum<double>(problem_.leaves(), [&](std::size_t begin, std::size_t end) {
      double part = 0;
      for (std::size_t i = begin; i < end; ++i) part += z_[i] = problem_.normalized_weight[i] * (z_[i] + t_ * v[d]);
      return part;
    });
    multiply_transposed(problem_.data->rows, z_.data(), result.data());
    result[d] = t_ * sum;
    return result;
  }

 private:
  const Problem& problem_;
  double t_;
  std::vector<double> z_;
};

}  // namespace

// The largest eigenvalue of the tridiagonal matrix (alpha, beta) of k steps is a lower bound that increases with k. It
// has converged when its residual beta |last component of its eigenvector| is small. A small residual alone only shows
// that some eigenvalue is close (many equal eigenvalues and one larger: the first step finds the former), hence a
// minimum number of steps.
double spectral_norm(const Problem& problem, double bias_entry) {
  constexpr Eigen::Index least = 12, most = 300;
  constexpr double settled = 1e-3, margin = 1.01;
  Gram gram(problem, bias_entry);
  Rng rng(1);
  Vector v(static_cast<Eigen::Index>(problem.d()) + 1), before = Vector::Zero(v.size());
  for (double& entry : v) entry = rng.normal();
  if (bias_entry == 0) v[v.size() - 1] = 0;
  v.normalize();

  Vector alpha(most), beta(most);
  double largest = 0;
  for (Eigen::Index k = 0; k < most; ++k) {
    Vector next = gram * v;
    if (k > 0) next -= beta[k - 1] * before;
    alpha[k] = next.dot(v);
    next -= alpha[k] * v;
    beta[k] = next.norm();
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(alpha.head(k + 1), beta.head(k));
    largest = solver.eigenvalues()[k];
    if (!(beta[k] > 1e-12 * largest)) break;  // the Krylov space is exhausted
    if (stop_requested()) break;
    if (k + 1 >= least && !(beta[k] * std::abs(solver.eigenvectors()(k, k)) > settled * largest)) break;
    before = v;
    v = next / beta[k];
  }
  return margin * std::sqrt(std::max(largest, 0.0));
}

}  // namespace seesaw
