// Compensated summation: the error of a sum of n terms is a few ulp of the result plus n eps^2 of the absolute sum,
// instead of n eps. Order still matters for the last bit, so parallel sums add fixed chunks in order.
#pragma once

namespace seesaw {

class CompensatedSum {
 public:
  CompensatedSum& operator+=(double term) {
    const double sum = sum_ + term;
    const double moved = sum - sum_;                    // what of `term` arrived
    carry_ += (sum_ - (sum - moved)) + (term - moved);  // what the rounding lost, exactly (Knuth's two-sum: no branch)
    sum_ = sum;
    return *this;
  }
  CompensatedSum& operator+=(const CompensatedSum& other) {
    *this += other.sum_;
    carry_ += other.carry_;
    return *this;
  }
  double value() const { return sum_ + carry_; }

 private:
  double sum_ = 0;
  double carry_ = 0;
};

}  // namespace seesaw
