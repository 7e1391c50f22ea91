// The rows that a pass of dual ascent visits, and an estimate of the gap from the terms c_i [phi + phi* - y z] of the
// visited rows.
//
// Shrinking (after Hsieh et al. 2008): a dual variable at a bound whose gradient points out of the domain by more than a
// threshold is skipped. The threshold is a part of the largest violation of the last pass. Which rows are skipped is
// decided at their visits and by scans. A scan (row_scan.h) computes the scores of all rows that may not be skipped, in
// their order, at one x; it takes at most a quarter to a half of the time of a pass, since neither the rows nor their
// coordinates are in random order. It follows the first pass if many dual variables are at a bound, and a pass over active rows
//   - whose terms have fallen to a tenth of the gap of all rows, or to a part of the tolerance;
//   - after visits of one pass, if the free intercept has moved by more than the least margin of a skipped row: the
//     active rows alone may not be able to balance y, and then each pass over them moves the intercept further;
//   - after visits of eight passes.
// Shrinking changes which rows are visited, not what is certified: gaps are computed over all rows.
//
// The estimate: after a scan the gap itself. After a pass over all rows the sum of their terms, each before its step; if
// these sums fall by a factor r per pass, the gap after the pass is about r log(1/r)/(1 - r) of the last one (the mean of
// r^t over the pass is (1 - r)/log(1/r); measured: mostly 0.47 to 0.78 of that for r below 0.15). After a pass over some rows
// the terms of these, above the tolerance: a check follows a scan.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/archive.h"
#include "base/elementary.h"
#include "base/rng.h"
#include "base/scalar.h"
#include "solvers/solver.h"

namespace seesaw {

// Sums over the visited rows.
struct RowSums {
  double gap = 0;            // of c_i [phi + phi* - y z], 0 for a dual variable that is optimal at its bound
  double primal = 0;         // of c_i [phi - y z/2]: P for an l2 penalty, where x = grad g*(v); of a scan P
  double violation = 0;      // the largest
  std::size_t at_bound = 0;  // after their steps, of the rows that were not skipped
  std::size_t entries = 0;   // that a scan used

  RowSums& operator+=(const RowSums& other) {
    gap += other.gap;
    primal += other.primal;
    violation = std::max(violation, other.violation);
    at_bound += other.at_bound;
    entries += other.entries;
    return *this;
  }
  RowSums times(double factor) const { return {factor * gap, factor * primal, violation, at_bound, entries}; }
};

class ActiveRows {
 public:
  // `tolerance`: the relative gap at which a run ends, if it ends by that. Rows are skipped where at least `many` of them,
  // as a fraction, are at a bound.
  ActiveRows(std::vector<std::uint32_t> rows, bool shrinks, double tolerance, double many = 0.5)
      : rows_(std::move(rows)), active_(rows_.size()), shrinks_(shrinks), many_(many), tolerance_(tolerance) {}

  // The active rows in a new random order.
  std::span<std::uint32_t> next_pass(Rng& rng) {
    const std::span<std::uint32_t> order(rows_.data(), active_);
    rng.shuffle(order);
    kept_ = 0;
    return order;
  }

  // Whether a row with this margin is skipped, and for the other positions of the pass, in order: it stays active.
  bool skips(double margin) const { return margin > threshold_; }
  void keep(std::size_t position) { std::swap(rows_[kept_++], rows_[position]); }

  // After a pass, with its last intercept; the rows that were not kept are skipped from now on.
  void end_pass(const RowSums& sums, double intercept) {
    const bool all = active_ == rows_.size();
    if (all) skip_from(intercept, infinity);
    if (kept_ < active_) least_margin_ = std::min(least_margin_, threshold_);
    scan_is_due_ = false;
    visited_ += active_;
    if (all) {
      estimate_ = sums.gap * decay(sums.gap / last_pass_);
      last_pass_ = sums.gap;
      if (kept_ == rows_.size() || !shrinks_) primal_ = sums.primal;
      many_at_bound_ =
          static_cast<double>(sums.at_bound + rows_.size() - kept_) >= many_ * static_cast<double>(rows_.size());
    } else {
      last_pass_ = infinity;
      estimate_ = std::max(sums.gap, 1.05 * target());
    }
    estimate_of_all_ = all;
    if (!shrinks_ || (all && !many_at_bound_)) {
      threshold_ = infinity;
      return visit(rows_.size());
    }
    threshold_ = sums.violation > 0 ? part_of_violation * sums.violation : infinity;
    visit(kept_);
    const bool amortized = 4 * visited_ >= rows_.size() && sums.gap <= fraction_solved * scanned_gap_;
    const bool overdue = active_ < rows_.size() && visited_ >= longest * rows_.size();
    const bool moved =
        active_ < rows_.size() && visited_ >= rows_.size() && std::abs(intercept - skipped_at_) > least_margin_;
    scan_is_due_ = amortized || overdue || moved || (active_ < rows_.size() && sums.gap <= part_of_target * target());
  }

