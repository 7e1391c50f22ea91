// Shrinking (Hsieh et al. 2008): rows that sit on an end of their domain, pulled outwards harder than any row was
// pulled inwards during the last pass, are left alone. When the rest is solved to a tolerance, all rows return and the
// tolerance falls. It changes which rows are visited, never what is certified: gaps are computed over all rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "base/scalar.h"

namespace seesaw {

class Shrinking {
 public:
  explicit Shrinking(std::vector<std::uint32_t> rows) : rows_(std::move(rows)), active_(rows_.size()) {}

  // The rows of the next pass in a fresh random order.
  std::span<std::uint32_t> next_pass(Rng& rng) {
    const std::span<std::uint32_t> order(rows_.data(), active_);
    rng.shuffle(order);
    kept_ = 0;
    strongest_ = 0;
    return order;
  }

  // Told of the row at `position` of the pass, in order: may it be left alone? Otherwise it stays for the next pass.
  bool leaves(std::size_t position, double violation, double margin) {
    if (margin > threshold_) return true;
    strongest_ = std::max(strongest_, std::abs(violation));
    std::swap(rows_[kept_++], rows_[position]);
    return false;
  }

  void end_pass() {
    active_ = kept_;
    threshold_ = strongest_ > 0 ? strongest_ : infinity;
    if (tolerance_ == 0) tolerance_ = 0.1 * strongest_;
    if (strongest_ > tolerance_) return;
    tolerance_ *= 0.3;
    if (active_ < rows_.size()) visit_all();  // the active rows are solved: look at all of them again
  }

  std::size_t active() const { return active_; }

  void visit_all() {
    active_ = rows_.size();
    threshold_ = infinity;
  }

 private:
  std::vector<std::uint32_t> rows_;  // the first active_ are visited
  std::size_t active_;
  std::size_t kept_ = 0;
  double strongest_ = 0;         // largest violation of this pass
  double threshold_ = infinity;  // of the last pass
  double tolerance_ = 0;
};

}  // namespace seesaw
