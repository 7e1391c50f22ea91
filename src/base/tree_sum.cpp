#include "base/tree_sum.h"

#include <atomic>
#include <cstring>
#include <mutex>

#include "base/ranks.h"

namespace seesaw {
namespace {

constexpr std::size_t short_bytes = std::size_t{1} << 15;  // sums up to this size go up the tree

bool has_leaves(const Shares& shares, std::size_t rank) {
  return shares.first_leaf[rank] < shares.first_leaf[rank + 1];
}

std::size_t rank_of(const Shares& shares) { return static_cast<std::size_t>(shares.ranks->rank()); }

NodeRange completed_by(const Shares& shares, std::size_t rank, std::size_t step, std::size_t nodes) {
  const std::size_t begin = shares.first_leaf[rank], end = shares.first_leaf[rank + 1];
  if (begin == end) return {0, 0};
  const std::size_t after = end == shares.first_leaf.back() ? nodes : end / step;
  return {std::min(begin / step, after), after};
}

// The subtrees of all ranks, in the order of the tree, and the joins that make one of them: right is added to left.
struct Plan {
  struct Part {
    std::size_t first, rank;
  };
  struct Join {
    std::size_t left, right;  // parts
  };
  std::vector<Part> parts;
  std::vector<std::size_t> first_of_rank;  // parts of rank r: first_of_rank[r] .. first_of_rank[r + 1] - 1
  std::vector<Join> joins;
};

Plan plan_of(const Leaves& leaves) {
  const Shares& shares = *leaves.shares();
  const std::size_t nodes = leaves.nodes(), ranks = shares.first_leaf.size() - 1;
  Plan plan;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    plan.first_of_rank.push_back(plan.parts.size());
    for (const std::size_t first : subtrees(completed_by(shares, rank, leaves.step(), nodes), nodes))
      plan.parts.push_back({first, rank});
  }
  plan.first_of_rank.push_back(plan.parts.size());
  std::vector<std::size_t> left(plan.parts.size());
  for (std::size_t k = 0; k < left.size(); ++k) left[k] = k;
  for (std::size_t width = 1; width < nodes; width *= 2) {  // halves of nodes of 2 width leaves
    std::vector<std::size_t> kept;
    for (const std::size_t part : left) {
      if (plan.parts[part].first % (2 * width) == width) plan.joins.push_back({kept.back(), part});
      else kept.push_back(part);
    }
    left = std::move(kept);
  }
  return plan;
}

// The bytes of one sum.
std::vector<std::byte> copy_of(const void* data, std::size_t bytes) {
  const auto* const from = static_cast<const std::byte*>(data);
  return {from, from + bytes};
}

void join_up_the_tree(Ranks& ranks, const Plan& plan, std::vector<void*>& sums, std::size_t length, std::size_t bytes,
                      AddElements add, void* total) {
  const auto here = static_cast<std::size_t>(ranks.rank());
  std::vector<std::byte> received(length * bytes);
  for (const auto& [left, right] : plan.joins) {
    const std::size_t to = plan.parts[left].rank, from = plan.parts[right].rank;
    if (to == here && from == here) {
      add(sums[left], sums[right], length);
    } else if (from == here) {
      ranks.send(static_cast<int>(to), sums[right], length * bytes);
    } else if (to == here) {
      ranks.receive(static_cast<int>(from), received.data(), length * bytes);
      add(sums[left], received.data(), length);
    }
  }
  const std::size_t root = plan.parts[0].rank;
  if (root == here && sums[0] != total) std::memcpy(total, sums[0], length * bytes);
  ranks.broadcast(static_cast<int>(root), total, length * bytes);
}

// Every rank receives its range of elements of all parts, joins them, and all ranges are gathered.
void join_by_elements(Ranks& ranks, const Plan& plan, const std::vector<void*>& sums, std::size_t length,
                      std::size_t bytes, AddElements add, void* total) {
  const auto count = static_cast<std::size_t>(ranks.size()), here = static_cast<std::size_t>(ranks.rank());
  const auto border = [&](std::size_t rank) { return length * rank / count; };
  const auto size_for = [&](std::size_t rank) { return (border(rank + 1) - border(rank)) * bytes; };
  const auto element = [&](void* of, std::size_t at) { return static_cast<std::byte*>(of) + at * bytes; };
  const std::size_t own = size_for(here), own_elements = border(here + 1) - border(here);
  std::vector<std::vector<std::byte>> parts(plan.parts.size());
  std::vector<Ranks::Outgoing> outgoing;
  std::vector<Ranks::Incoming> incoming;
  for (std::size_t k = 0; k < plan.parts.size(); ++k) {
    if (plan.parts[k].rank == here) {
      parts[k] = copy_of(element(sums[k], border(here)), own);
      for (std::size_t to = 0; to < count; ++to)
        if (to != here && size_for(to) > 0)
          outgoing.push_back({static_cast<int>(to), element(sums[k], border(to)), size_for(to)});
    } else {
      parts[k].resize(own);
      if (own > 0) incoming.push_back({static_cast<int>(plan.parts[k].rank), parts[k].data(), own});
    }
  }
  ranks.exchange(outgoing, incoming);
  for (const auto& [left, right] : plan.joins) add(parts[left].data(), parts[right].data(), own_elements);
  std::memcpy(element(total, border(here)), parts[0].data(), own);
  std::vector<std::size_t> bounds;
  for (std::size_t rank = 0; rank <= count; ++rank) bounds.push_back(border(rank) * bytes);
  ranks.complete(bounds, total);
}

}  // namespace

