// Leaves: the rows of a data set, cut into contiguous ranges by their size alone. Whatever is summed over rows is summed
// per leaf, or per node of a fixed binary tree over the leaves, in the order of the rows, and these sums are joined along
// the tree (base/tree_sum.h). Which thread, process or read from disk computes the sum of a leaf therefore has no
// influence on any bit.
//
// Row i has the size (its entries) + 1, so that empty rows are cut as well. Leaf k has the rows that begin at the sizes
// [k s, (k + 1) s) of all rows before them, s = leaf_size: a border is found from the number of entries before a row,
// without knowledge of the other borders. The last leaf takes what remains, less than 2 s. A row that is larger than s
// makes the leaves after it empty: they have no rows.
//
// The tree: the leaves [m 2^k, (m + 1) 2^k) have one node, the sum of its two halves; where the right half has no leaf,
// the node is the left half. Whoever owns a contiguous range of leaves can compute the nodes inside it, at most
// 2 log2(leaves) of them, and the nodes above follow from those.
//
// Results that are expensive to join, vectors of d numbers or matrices, are summed in the order of the rows up to a level
// of the tree (`grouped`) that depends on sizes alone, and joined above it. Borders between processes are borders of such
// groups.
//
// Several processes (base/ranks.h): every rank has a contiguous range of the leaves (Shares). Its Leaves have its own rows,
// counted from 0, and the place of its leaves among all. A node that has rows of several ranks consists of pieces, one per
// rank: count(), begin() and end() are those of the pieces of this rank.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace seesaw {

class Ranks;

// The leaves and rows of each rank: first_leaf[r] .. first_leaf[r + 1] - 1, first_row[r] .. first_row[r + 1] - 1.
struct Shares {
  Ranks* ranks;
  std::vector<std::size_t> first_leaf, first_row;
  std::size_t entries;    // of all rows of all ranks
  bool weighted = false;  // the rows have weights; ranks without rows have none to see it by
};

class Leaves {
 public:
  Leaves() : bounds_(2) {}  // one, without rows
  // bounds: ascending; leaf k has the rows bounds[k] .. bounds[k + 1] - 1.
  explicit Leaves(std::vector<std::size_t> bounds) : bounds_(std::move(bounds)) {}
  // The leaves of one rank; `bounds` has those of its own leaves alone.
  Leaves(std::vector<std::size_t> bounds, std::shared_ptr<const Shares> shares, std::size_t first)
      : bounds_(std::move(bounds)),
        shares_(std::move(shares)),
        first_(first),
        all_rows_(shares_->first_row.back()),
        all_entries_(shares_->entries) {}

  std::size_t count() const { return bounds_.size() - 1; }
  std::size_t begin(std::size_t leaf) const { return bounds_[leaf]; }
  std::size_t end(std::size_t leaf) const { return bounds_[leaf + 1]; }
  std::size_t rows() const { return bounds_.back(); }

  // Among all ranks; with one process the same as above.
  const Shares* shares() const { return shares_.get(); }  // null: one process
  std::size_t nodes() const { return shares_ ? (shares_->first_leaf.back() + step_ - 1) / step_ : count(); }
  std::size_t first() const { return first_; }  // the node of the first piece
  std::size_t step() const { return step_; }    // leaves per node
  // Rows and entries of all ranks, where choices depend on them. `entries`: those of the rows of this process.
  std::size_t all_rows() const { return all_rows_ > 0 ? all_rows_ : rows(); }
  std::size_t all_entries(std::size_t entries) const { return all_rows_ > 0 ? all_entries_ : entries; }
  // For the same rows with other columns, and for copies of some of them.
  Leaves with_totals(std::size_t rows, std::size_t entries) const {
    Leaves result = *this;
    result.all_rows_ = rows;
    result.all_entries_ = entries;
    return result;
  }

  // The nodes of the tree as leaves, as few levels above the leaves as give at most `most` of them. The tree over the
  // groups is the upper part of the tree over the leaves.
  Leaves grouped(std::size_t most) const {
    std::size_t step = 1;
    while ((nodes() + step - 1) / step > std::max<std::size_t>(most, 1)) step *= 2;
    if (step == 1) return *this;
    std::vector<std::size_t> bounds;
    for (std::size_t leaf = 0; leaf < count(); ++leaf)
      if (leaf == 0 || (first_ + leaf) % step == 0) bounds.push_back(bounds_[leaf]);
    bounds.push_back(bounds_.back());
    return with_bounds(std::move(bounds), step);
  }

  // The same borders for a list of rows, ascending: positions in the list instead of rows.
  Leaves of_list(std::span<const std::uint32_t> which) const {
    std::vector<std::size_t> bounds(bounds_.size());
    auto at = which.begin();
    for (std::size_t leaf = 1; leaf + 1 < bounds.size(); ++leaf) {
      at = std::lower_bound(at, which.end(), bounds_[leaf]);
      bounds[leaf] = static_cast<std::size_t>(at - which.begin());
    }
    bounds.back() = which.size();
    return with_bounds(std::move(bounds), 1);
  }

  // A single node: all of a list of `rows` rows of this process.
  Leaves as_one(std::size_t rows) const {
    if (!shares_) return Leaves({0, rows});
    const std::size_t here = shares_->first_leaf.back(), count = bounds_.size() - 1;
    std::size_t step = 1;
    while (step * step_ < here) step *= 2;
    std::vector<std::size_t> bounds{rows};
    if (count > 0) bounds.insert(bounds.begin(), 0);
    return with_bounds(std::move(bounds), step);
  }

 private:
  Leaves with_bounds(std::vector<std::size_t> bounds, std::size_t step) const {
    Leaves result = *this;
    result.bounds_ = std::move(bounds);
    result.first_ /= step;
    result.step_ *= step;
    return result;
  }

  std::vector<std::size_t> bounds_;
  std::shared_ptr<const Shares> shares_ = {};
  std::size_t first_ = 0, step_ = 1;
  std::size_t all_rows_ = 0, all_entries_ = 0;  // 0 rows: those of this process
};

inline constexpr std::size_t leaf_size = std::size_t{1} << 15;

// entries_before(i): the number of entries of the rows before i, for 0 <= i <= rows. O(leaves log(rows)).
template <class EntriesBefore>
Leaves cut_rows(std::size_t rows, const EntriesBefore& entries_before) {
  const std::size_t count = std::max<std::size_t>((entries_before(rows) + rows) / leaf_size, 1);
  std::vector<std::size_t> bounds(count + 1);
  for (std::size_t leaf = 1; leaf < count; ++leaf) {
    std::size_t low = bounds[leaf - 1], high = rows;  // the first row at this size or beyond
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (entries_before(middle) + middle < leaf * leaf_size) low = middle + 1;
      else high = middle;
    }
    bounds[leaf] = low;
  }
  bounds[count] = rows;
  return Leaves(std::move(bounds));
}

// Of numbers of one process each: what all ranks have together. One process: the number itself.
bool any_rank(const Leaves& leaves, bool here);
std::size_t sum_of_ranks(const Leaves& leaves, std::size_t here);
double largest_of_ranks(const Leaves& leaves, double here);

}  // namespace seesaw
