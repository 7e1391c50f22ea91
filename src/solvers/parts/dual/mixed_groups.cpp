#include "solvers/parts/dual/mixed_groups.h"

#include <fmt/format.h>

#include "seesaw/error.h"

namespace seesaw {

GroupPlan::GroupPlan(std::size_t entries, std::size_t groups) {
  constexpr std::size_t least = 2, most = 8, extents_per_piece = 4;
  const std::size_t extents = (entries + extent_entries - 1) / extent_entries;
  pieces_per_group = std::clamp<std::size_t>(extents / (extents_per_piece * groups), least, most);
  piece_entries = std::max<std::size_t>((entries + groups * pieces_per_group - 1) / (groups * pieces_per_group), 1);
  // Pieces that begin with an extent: only the last row of each may need one more.
  if (piece_entries >= extent_entries)
    piece_entries = (piece_entries + extent_entries - 1) / extent_entries * extent_entries;
  pieces = std::max<std::size_t>((entries + piece_entries - 1) / piece_entries, 1);
}

std::size_t GroupPlan::extents(std::size_t longest_row) const {
  const std::size_t of_rows = (std::max<std::size_t>(longest_row, 1) - 1 + extent_entries - 1) / extent_entries,
                    of_entries = (piece_entries + extent_entries - 1) / extent_entries +
                                 (piece_entries % extent_entries == 0 ? 0 : 1);
  return groups_in_memory * pieces_per_group * (of_entries + of_rows) + 1;
}

std::size_t groups_within_memory(const Extents& extents) {
  constexpr std::size_t fewest = 8, most = 256;
  const std::size_t fit = extents.budget()->nominal / extents.bytes().per_extent();
  for (std::size_t groups = fewest; groups <= most; groups *= 2)
    if (GroupPlan(extents.bytes().entries, groups).extents(extents.longest_row()) <= fit) return groups;
  return 0;
}

void serialize_groups(Archive& archive, std::size_t groups) {
  std::size_t saved = groups;
  archive.numbers("groups", saved);
  const auto name = [](std::size_t number) {
    return number == 0 ? std::string("no groups of rows") : fmt::format("{} groups of rows", number);
  };
  if (saved != groups)
    throw Error(
        fmt::format("the run was saved with {}, and this one has {}; give the same `memory` or `groups`, or choose "
                    "another folder for `checkpoint`.",
                    name(saved), name(groups)));
}

MixedGroups::MixedGroups(const Rows& rows, std::size_t groups, std::span<const std::uint32_t> to_visit)
    : rows_(to_visit) {
  std::visit(
      [&](const auto& a) {
        const GroupPlan plan(a.entries(), groups);
        per_group_ = plan.pieces_per_group;
        if (Extents* const extents = extents_of(a)) {
          const std::size_t needed = plan.extents(extents->longest_row()) * extents->bytes().per_extent();
          if (extents->budget()->bytes < needed)
            throw Error(fmt::format("four of {} groups of rows need {} MB more memory; choose more groups.", groups,
                                    ((needed - extents->budget()->bytes) >> 20) + 1));
          extents->keep_none();
        }
        state_.resize(a.count());
        for (std::size_t piece = 0; piece < plan.pieces; ++piece)
          begin_.push_back(static_cast<std::size_t>(
              std::partition_point(rows_.begin(), rows_.end(),
                                   [&](std::uint32_t i) { return entries_before(a, i) < piece * plan.piece_entries; }) -
              rows_.begin()));
      },
      rows);
  begin_.push_back(rows_.size());
  order_.resize(begin_.size() - 1);
  for (std::size_t piece = 0; piece < order_.size(); ++piece) order_[piece] = static_cast<std::uint32_t>(piece);
}

void MixedGroups::begin_sweep(Rng& rng) {
  rng.shuffle(std::span(order_));
  std::fill(state_.begin(), state_.end(), not_visited);
  gap_ = 0;
  largest_violation_ = 0;
}

void MixedGroups::end_sweep() {
  last_gap_ = gap_;
  threshold_ = largest_violation_ > 0 ? largest_violation_ : infinity;
}

void MixedGroups::serialize(Archive& archive) {
  archive.array("pieces", order_);
  archive.numbers("sweep", last_gap_, factor_, threshold_);
}

void MixedGroups::gather(std::size_t round, Rng& rng) {
  in_round_.clear();
  const std::size_t first = round + 2 - std::min(round + 2, groups_in_memory);
  for (std::size_t number = first; number <= round; ++number)
    for (const std::size_t piece : group(number))
      for (std::size_t at = begin_[piece]; at < begin_[piece + 1]; ++at)
        if (state_[rows_[at]] != settled) in_round_.push_back(rows_[at]);
  rng.shuffle(std::span(in_round_));
}

}  // namespace seesaw
