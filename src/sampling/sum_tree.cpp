#include "sampling/sum_tree.h"

#include <utility>

namespace seesaw {

// Pairwise: more accurate than sequential summation, and a depth of four additions. Scalar additions on purpose: a
// vector load of a child that was just stored must wait for the store buffer, which makes set() five times slower.
double SumTree::sum(const Node& node) {
  const double* c = node.child;
  return (((c[0] + c[1]) + (c[2] + c[3])) + ((c[4] + c[5]) + (c[6] + c[7]))) +
         (((c[8] + c[9]) + (c[10] + c[11])) + ((c[12] + c[13]) + (c[14] + c[15])));
}

SumTree::SumTree(std::span<const double> values) : size_(values.size()) {
  for (std::size_t below = size_, at = 0; first_.empty() || below > 1;) {
    first_.push_back(at);
    below = (below + fan_out - 1) / fan_out;
    at += below;
    nodes_.resize(at + (below == 0));
  }
  for (std::size_t leaf = 0; leaf < size_; ++leaf) nodes_[leaf / fan_out].child[leaf % fan_out] = values[leaf];
  for (std::size_t level = 1; level < first_.size(); ++level)
    for (std::size_t node = first_[level - 1]; node < first_[level]; ++node) {
      const std::size_t place = node - first_[level - 1];
      nodes_[first_[level] + place / fan_out].child[place % fan_out] = sum(nodes_[node]);
    }
  total_ = sum(nodes_.back());
}

void SumTree::set(std::size_t leaf, double value) {
  for (std::size_t first : first_) {
    Node& node = nodes_[first + leaf / fan_out];
    node.child[leaf % fan_out] = value;
    value = sum(node);
    leaf /= fan_out;
  }
  total_ = value;
}

// The first child whose prefix sum exceeds u; u becomes the position within it. That child is positive, since its
// prefix sum exceeds the one before. If by rounding u is not below any prefix sum, the last positive child is taken.
std::size_t SumTree::pick(const Node& node, double& u) {
  double before[fan_out];
  double prefix = 0;
  std::size_t k = 0;
#pragma GCC unroll 16
  for (std::size_t j = 0; j + 1 < fan_out; ++j) {
    before[j] = prefix;
    prefix += node.child[j];
    k += u >= prefix;
  }
  before[fan_out - 1] = prefix;
  u -= before[k];
  if (!(node.child[k] > 0)) [[unlikely]] {
    while (k > 0 && !(node.child[k] > 0)) --k;
    while (k + 1 < fan_out && !(node.child[k] > 0)) ++k;
  }
  return k;
}

std::size_t SumTree::find(double u) const {
  std::size_t place = 0;
  for (std::size_t level = first_.size(); level-- > 0;)
    place = place * fan_out + pick(nodes_[first_[level] + place], u);
  return place;
}

}  // namespace seesaw