NodeRange completed_nodes(const Leaves& leaves) {
  const Shares& shares = *leaves.shares();
  return completed_by(shares, rank_of(shares), leaves.step(), leaves.nodes());
}

std::vector<std::size_t> subtrees(NodeRange range, std::size_t nodes) {
  std::vector<std::size_t> first;
  for (std::size_t at = range.begin; at < range.end;) {
    first.push_back(at);
    std::size_t width = 1;
    while (width < nodes && at % (2 * width) == 0 && std::min(at + 2 * width, nodes) <= range.end) width *= 2;
    at += width;
  }
  return first;
}

bool continues_node(const Leaves& leaves) {
  const Shares& shares = *leaves.shares();
  const std::size_t here = rank_of(shares);
  return has_leaves(shares, here) && shares.first_leaf[here] % leaves.step() != 0;
}

bool is_continued(const Leaves& leaves) {
  const Shares& shares = *leaves.shares();
  const std::size_t here = rank_of(shares), end = shares.first_leaf[here + 1];
  return has_leaves(shares, here) && end % leaves.step() != 0 && end != shares.first_leaf.back();
}

void receive_from_before(const Leaves& leaves, void* sum, std::size_t bytes) {
  const Shares& shares = *leaves.shares();
  std::size_t from = rank_of(shares) - 1;
  while (!has_leaves(shares, from)) --from;
  shares.ranks->receive(static_cast<int>(from), sum, bytes);
}

void send_to_next(const Leaves& leaves, const void* sum, std::size_t bytes) {
  const Shares& shares = *leaves.shares();
  std::size_t to = rank_of(shares) + 1;
  while (!has_leaves(shares, to)) ++to;
  shares.ranks->send(static_cast<int>(to), sum, bytes);
}

void join_across_ranks(const Leaves& leaves, std::span<const JoinedNodes> own, std::size_t length, std::size_t bytes,
                       AddElements add, void* total) {
  Ranks& ranks = *leaves.shares()->ranks;
  if (length == 0) return;
  const Plan plan = plan_of(leaves);
  std::vector<void*> sums(plan.parts.size());
  const std::size_t first = plan.first_of_rank[static_cast<std::size_t>(ranks.rank())];
  for (std::size_t k = 0; k < own.size(); ++k) sums[first + k] = own[k].sum;
  if (length * bytes <= short_bytes) join_up_the_tree(ranks, plan, sums, length, bytes, add, total);
  else join_by_elements(ranks, plan, sums, length, bytes, add, total);
}

