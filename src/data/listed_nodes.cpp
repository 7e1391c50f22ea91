#include "data/listed_nodes.h"

#include <memory>
#include <numeric>
#include <utility>

#include "base/tree_sum.h"
#include "data/row_moves.h"
#include "data/select_rows.h"
#include "data/share_rows.h"

namespace seesaw {
namespace {

// The first node of each rank, where a node belongs to the rank in which it begins; and the number of nodes.
std::vector<std::size_t> first_nodes(const Leaves& leaves) {
  std::vector<std::size_t> first;
  for (const std::size_t leaf : leaves.shares()->first_leaf)
    first.push_back((leaf + leaves.step() - 1) / leaves.step());
  return first;
}

bool nodes_are_divided(const Leaves& leaves) {
  const std::vector<std::size_t>& first = leaves.shares()->first_leaf;
  for (std::size_t rank = 0; rank + 1 < first.size(); ++rank)
    if (first[rank] < first[rank + 1] && first[rank] % leaves.step() != 0) return true;
  return false;
}

// The rank in which the first node of this rank begins.
std::size_t owner_of_first(const Leaves& leaves) {
  const std::vector<std::size_t>& first = leaves.shares()->first_leaf;
  const std::size_t leaf = leaves.first() * leaves.step();
  return static_cast<std::size_t>(std::upper_bound(first.begin(), first.end() - 1, leaf) - first.begin()) - 1;
}

std::size_t entries_in(const Rows& rows, std::size_t begin, std::size_t end) {
  return std::visit(
      [&](const auto& a) {
        std::size_t sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += a.entries(i);
        return sum;
      },
      rows);
}

// The first `leaving` rows go to the rank in which their node begins, the others stay.
Moves moves_of(const Leaves& leaves, const Rows& rows, std::size_t leaving, std::size_t count) {
  Ranks& ranks = *leaves.shares()->ranks;
  std::vector<Moved> own(static_cast<std::size_t>(ranks.size()));
  if (leaving > 0) own[owner_of_first(leaves)] = {leaving, entries_in(rows, 0, leaving)};
  own[rank_of(leaves)] = {count - leaving, entries_in(rows, leaving, count)};
  return Moves(ranks, own);
}

Rows after(const Rows& rows, const Moves& moves, Ranks& ranks) {
  return std::visit([&](const auto& a) -> Rows { return moved_rows(a, moves, ranks); }, rows);
}

std::size_t count_of(const Rows& rows) {
  return std::visit([](const auto& a) { return a.count(); }, rows);
}

std::vector<double> after(std::span<const double> numbers, std::size_t count, const Moves& moves, Ranks& ranks) {
  std::vector<double> moved(count);
  moves.move<double>(ranks, numbers, moved.data(), 1, 0);
  return moved;
}

}  // namespace

ListedNodes::ListedNodes(const Rows& rows, std::span<const std::uint32_t> which, std::span<const double> weight,
                         Leaves nodes, bool complete)
    : leaves_(std::move(nodes)) {
  if (!complete || leaves_.shares() == nullptr || !nodes_are_divided(leaves_)) return;
  Ranks& ranks = *leaves_.shares()->ranks;
  const std::size_t pieces = leaves_.count();
  const bool continues = continues_node(leaves_), owns_divided = is_continued(leaves_) && !(continues && pieces == 1);
  // What moves, and what the moved rows are added to.
  std::vector<std::uint32_t> list;
  std::vector<double> numbers;
  const auto add = [&](std::size_t piece) {
    for (std::size_t k = leaves_.begin(piece); k < leaves_.end(piece); ++k) {
      list.push_back(which[k]);
      numbers.push_back(weight[k]);
    }
  };
  if (continues) add(0);
  const std::size_t leaving = list.size();
  if (owns_divided) add(pieces - 1);
  const Rows part = select_rows(rows, list);
  const Moves moves = moves_of(leaves_, part, leaving, list.size());
  MovedRows moved{after(part, moves, ranks), {}, {}};
  const std::size_t count = count_of(moved.rows);
  moved.weight = after(numbers, count, moves, ranks);
  moved.which.resize(count);
  std::iota(moved.which.begin(), moved.which.end(), 0u);

  std::vector<std::size_t> bounds;
  for (std::size_t piece = continues ? 1 : 0; piece < pieces; ++piece) bounds.push_back(leaves_.begin(piece));
  moved_begin_ = bounds.empty() ? 0 : bounds.back();
  bounds.push_back(owns_divided ? moved_begin_ + count : which.size());
  if (owns_divided) moved_ = std::move(moved);
  auto shares = std::make_shared<Shares>(*leaves_.shares());
  shares->first_leaf = first_nodes(leaves_);
  const std::size_t first = shares->first_leaf[rank_of(leaves_)];
  leaves_ = Leaves(std::move(bounds), std::move(shares), first);
}

namespace {

template <class T>
Buffer<T> everywhere(Ranks& ranks, std::span<const T> own) {
  const std::vector<T> all = ranks.concatenate<T>(own);
  Buffer<T> result;
  result.append(all);
  return result;
}

template <class Value>
Rows gathered(const SparseRows<Value>& own, Ranks& ranks) {
  std::vector<std::uint64_t> sizes(own.count());
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = own.entries(i);
  const std::vector<std::uint64_t> all = ranks.concatenate<std::uint64_t>(sizes);
  Buffer<std::uint64_t> offsets(all.size() + 1);
  offsets[0] = 0;
  for (std::size_t i = 0; i < all.size(); ++i) offsets[i + 1] = offsets[i] + all[i];
  return own_sparse_rows(own.width(), std::move(offsets), everywhere<std::uint32_t>(ranks, own.columns()),
                         everywhere<Value>(ranks, own.values()));
}
template <class Value>
Rows gathered(const DenseRows<Value>& own, Ranks& ranks) {
  Buffer<Value> values = everywhere<Value>(ranks, own.values());
  const std::size_t count = values.size() / std::max<std::size_t>(own.width(), 1);
  return own_dense_rows(count, own.width(), std::move(values));
}

}  // namespace

Rows on_every_rank(const Rows& rows) {
  const Shares* const shares = leaves_of(rows).shares();
  if (shares == nullptr) return rows;
  return std::visit([&](const auto& own) { return gathered(own, *shares->ranks); }, rows);
}

EveryRow::EveryRow(const Rows& rows, std::span<const std::uint32_t> which, std::span<const double> weight)
    : rows_(rows), which_(which), weight_(weight) {
  const Leaves& leaves = leaves_of(rows);
  if (leaves.shares() == nullptr) return;
  Ranks& ranks = *leaves.shares()->ranks;
  before_ = place_among_ranks(leaves, which.size()).before;
  weights_ = ranks.concatenate<double>(weight);
  positions_.resize(weights_.size());
  std::iota(positions_.begin(), positions_.end(), 0u);
  which_ = positions_;
  weight_ = weights_;
  const std::size_t entries = std::visit([](const auto& a) { return all_entries(a); }, rows);
  gathered_ = std::visit(
      [&](const auto& own) {
        return std::visit(
            [&](const auto& all) -> Rows {  // what is chosen by rows and entries is chosen by those of the data
              return all.with_leaves(
                  std::make_shared<const Leaves>(all.leaves()->with_totals(leaves.all_rows(), entries)));
            },
            gathered(own, ranks));
      },
      select_rows(rows, which));
}

std::vector<std::uint32_t> draw_rows(const Rows& rows, std::size_t size, Rng& rng) {
  const Leaves& leaves = leaves_of(rows);
  const std::size_t here = count_of(rows), n = leaves.all_rows();
  const std::size_t before = leaves.shares() == nullptr ? 0 : leaves.shares()->first_row[rank_of(leaves)];
  std::vector<std::uint32_t> which;
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t first = n * k / size, last = n * (k + 1) / size;
    const std::size_t row = size == n ? k : first + rng.below(static_cast<std::uint32_t>(last - first));
    if (row >= before && row < before + here) which.push_back(static_cast<std::uint32_t>(row - before));
  }
  return which;
}

