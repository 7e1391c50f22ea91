#include "model/rigorous/softmax_intercepts.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/elementary.h"
#include "base/tree_sum.h"
#include "model/rigorous/definite.h"

namespace seesaw::rigorous {
namespace {

constexpr std::size_t most_classes = 200;         // K^2 numbers per leaf
constexpr double root_two = 0x1.6a09e667f3bcep0;  // from above
constexpr double wide = 1 + 0x1p-20;              // above the roundings of 2^32 terms
constexpr double lowered = 0.995;                 // the eigenvalue, until it is proved
constexpr double claimed = 0.98;                  // of what is proved: the verifier finds its own bound

// Sums weighted by s_i, in one array: the gradient (K), the Hessian (K x K: the lower triangle by rows), and
struct Places {
  std::size_t K;
  std::size_t hessian() const { return K; }
  std::size_t size() const { return K + K * K; }       // sum of s_i times the error of p_i, from above
  std::size_t moved() const { return K + K * K + 1; }  // the second term of G
  std::size_t count() const { return K + K * K + 2; }
};

// p of one row, and a bound of the error of each entry. Scores within `error` change p by at most a factor
// e^(2 error), the functions lose less than 2^-45 relative, and what underflows is below 2^-1000.
double probabilities(const Bounded<double>* z, std::size_t K, std::vector<double>& p) {
  double largest = z[0].value, error = 0, sum = 0;
  for (std::size_t k = 0; k < K; ++k) {
    largest = std::max(largest, z[k].value);
    error = std::max(error, widened(z[k].error));
  }
  for (std::size_t k = 0; k < K; ++k) sum += p[k] = exp_of(z[k].value - largest);
  for (std::size_t k = 0; k < K; ++k) p[k] /= sum;
  // fl(z_k - largest) is off by 2^-53 of its size, which is below 746 where e^ counts: 2^-43.
  return (error < 0.25 ? 4 * error : 1) + 0x1p-40 + 0x1p-50 * static_cast<double>(K);
}

// A number that the smallest eigenvalue exceeds, up to the error of the factor; close to it.
// The estimate is from above, and too large where other eigenvalues are close.
std::optional<double> proved_eigenvalue(const Symmetric& matrix) {
  constexpr int most_tries = 300;
  Symmetric trial = matrix;
  if (!factor(trial, 0)) return std::nullopt;
  double least = lowered * smallest_eigenvalue(trial);
  for (int tries = 0; tries < most_tries; ++tries, least *= lowered) {
    trial = matrix;
    if (factor(trial, least)) return least;
  }
  return std::nullopt;
}

}  // namespace

double softmax_intercept_reach(const Problem& problem, const RowWeights& weights, const Bounded<Twofold>& total,
                               const std::vector<Bounded<double>>& scores, const std::vector<double>& reach) {
  const std::size_t K = problem.outputs();
  if (K > most_classes) return infinity;
  const std::vector<std::uint32_t>& class_of_row = problem.block().class_of_row;
  const Places at{K};
  std::vector<double> sums(at.count());
  const Leaves groups = problem.leaves().grouped(problem.all_rows() / std::max<std::size_t>(1024, 4 * at.count()));
  tree_sum(groups, at.count(), sums.data(), [&](std::size_t begin, std::size_t end, double* part) {
    double* const h = part + at.hessian();
    std::vector<double> p(K);
    for (std::size_t i = begin; i < end; ++i) {
      const double s = weights.exact(i).high;
      const double error = probabilities(&scores[i * K], K, p);
      double spread = 1;  // 1 - |p|^2
      for (std::size_t k = 0; k < K; ++k) spread -= p[k] * p[k];
      const double range = root_two * reach[i] * wide;
      const double growth = exp_of(range) * wide, shrink = exp_of(-range) / wide;
      const double most = std::min(0.5, (std::max(spread, 0.0) + 2 * error) * growth);
      part[at.moved()] += s * most * reach[i];
      part[at.size()] += s * error;
      for (std::size_t k = 0; k < K; ++k) {
        part[k] += s * (k == class_of_row[i] ? p[k] - 1 : p[k]);
        const double scaled = s * shrink * p[k];
        h[k * K + k] += scaled;
        for (std::size_t l = 0; l <= k; ++l) h[k * K + l] -= scaled * p[l];
      }
    }
  });
  // Of a sum over n rows of terms of size s_i: n u + the error of p, with a row's entries off by at most 3 `size`.
  const double T = total.value.high, n = static_cast<double>(problem.all_rows());
  const double rounding_error = (sums[at.size()] / T + (n + 8) * unit) * wide * 4;
  double gradient = 0;
  for (std::size_t k = 0; k < K; ++k) gradient += sums[k] / T * (sums[k] / T);
  const double G =
      (std::sqrt(gradient * wide) + rounding_error * std::sqrt(static_cast<double>(K)) + sums[at.moved()] / T) *
      (1 + 0x1p-18);
  if (!std::isfinite(G)) return infinity;

  // H + J for J = (1, ..., 1)^T (1, ..., 1): the eigenvectors of H beside (1, ..., 1) keep their eigenvalues.
  Symmetric matrix{K,
                   {sums.begin() + static_cast<std::ptrdiff_t>(at.hessian()),
                    sums.begin() + static_cast<std::ptrdiff_t>(at.size())}};
  for (std::size_t k = 0; k < K; ++k)
    for (std::size_t l = 0; l <= k; ++l) matrix.at[k * K + l] = matrix.at[k * K + l] / T + 1;
  const double entries = (rounding_error + 0x1p-50) * static_cast<double>(K);         // of the Frobenius norm
  const double factoring = 4 * (static_cast<double>(K) + 4) * unit * matrix.trace();  // of the Cholesky factor
  const std::optional<double> least = proved_eigenvalue(matrix);
  if (!least) return infinity;
  const double mu = claimed * *least - entries - factoring;
  if (!(mu > 0)) return infinity;

  const double q = root_two * G / mu * wide;
  if (!(q < 0.999)) return infinity;
  return -log1p_of(-q) / root_two * wide * (1 + 0x1p-18);
}

}  // namespace seesaw::rigorous
