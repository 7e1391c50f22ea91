// Lists of rows on several ranks, whose nodes (base/leaves.h) have rows on two of them. Sums that add rows one after the
// other pass the partial sum on (base/tree_sum.h); others need all rows of a node in one place: those of later ranks are
// moved to the rank where the node begins. With one process nothing moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "base/leaves.h"
#include "base/rng.h"
#include "data/rows.h"

namespace seesaw {

struct MovedRows {
  Rows rows;  // all rows of one node
  std::vector<std::uint32_t> which;
  std::vector<double> weight;
};

// A list of rows with weights, and its nodes. `complete`: every node is on one rank.
class ListedNodes {
 public:
  ListedNodes(const Rows& rows, std::span<const std::uint32_t> which, std::span<const double> weight, Leaves nodes,
              bool complete);

  const Leaves& leaves() const { return leaves_; }
  // The rows of a leaf, if they are not those of this rank at the positions begin .. end - 1 of the list.
  const MovedRows* moved(std::size_t begin, std::size_t end) const {
    return moved_ && begin == moved_begin_ && end > begin ? &*moved_ : nullptr;
  }

 private:
  Leaves leaves_;
  std::optional<MovedRows> moved_;
  std::size_t moved_begin_ = 0;
};

// The rows of all processes, in their order, on each of them. With one process the rows themselves.
Rows on_every_rank(const Rows& rows);

// A list of rows with weights, of all processes: each has all of them. With one process the list itself.
class EveryRow {
 public:
  EveryRow(const Rows& rows, std::span<const std::uint32_t> which, std::span<const double> weight);
  const Rows& rows() const { return gathered_ ? *gathered_ : rows_; }
  std::span<const std::uint32_t> which() const { return which_; }
  std::span<const double> weight() const { return weight_; }
  std::size_t before() const { return before_; }  // the position of the first listed row of this process

 private:
  const Rows& rows_;
  std::span<const std::uint32_t> which_;
  std::span<const double> weight_;
  std::size_t before_ = 0;
  std::optional<Rows> gathered_;
  std::vector<std::uint32_t> positions_;
  std::vector<double> weights_;
};

// A sample of the rows of all processes, one from each of `size` equal parts, in order: those of this process. All rows
// are taken without a draw.
std::vector<std::uint32_t> draw_rows(const Rows& rows, std::size_t size, Rng& rng);

// As sample_rows (data/select_rows.h), with every node on one rank. `numbers`: of the listed rows, moved with them.
Rows settled_sample(const Rows& rows, std::span<const std::uint32_t> which,
                    std::initializer_list<std::vector<double>*> numbers);

}  // namespace seesaw
