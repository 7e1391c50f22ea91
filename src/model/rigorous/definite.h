// Whether a symmetric matrix is positive definite, proved by a Cholesky factorization in doubles that succeeds (Rump,
// Verification of positive definiteness, 2006): with factor L it is exact for a matrix that differs by at most
// gamma_{d+2} |L||L|^T, of norm at most 2 (d + 4) u trace.
#pragma once

#include <cstddef>
#include <vector>

namespace seesaw::rigorous {

// The lower triangle by rows: entry (j, k), k <= j, is at[j d + k].
struct Symmetric {
  std::size_t d = 0;
  std::vector<double> at;
  double trace() const;
  // to = this v, in order
  void multiply(const std::vector<double>& v, std::vector<double>& to) const;
};

// L of matrix - shift I in place; false: not proved positive definite in doubles, or a request to stop.
bool factor(Symmetric& matrix, double shift);
void solve(const Symmetric& factor, std::vector<double>& v);

// An estimate of the smallest eigenvalue from L, by inverse iteration: at least the truth, but for rounding.
double smallest_eigenvalue(const Symmetric& factor);

}  // namespace seesaw::rigorous
