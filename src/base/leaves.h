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
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace seesaw {

class Leaves {
 public:
  Leaves() : bounds_(2) {}  // one, without rows
  // bounds: ascending; leaf k has the rows bounds[k] .. bounds[k + 1] - 1.
  explicit Leaves(std::vector<std::size_t> bounds) : bounds_(std::move(bounds)) {}

  std::size_t count() const { return bounds_.size() - 1; }
  std::size_t begin(std::size_t leaf) const { return bounds_[leaf]; }
  std::size_t end(std::size_t leaf) const { return bounds_[leaf + 1]; }
  std::size_t rows() const { return bounds_.back(); }

  // The nodes of the tree as leaves, as few levels above the leaves as give at most `most` of them. The tree over the
  // groups is the upper part of the tree over the leaves.
  Leaves grouped(std::size_t most) const {
    std::size_t step = 1;
    while ((count() + step - 1) / step > std::max<std::size_t>(most, 1)) step *= 2;
    if (step == 1) return *this;
    std::vector<std::size_t> bounds;
    for (std::size_t leaf = 0; leaf < count(); leaf += step) bounds.push_back(bounds_[leaf]);
    bounds.push_back(bounds_.back());
    return Leaves(std::move(bounds));
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
    return Leaves(std::move(bounds));
  }

 private:
  std::vector<std::size_t> bounds_;
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

}  // namespace seesaw
