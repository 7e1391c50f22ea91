// Sums over the rows of all processes (base/ranks.h), where each has summed its own. With one process they are unchanged.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/ranks.h"
#include "base/tree_sum.h"
#include "verify/sum.h"

namespace seesaw::verifier {

// One leaf per rank.
inline Leaves one_leaf_per_rank(Ranks& ranks) {
  auto shares = std::make_shared<Shares>();
  shares->ranks = &ranks;
  for (int rank = 0; rank <= ranks.size(); ++rank) {
    shares->first_leaf.push_back(static_cast<std::size_t>(rank));
    shares->first_row.push_back(static_cast<std::size_t>(rank));
  }
  return {{0, 1}, std::move(shares), static_cast<std::size_t>(ranks.rank())};
}

// Joined by Sum::add, in an order that depends on the number of ranks: the last bits of a Sum may differ from those of one
// process, the bounds of its error hold.
inline std::vector<Sum> over_ranks(const Leaves& leaves, std::vector<Sum> own) {
  if (leaves.shares() == nullptr) return own;
  struct Part : Sum {
    Part& operator+=(const Part& other) {
      add(static_cast<const Sum&>(other));
      return *this;
    }
  };
  std::vector<Part> total(own.size());
  tree_sum(one_leaf_per_rank(*leaves.shares()->ranks), own.size(), total.data(),
           [&](std::size_t, std::size_t, Part* part) {
             for (std::size_t k = 0; k < own.size(); ++k) static_cast<Sum&>(part[k]) = own[k];
           });
  for (std::size_t k = 0; k < own.size(); ++k) own[k] = total[k];
  return own;
}
inline Sum over_ranks(const Leaves& leaves, const Sum& own) { return over_ranks(leaves, std::vector<Sum>{own})[0]; }

inline std::vector<Ball> over_ranks(const Leaves& leaves, std::vector<Ball> own) {
  if (leaves.shares() == nullptr) return own;
  std::vector<Sum> sums(own.size());
  for (std::size_t k = 0; k < own.size(); ++k) sums[k].add(own[k]);
  sums = over_ranks(leaves, std::move(sums));
  for (std::size_t k = 0; k < own.size(); ++k)
    own[k] = sums[k].value(2 * static_cast<std::size_t>(leaves.shares()->ranks->size()));
  return own;
}

}  // namespace seesaw::verifier
