// Numbers of which one may be changed, and one drawn in proportion to its size, in O(log n): a tree of 16 children a
// node. Every parent is the sum of its children, added up anew when one of them changes, never a sum of differences:
// the tree equals one built afresh from the same numbers, bit for bit, however often they have changed.
//
// 16 children are two cache lines; of 50,000 leaves, four nodes are read for a draw. (8 children: six nodes, and a draw
// with a change is slower.)
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace seesaw {

class SumTree {
 public:
  explicit SumTree(std::span<const double> values);  // finite, none negative

  void set(std::size_t leaf, double value);
  double operator[](std::size_t leaf) const { return nodes_[leaf / fan_out].child[leaf % fan_out]; }
  std::size_t size() const { return size_; }
  double total() const { return total_; }

  // The leaf whose share of [0, total) contains u, up to rounding; never one of value 0. Any u will do, but total()
  // must not be 0.
  std::size_t find(double u) const;

 private:
  static constexpr std::size_t fan_out = 16;
  struct alignas(64) Node {
    double child[fan_out] = {};
  };
  static double sum(const Node& node);
  static std::size_t pick(const Node& node, double& u);

  std::size_t size_;
  std::vector<Node> nodes_;         // those over the leaves first, the root last
  std::vector<std::size_t> first_;  // of each level, from the leaves up
  double total_;
};

}  // namespace seesaw