bool any_rank(const Leaves& leaves, bool here) { return sum_of_ranks(leaves, here ? 1 : 0) > 0; }

std::size_t sum_of_ranks(const Leaves& leaves, std::size_t here) {
  if (leaves.shares() == nullptr) return here;
  std::size_t sum = 0;
  for (const std::size_t of_rank : leaves.shares()->ranks->gather(here)) sum += of_rank;
  return sum;
}

PlaceAmongRanks place_among_ranks(const Leaves& leaves, std::size_t here) {
  if (leaves.shares() == nullptr) return {0, here};
  PlaceAmongRanks place{0, 0};
  std::size_t rank = 0;
  for (const std::size_t of_rank : leaves.shares()->ranks->gather(here)) {
    if (rank++ < rank_of(*leaves.shares())) place.before += of_rank;
    place.all += of_rank;
  }
  return place;
}

double largest_of_ranks(const Leaves& leaves, double here) {
  if (leaves.shares() == nullptr) return here;
  double largest = here;
  for (const double of_rank : leaves.shares()->ranks->gather(here)) largest = std::max(largest, of_rank);
  return largest;
}

std::vector<JoinedNodes> tree_join(NodeRange range, std::size_t leaves, std::size_t workers, void* total,
                                   const TreeParts& parts) {
  std::vector<JoinedNodes> rest;
  if (range.end - range.begin <= 1) {
    if (range.begin < range.end) {
      parts.fill(range.begin, total);
      rest.push_back({range.begin, total});
    }
    return rest;
  }
  std::mutex mutex;
  std::vector<void*> idle;
  // waiting[m - begin]: one half of the node whose right half begins at leaf m
  std::vector<void*> waiting(range.end - range.begin);
  const auto take = [&] {
    const std::lock_guard lock(mutex);
    if (idle.empty()) return parts.make();
    void* const part = idle.back();
    idle.pop_back();
    return part;
  };
  // The other half of a node, or null if it is not complete yet: then `part` waits for it.
  const auto other_half = [&](std::size_t middle, void* part) -> void* {
    const std::lock_guard lock(mutex);
    void*& other = waiting[middle - range.begin];
    return std::exchange(other, other == nullptr ? part : nullptr);
  };
  const auto keep = [&](std::size_t first, void* part) {
    const std::lock_guard lock(mutex);
    rest.push_back({first, part});
  };
  const auto give_back = [&](void* part) {
    const std::lock_guard lock(mutex);
    idle.push_back(part);
  };
  std::atomic<std::size_t> next = range.begin;
  const auto work = [&](std::size_t) {
    for (std::size_t leaf = next++; leaf < range.end; leaf = next++) {
      // The leftmost part of every join is kept: the last one is that of the first leaf.
      void* part = leaf == range.begin ? total : take();
      parts.fill(leaf, part);
      for (std::size_t first = leaf, width = 1;; width *= 2) {
        if (width >= leaves) {
          keep(first, part);
          break;
        }
        const bool left = first / width % 2 == 0;
        if (left && first + width >= leaves) continue;  // no right half
        if (left ? std::min(first + 2 * width, leaves) > range.end : first - width < range.begin) {
          keep(first, part);  // the other half is not in the range
          break;
        }
        void* const other = other_half(left ? first + width : first, part);
        if (other == nullptr) break;
        parts.join(left ? part : other, left ? other : part);
        give_back(left ? other : part);
        if (left) continue;
        part = other;
        first -= width;
      }
    }
  };
  parallel_workers(std::min({workers, range.end - range.begin, available_threads()}), work);
  std::sort(rest.begin(), rest.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return rest;
}

}  // namespace seesaw
