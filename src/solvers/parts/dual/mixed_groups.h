// Passes over rows that are larger than memory, by randomly mixed groups of rows with local passes (block minimization:
// Yu, Hsieh, Chang and Lin 2010, with groups that are drawn anew in every sweep).
//
// The rows are cut into contiguous pieces of about equal numbers of entries. A sweep draws a random order of the pieces
// and takes them in N groups. Round r visits the rows of the groups r - 2, r - 1 and r in random order while group r + 1
// is read: every row has three visits per sweep, in three consecutive rounds among different rows, and every piece is
// read once. Memory: four of N groups.
//
// Nonsmooth losses: a row whose dual variable is at a bound, with a margin above the largest violation of the last sweep,
// is not visited again in the same sweep.
//
// Pieces, groups and their order depend on the rows, N and the seed; not on what is in memory. For rows in memory the
// draws are the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "base/archive.h"
#include "base/rng.h"
#include "base/scalar.h"
#include "data/resident.h"

namespace seesaw {

inline constexpr int visits_per_sweep = 3;
inline constexpr std::size_t groups_in_memory = visits_per_sweep + 1;

// How the entries are cut for N groups.
struct GroupPlan {
  std::size_t piece_entries, pieces, pieces_per_group;

  GroupPlan(std::size_t entries, std::size_t groups);
  // The most extents that are resident at the same time.
  std::size_t extents(std::size_t longest_row) const;
};

// The least power of 2, from 8 to 256, for which four groups fit into the memory that the command line leaves for the rows
// (ExtentBudget::nominal); 0: none fits. It depends on the size of the data and the option alone.
std::size_t groups_within_memory(const Extents& extents);

// Saves the number of groups, 0 for passes over all rows. Throws Error for a run that was saved with another one.
void serialize_groups(Archive& archive, std::size_t groups);

class MixedGroups {
 public:
  // to_visit: rows, ascending.
  MixedGroups(const Rows& rows, std::size_t groups, std::span<const std::uint32_t> to_visit);

  // One sweep; visit(order): false if it was stopped, which ends the sweep.
  template <class RowStorage, class Visit>
  bool sweep(const RowStorage& rows, Rng& rng, const Visit& visit) {
    begin_sweep(rng);
    Extents* const extents = extents_of(rows);
    std::deque<std::vector<std::unique_ptr<Hold>>> held;  // of the groups in use
    const std::size_t groups = (order_.size() + per_group_ - 1) / per_group_;
    for (std::size_t round = 0; round + 2 < groups + groups_in_memory; ++round) {
      if (extents != nullptr) {
        if (round + 1 >= groups_in_memory) held.pop_front();
        held.push_back(hold(rows, extents, round));
        for (const std::size_t piece : group(round + 1)) extents->read_ahead(extents_of_piece(rows, piece));
      }
      gather(round, rng);
      if (!visit(std::span<const std::uint32_t>(in_round_))) return false;
    }
    end_sweep();
    return true;
  }

  bool first_visit(std::uint32_t row) {
    if (state_[row] != not_visited) return false;
    state_[row] = visited;
    return true;
  }
  void add_gap(double term) { gap_ += term; }

  // True: the row is at a bound, and is skipped from now on.
  bool settles(std::uint32_t row, double violation, double margin) {
    if (margin > threshold_) {
      state_[row] = settled;
      return true;
    }
    largest_violation_ = std::max(largest_violation_, std::abs(violation));
    return false;
  }

  // The gap of the last sweep: the terms of the rows at their first visits, where x is that of the visit. After a check,
  // times the ratio that the check found. Infinity before the first sweep.
  double estimated_gap() const { return factor_ * last_gap_; }
  void on_check(double gap) {
    if (std::isfinite(last_gap_) && last_gap_ > 0) factor_ = std::clamp(gap / last_gap_, 0.25, 4.0);
  }

  void serialize(Archive& archive);

 private:
  enum State : std::uint8_t { not_visited, visited, settled };

  void begin_sweep(Rng& rng);
  void end_sweep();
  void gather(std::size_t round, Rng& rng);  // the rows of a round, in random order

  std::span<const std::uint32_t> group(std::size_t number) const {
    const std::size_t begin = std::min(number * per_group_, order_.size()),
                      end = std::min(begin + per_group_, order_.size());
    return std::span(order_).subspan(begin, end - begin);
  }
  template <class RowStorage>
  Extents::Range extents_of_piece(const RowStorage& rows, std::size_t piece) const {
    if (begin_[piece] == begin_[piece + 1]) return {0, 0};
    return extents_of_rows(rows, rows_[begin_[piece]], rows_[begin_[piece + 1] - 1] + 1, 0);  // one process: the file
  }
  template <class RowStorage>
  std::vector<std::unique_ptr<Hold>> hold(const RowStorage& rows, Extents* extents, std::size_t number) const {
    std::vector<std::unique_ptr<Hold>> all;
    for (const std::size_t piece : group(number))
      all.push_back(std::make_unique<Hold>(*extents, extents_of_piece(rows, piece), Extents::Range{0, 0}));
    return all;
  }

  std::span<const std::uint32_t> rows_;
  std::vector<std::size_t> begin_;    // of the pieces, in rows_
  std::vector<std::uint32_t> order_;  // of the pieces in this sweep
  std::size_t per_group_;
  std::vector<std::uint32_t> in_round_;
  std::vector<State> state_;
  double gap_ = 0, last_gap_ = infinity, factor_ = 1;
  double largest_violation_ = 0, threshold_ = infinity;
};

}  // namespace seesaw