  bool scan_is_due() const { return scan_is_due_; }

  // After a scan of `all`, the rows in ascending order. skipped[i]: whether the margin of row i is above the threshold.
  void end_scan(std::span<const std::uint32_t> all, std::span<const unsigned char> skipped, const RowSums& sums,
                double intercept) {
    skip_from(intercept, threshold_);
    scan_is_due_ = false;
    visited_ = 0;
    estimate_ = scanned_gap_ = sums.gap;
    estimate_of_all_ = true;
    primal_ = sums.primal;
    last_pass_ = infinity;
    std::size_t kept = 0, end = rows_.size();
    for (const std::uint32_t i : all) rows_[skipped[i] != 0 ? --end : kept++] = i;
    if (kept == 0) threshold_ = infinity;
    visit(kept > 0 ? kept : rows_.size());
  }

  std::size_t active() const { return active_; }
  bool shrinks() const { return shrinks_; }
  double threshold() const { return threshold_; }

  void visit_all() {
    visit(rows_.size());
    threshold_ = last_pass_ = estimate_ = infinity;
    scan_is_due_ = false;
  }

  // The gap that a check would find, in terms of its target, which is that of the last check: the tolerance times P.
  double estimated_gap() const { return factor_ * estimate_ / primal_fallen(); }
  // The target / that gap: the factor by which it must still fall, 0 where neither is known.
  double remaining() const { return std::isfinite(estimate_) && estimate_ > 0 ? target_ / estimated_gap() : 0; }
  // Of the point that is checked next.
  void on_read() { estimate_at_read_ = estimate_of_all_ ? estimate_ : infinity; }
  void on_check(const Checked& checked) {
    checked_primal_ = checked.target <= 1.001 * tolerance_ * checked.primal ? checked.primal : infinity;
    target_ = checked.target;
    if (std::isfinite(estimate_at_read_) && estimate_at_read_ > 0)
      factor_ = std::clamp(checked.gap / estimate_at_read_, 1.0, 100.0);
  }

  void serialize(Archive& archive) {
    archive.array("order", rows_);
    archive.numbers("active", active_, visited_, threshold_, scanned_gap_, last_pass_, estimate_, primal_,
                    estimate_at_read_, checked_primal_, target_, factor_, many_at_bound_, estimate_of_all_, skipped_at_,
                    least_margin_);
  }

 private:
  static constexpr double fraction_solved = 0.1, part_of_target = 0.3;
  static constexpr double part_of_violation = 0.2;
  static constexpr std::size_t longest = 8;  // passes without a scan

  static double decay(double ratio) {
    return ratio > 1e-6 && ratio < 0.999 ? 0.65 * ratio * log_of(1 / ratio) / (1 - ratio) : 1;
  }
  void visit(std::size_t rows) { active_ = rows; }
  void skip_from(double intercept, double least_margin) {
    skipped_at_ = intercept;
    least_margin_ = least_margin;
  }
  // P now / P of the last check, which a relative tolerance is multiplied by.
  double primal_fallen() const {
    return std::isfinite(checked_primal_) && primal_ > 0 ? std::clamp(primal_ / checked_primal_, 1e-3, 1.0) : 1;
  }
  double target() const { return target_ * primal_fallen() / factor_; }

  std::vector<std::uint32_t> rows_;  // the first active_ are visited
  std::size_t active_, kept_ = 0;
  std::size_t visited_ = 0;  // since the last scan
  bool shrinks_, many_at_bound_ = true, scan_is_due_ = false;
  double many_;
  double threshold_ = infinity;
  double skipped_at_ = 0;           // the intercept when the first of the skipped rows was skipped
  double least_margin_ = infinity;  // of the skipped rows, at least
  double tolerance_;
  double scanned_gap_ = infinity;  // of the last scan
  double last_pass_ = infinity;    // sums.gap, if it was over all rows
  double estimate_ = infinity, primal_ = 0;
  bool estimate_of_all_ = false;  // rows
  double estimate_at_read_ = infinity, checked_primal_ = infinity, target_ = 0, factor_ = 1;
};

}  // namespace seesaw
