#include "model/rigorous/definite.h"

#include <cmath>

#include "base/cancel.h"
#include "base/parallel.h"
#include "base/stop.h"
#include "kernels/table.h"

namespace seesaw::rigorous {

double Symmetric::trace() const {
  double sum = 0;
  for (std::size_t j = 0; j < d; ++j) sum += at[j * d + j];
  return sum;
}

void Symmetric::multiply(const std::vector<double>& v, std::vector<double>& to) const {
  to.assign(d, 0.0);
  for (std::size_t j = 0; j < d; ++j) {
    const double* const row = &at[j * d];
    double sum = row[j] * v[j];
    for (std::size_t k = 0; k < j; ++k) {
      sum += row[k] * v[k];
      to[k] += row[k] * v[j];
    }
    to[j] += sum;
  }
}

// Column by column; the entries below the diagonal side by side.
bool factor(Symmetric& matrix, double shift) {
  const std::size_t d = matrix.d;
  double* const at = matrix.at.data();
  const auto& dot = kernels().dot_double;
  const CancelPoll poll;
  StopPoll stop(static_cast<double>(d) * static_cast<double>(d) / 6);  // the mean of a column
  for (std::size_t k = 0; k < d; ++k) {
    poll();
    if (stop.requested()) return false;
    double* const pivot_row = at + k * d;
    const double pivot = (pivot_row[k] - shift) - dot(pivot_row, pivot_row, k);
    if (!(pivot > 0) || !std::isfinite(pivot)) return false;
    const double root = std::sqrt(pivot);
    pivot_row[k] = root;
    const std::size_t below = d - k - 1, grain = 32768 / (k + 1) + 16;
    parallel_chunks(chunks_of(below, grain, 8), [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t j = k + 1 + begin; j < k + 1 + end; ++j)
        at[j * d + k] = (at[j * d + k] - dot(at + j * d, pivot_row, k)) / root;
    });
  }
  return true;
}

void solve(const Symmetric& factor, std::vector<double>& v) {
  const std::size_t d = factor.d;
  for (std::size_t j = 0; j < d; ++j)
    v[j] = (v[j] - kernels().dot_double(&factor.at[j * d], v.data(), j)) / factor.at[j * d + j];
  for (std::size_t j = d; j-- > 0;) {
    v[j] /= factor.at[j * d + j];
    kernels().add_double(v.data(), -v[j], &factor.at[j * d], j);
  }
}

double smallest_eigenvalue(const Symmetric& factor) {
  std::vector<double> v(factor.d);
  for (std::size_t j = 0; j < v.size(); ++j) v[j] = j % 3 == 0 ? 1.0 : j % 3 == 1 ? -0.7 : 0.4;
  double norm = 1;
  for (int round = 0; round < 20; ++round) {
    solve(factor, v);
    norm = std::sqrt(kernels().dot_double(v.data(), v.data(), v.size()));
    for (double& vj : v) vj /= norm;
  }
  return 1 / norm;
}

}  // namespace seesaw::rigorous
