// Dense Gram matrices (blocks of 256 rows) and Cholesky factors by our kernels, against Eigen compiled for AVX2 and
// FMA, in the same run. Runs alternate; the minimum of each is reported. Goal: a ratio of at most 1.15.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <vector>

#include "kernels/dense.h"
#include "kernels/dense_eigen.h"

namespace {

using namespace seesaw;

constexpr std::size_t depth = 256;

double random_number(std::uint64_t& state) {  // in [-1/2, 1/2)
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
}

template <class Work>
double seconds(std::size_t repeats, const Work& work) {  // CPU seconds: other processes do not count
  const std::clock_t from = std::clock();
  for (std::size_t k = 0; k < repeats; ++k) work();
  return static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC / static_cast<double>(repeats);
}

template <class Ours, class Theirs>
void report(const char* what, std::size_t size, double operations, const Ours& ours, const Theirs& theirs) {
  const auto repeats = static_cast<std::size_t>(std::max(1.0, 1e8 / operations));
  double us = 1e9, them = 1e9;
  for (int round = 0; round < 9; ++round) {
    us = std::min(us, seconds(repeats, ours));
    them = std::min(them, seconds(repeats, theirs));
  }
  std::printf("%-10s %6zu %10.1f %10.1f %8.2f\n", what, size, 1e-9 * operations / us, 1e-9 * operations / them,
              us / them);
}

}  // namespace

int main() {
  if (isa_in_use() == Isa::baseline) {
    std::printf("dense kernels against Eigen: skipped, the level in use is baseline\n");
    return 0;
  }
  std::printf("dense kernels (%s) against Eigen (AVX2 and FMA), 1e9 operations per second, and the ratio of times\n",
              name_of(isa_in_use()));
  std::printf("%-10s %6s %10s %10s %8s\n", "", "size", "ours", "Eigen", "ratio");
  std::uint64_t state = 1;
  for (const std::size_t size : {54, 123, 300, 500, 784, 1500}) {
    std::vector<double> w(size * depth), h(size * size), h_of_eigen(size * size);
    for (double& number : w) number = random_number(state);
    const double n = static_cast<double>(size);
    report(
        "Gram", size, n * n * depth, [&] { add_gram(w.data(), size, depth, h.data(), size); },
        [&] { bench::eigen_gram(w.data(), size, depth, h_of_eigen.data()); });
    for (std::size_t j = 0; j < size; ++j) h[j + j * size] += n;
    std::vector<double> ours(h.size()), theirs(h.size());
    bool factored = true;
    report(
        "Cholesky", size, n * n * n / 3,
        [&] {
          std::copy(h.begin(), h.end(), ours.begin());
          factored &= factor_cholesky(ours.data(), size);
        },
        [&] {
          std::copy(h.begin(), h.end(), theirs.begin());
          factored &= bench::eigen_cholesky(theirs.data(), size);
        });
    if (!factored) std::printf("a matrix was not positive definite\n");
  }
}
