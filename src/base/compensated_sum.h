// Compensated summation: the error of a sum of n terms is a few ulp of the result plus n eps^2 sum |t_i|, instead of
// n eps sum |t_i|. The last bit still depends on the order, so parallel sums add fixed chunks in order.
#pragma once

#include <array>
#include <cstddef>

#include "kernels/at_level.h"

namespace seesaw {

class CompensatedSum {
 public:
  [[gnu::always_inline]] CompensatedSum& operator+=(double term) {
    const double sum = sum_ + term;
    const double moved = sum - sum_;                    // the part of `term` that was added
    carry_ += (sum_ - (sum - moved)) + (term - moved);  // the rounding error, exactly (Knuth's two-sum: no branch)
    sum_ = sum;
    return *this;
  }
  [[gnu::always_inline]] CompensatedSum& operator+=(const CompensatedSum& other) {
    *this += other.sum_;
    carry_ += other.carry_;
    return *this;
  }
  double value() const { return sum_ + carry_; }

  CompensatedSum() = default;
  CompensatedSum(double sum, double carry) : sum_(sum), carry_(carry) {}

 private:
  double sum_ = 0;
  double carry_ = 0;
};

template <std::size_t count>
std::array<CompensatedSum, count>& operator+=(std::array<CompensatedSum, count>& sums,
                                              const std::array<CompensatedSum, count>& others) {
  for (std::size_t k = 0; k < count; ++k) sums[k] += others[k];
  return sums;
}

// Sums of terms(i), an array of `count` numbers, over begin <= i < end, in eight lanes (i mod 8), so that loops without
// branches are vectorized; the order is the same on every machine.
template <std::size_t count, class Terms>
[[gnu::always_inline]] inline std::array<CompensatedSum, count> sum_in_lanes_here(std::size_t begin, std::size_t end,
                                                                                  const Terms& terms) {
  constexpr std::size_t lanes = 8;
  double sum[count][lanes] = {}, carry[count][lanes] = {}, term[count][lanes] = {};
  const auto add = [&]() __attribute__((always_inline)) {
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const double before = sum[k][lane], after = before + term[k][lane], moved = after - before;
        carry[k][lane] += (before - (after - moved)) + (term[k][lane] - moved);
        sum[k][lane] = after;
      }
  };
  for (; begin + lanes <= end; begin += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::array<double, count> row = terms(begin + lane);
      for (std::size_t k = 0; k < count; ++k) term[k][lane] = row[k];
    }
    add();
  }
  if (begin < end) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::array<double, count> row = begin + lane < end ? terms(begin + lane) : std::array<double, count>{};
      for (std::size_t k = 0; k < count; ++k) term[k][lane] = row[k];
    }
    add();
  }
  std::array<CompensatedSum, count> total;
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t lane = 0; lane < lanes; ++lane) total[k] += CompensatedSum(sum[k][lane], carry[k][lane]);
  return total;
}

// The same, compiled for the instruction set in use.
template <std::size_t count, class Terms>
std::array<CompensatedSum, count> sum_in_lanes(std::size_t begin, std::size_t end, const Terms& terms) {
  return at_level([&]() __attribute__((always_inline)) { return sum_in_lanes_here<count>(begin, end, terms); });
}

}  // namespace seesaw
