// Shrinking (Hsieh et al. 2008): dual variables at a bound whose gradient points out of the domain by more than the
// largest violation of the last pass are skipped. When the active rows are solved to a tolerance, all rows become active
// again and the tolerance is reduced. Shrinking changes which rows are visited, not what is certified: gaps are computed
// over all rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/archive.h"
#include "base/rng.h"
#include "base/scalar.h"

namespace seesaw {

class Shrinking {
 public:
  explicit Shrinking(std::vector<std::uint32_t> rows) : rows_(std::move(rows)), active_(rows_.size()) {}

  // The active rows in a new random order.
  std::span<std::uint32_t> next_pass(Rng& rng) {
    const std::span<std::uint32_t> order(rows_.data(), active_);
    rng.shuffle(order);
    kept_ = 0;
    largest_violation_ = 0;
    return order;
  }

  // Called for the positions of the pass in order. True: the row is skipped from now on. False: it stays active.
  bool shrinks(std::size_t position, double violation, double margin) {
    if (margin > threshold_) return true;
    largest_violation_ = std::max(largest_violation_, std::abs(violation));
    std::swap(rows_[kept_++], rows_[position]);
    return false;
  }

  // The same for a pass that is not visited in the order of its positions: whether a row with this margin is skipped, and
  // afterwards all skipped positions and the largest violation of the others.
  bool skips(double margin) const { return margin > threshold_; }
  void end_pass(std::span<const unsigned char> skipped, double largest_violation) {
    for (std::size_t position = 0; position < skipped.size(); ++position)
      if (skipped[position] == 0) std::swap(rows_[kept_++], rows_[position]);
    largest_violation_ = largest_violation;
    end_pass();
  }

  void end_pass() {
    active_ = kept_;
    threshold_ = largest_violation_ > 0 ? largest_violation_ : infinity;
    if (tolerance_ == 0) tolerance_ = 0.1 * largest_violation_;
    if (largest_violation_ > tolerance_) return;
    tolerance_ *= 0.3;
    if (active_ < rows_.size()) visit_all();  // the active rows are solved: visit all rows again
  }

  std::size_t active() const { return active_; }

  void visit_all() {
    active_ = rows_.size();
    threshold_ = infinity;
  }

  void serialize(Archive& archive) {
    archive.array("order", rows_);
    archive.numbers("shrinking", active_, threshold_, tolerance_);
  }

 private:
  std::vector<std::uint32_t> rows_;  // the first active_ are visited
  std::size_t active_;
  std::size_t kept_ = 0;
  double largest_violation_ = 0;  // of this pass
  double threshold_ = infinity;   // of the last pass
  double tolerance_ = 0;
};

}  // namespace seesaw
