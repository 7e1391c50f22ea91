// Symmetric matrices of doubles and their Cholesky factors, by rows of the lower triangle, packed.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "base/cancel.h"
#include "base/parallel.h"
#include "verify/ball.h"

namespace seesaw::verifier {

inline double plain_dot(const double* a, const double* b, std::size_t size) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t k = 0;
  for (; k + 4 <= size; k += 4) {
    s0 += a[k] * b[k];
    s1 += a[k + 1] * b[k + 1];
    s2 += a[k + 2] * b[k + 2];
    s3 += a[k + 3] * b[k + 3];
  }
  for (; k < size; ++k) s0 += a[k] * b[k];
  return (s0 + s1) + (s2 + s3);
}
inline double length_of(const std::vector<double>& v) { return std::sqrt(plain_dot(v.data(), v.data(), v.size())); }

struct Triangle {
  explicit Triangle(std::size_t size) : d(size), entries(size * (size + 1) / 2) {}
  double* row(std::size_t j) { return entries.data() + j * (j + 1) / 2; }
  const double* row(std::size_t j) const { return entries.data() + j * (j + 1) / 2; }

  double trace() const {
    double sum = 0;
    for (std::size_t j = 0; j < d; ++j) sum += row(j)[j];
    return sum;
  }

  std::vector<double> times(const std::vector<double>& v) const {
    std::vector<double> to(d);
    for (std::size_t j = 0; j < d; ++j) {
      const double* const a = row(j);
      to[j] += plain_dot(a, v.data(), j + 1);
      for (std::size_t k = 0; k < j; ++k) to[k] += a[k] * v[j];
    }
    return to;
  }

  // Replaces this matrix by the Cholesky factor of (matrix - shift I). If it succeeds, the smallest eigenvalue of the
  // matrix is at least shift - 2 (d + 4) u trace (Rump 2006).
  bool factor(double shift) {
    const CancelPoll poll;
    for (std::size_t k = 0; k < d; ++k) {
      poll();
      double* const top = row(k);
      const double square = (top[k] - shift) - plain_dot(top, top, k);
      if (!(square > 0 && square < inf)) return false;
      top[k] = std::sqrt(square);
      parallel_chunks(chunks_of(d - k - 1, 65536 / (k + 1) + 8, 4),
                      [&](std::size_t, std::size_t begin, std::size_t end) {
                        for (std::size_t j = k + 1 + begin; j < k + 1 + end; ++j) {
                          double* const a = row(j);
                          a[k] = (a[k] - plain_dot(a, top, k)) / top[k];
                        }
                      });
    }
    return true;
  }

  // Precondition: this is a factor L.  v <- (L L^T)^-1 v.
  void solve(std::vector<double>& v) const {
    for (std::size_t j = 0; j < d; ++j) v[j] = (v[j] - plain_dot(row(j), v.data(), j)) / row(j)[j];
    for (std::size_t j = d; j-- > 0;) {
      v[j] /= row(j)[j];
      for (std::size_t k = 0; k < j; ++k) v[k] -= row(j)[k] * v[j];
    }
  }

  std::size_t d;
  std::vector<double> entries;
};

}  // namespace seesaw::verifier