Rows settled_sample(const Rows& rows, std::span<const std::uint32_t> which,
                    std::initializer_list<std::vector<double>*> numbers) {
  if (leaves_of(rows).shares() == nullptr) return sample_rows(rows, which);
  const Leaves nodes = std::visit([&](const auto& a) { return leaves_of_list(a, which, rows_per_vector(a)); }, rows);
  Ranks& ranks = *nodes.shares()->ranks;
  const std::size_t pieces = nodes.count();
  const bool continues = continues_node(nodes);
  const std::size_t leaving = continues ? nodes.end(0) : 0, staying = which.size() - leaving;
  const Rows leaving_rows = select_rows(rows, which.first(leaving));
  const Moves moves = moves_of(nodes, leaving_rows, leaving, leaving);
  const Rows arrived = after(leaving_rows, moves, ranks);
  const std::size_t count = staying + count_of(arrived);
  const Rows settled = select_and_append(rows, which.subspan(leaving), arrived);
  for (std::vector<double>* of_rows : numbers) {
    const std::vector<double> moved = after(std::span(*of_rows).first(leaving), count_of(arrived), moves, ranks);
    of_rows->erase(of_rows->begin(), of_rows->begin() + static_cast<std::ptrdiff_t>(leaving));
    of_rows->insert(of_rows->end(), moved.begin(), moved.end());
  }

  auto shares = std::make_shared<Shares>(*nodes.shares());
  shares->first_leaf = first_nodes(nodes);
  shares->first_row = {0};
  for (const std::size_t of_rank : ranks.gather(count)) shares->first_row.push_back(shares->first_row.back() + of_rank);
  shares->entries = sum_of_ranks(nodes, entries_in(settled, 0, count));
  std::vector<std::size_t> bounds;
  for (std::size_t piece = continues ? 1 : 0; piece < pieces; ++piece) bounds.push_back(nodes.begin(piece) - leaving);
  bounds.push_back(count);
  const std::size_t first = shares->first_leaf[rank_of(nodes)];
  const auto leaves = std::make_shared<const Leaves>(std::move(bounds), std::move(shares), first);
  return std::visit([&](const auto& a) -> Rows { return a.with_leaves(leaves); }, settled);
}

}  // namespace seesaw
