#include "solvers/parts/sampling/entry_draws.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/elementary.h"
#include "base/rng.h"
#include "data/entry.h"

namespace seesaw {
namespace {

template <class RowStorage>
class PairDraws final : public EntryDraws {
 public:
  PairDraws(const RowStorage& rows, double bias_entry, const EntryProbabilities& probabilities, std::size_t pool,
            std::uint64_t seed)
      : rows_(rows),
        bias_entry_(bias_entry),
        probabilities_(probabilities),
        row_pool_(pool),
        column_pool_(pool),
        rng_(seed) {}

  void begin_period() override {
    for (std::uint32_t& i : row_pool_) i = probabilities_.draw_row(rng_.bits());
    for (std::uint32_t& j : column_pool_) j = probabilities_.draw_column(rng_.bits());
  }

  void fill(std::span<EntryDraw> block) override {
    for (EntryDraw& e : block) {
      e.i = draw_row();
      e.other_i = draw_row();
      e.j = draw_column();
      e.other_j = draw_column();
    }
    for (EntryDraw& e : block) {
      e.a = entry(e.i, e.j);
      e.above = entry(e.other_i, e.j);
      e.beside = entry(e.i, e.other_j);
    }
  }

 private:
  std::uint32_t draw_row() {
    if (row_pool_.empty()) return probabilities_.draw_row(rng_.bits());
    return row_pool_[rng_.below(static_cast<std::uint32_t>(row_pool_.size()))];
  }
  std::uint32_t draw_column() {
    if (column_pool_.empty()) return probabilities_.draw_column(rng_.bits());
    return column_pool_[rng_.below(static_cast<std::uint32_t>(column_pool_.size()))];
  }
  double entry(std::uint32_t i, std::uint32_t j) const {
    return j == rows_.width() ? bias_entry_ : seesaw::entry(rows_.row(i), j);
  }

  RowStorage rows_;
  double bias_entry_;
  const EntryProbabilities& probabilities_;
  std::vector<std::uint32_t> row_pool_, column_pool_;
  Rng rng_;
};

// The entries of a matrix row by row, each stored with its column: a random access reads one cache line, not two.
template <class Value>
class PackedEntries {
 public:
  struct Entry {
    Value value;
    std::uint32_t index;
  };

  explicit PackedEntries(const SparseRows<Value>& rows) : offsets_(rows.offsets()) {
    entries_.reserve(rows.entries());
    for (std::size_t k = 0; k < rows.entries(); ++k) entries_.push_back({rows.values()[k], rows.columns()[k]});
  }

  void prefetch_row(std::uint32_t i) const { __builtin_prefetch(&offsets_[i]); }
  std::uint32_t size(std::uint32_t i) const { return static_cast<std::uint32_t>(offsets_[i + 1] - offsets_[i]); }
  const Entry* row(std::uint32_t i) const { return entries_.data() + offsets_[i]; }

 private:
  std::span<const std::uint64_t> offsets_;
  std::vector<Entry> entries_;
};

// In stages over the whole block: each stage prefetches the cache lines that the next one reads. Until an index is
// known, its field holds the position of the entry within the row or column.
template <class Value>
class NonzeroDraws final : public EntryDraws {
 public:
  NonzeroDraws(const SparseRows<Value>& rows, const SparseRows<Value>& columns, double bias_entry,
               const EntryProbabilities& probabilities, std::uint64_t seed)
      : rows_(rows),
        columns_(columns),
        bias_column_(static_cast<std::uint32_t>(rows.width())),
        n_(static_cast<std::uint32_t>(rows.count())),
        bias_entry_(bias_entry),
        probabilities_(probabilities),
        row_rng_(seed, 0),
        place_rng_(seed, 1),
        column_rng_(seed, 2) {}

  void fill(std::span<EntryDraw> block) override {
    const std::uint32_t bias = bias_entry_ > 0 ? 1 : 0;
    for (EntryDraw& e : block) {
      e.i = probabilities_.draw_row(row_rng_.bits());
      rows_.prefetch_row(e.i);
    }
    for (EntryDraw& e : block) {
      const std::uint32_t size = rows_.size(e.i) + bias;
      e.j = place_rng_.below(size);
      e.other_j = place_rng_.below(size);
      __builtin_prefetch(rows_.row(e.i) + e.j);
      __builtin_prefetch(rows_.row(e.i) + e.other_j);
    }
    for (EntryDraw& e : block) {
      e.a = take_from_row(e.i, e.j);
      e.beside = take_from_row(e.i, e.other_j);
      columns_.prefetch_row(e.j);
    }
    for (EntryDraw& e : block) {
      const bool of_bias = e.j == bias_column_;
      e.other_i = column_rng_.below(of_bias ? n_ : columns_.size(e.j));
      if (!of_bias) __builtin_prefetch(columns_.row(e.j) + e.other_i);
    }
    for (EntryDraw& e : block) {
      if (e.j == bias_column_) e.above = bias_entry_;
      else e.above = take(columns_.row(e.j)[e.other_i], e.other_i);
    }
  }

 private:
  using Entry = typename PackedEntries<Value>::Entry;
  static double take(const Entry& entry, std::uint32_t& index) {
    index = entry.index;
    return static_cast<double>(entry.value);
  }
  double take_from_row(std::uint32_t i, std::uint32_t& place) const {
    if (place < rows_.size(i)) return take(rows_.row(i)[place], place);
    place = bias_column_;  // the intercept's entry is after the others
    return bias_entry_;
  }

  PackedEntries<Value> rows_, columns_;
  std::uint32_t bias_column_, n_;
  double bias_entry_;
  const EntryProbabilities& probabilities_;
  Rng row_rng_, place_rng_, column_rng_;  // one per stage: the draws do not depend on the block size
};

}  // namespace

std::size_t pool_size(const EntryFacts& facts) {
  const double all = facts.n() * facts.d();
  return static_cast<std::size_t>(std::ceil(all / std::max(1.0, log_of(all))));
}

std::unique_ptr<EntryDraws> make_entry_draws(const Problem& problem, const EntryProbabilities& probabilities,
                                             EntrySampling sampling, double bias_entry, std::uint64_t seed,
                                             std::size_t pool) {
  return std::visit(
      [&](const auto& rows) -> std::unique_ptr<EntryDraws> {
        using RowStorage = std::decay_t<decltype(rows)>;
        if (sampling != EntrySampling::nonzeros)
          return std::make_unique<PairDraws<RowStorage>>(rows, bias_entry, probabilities, pool, seed);
        if constexpr (requires { rows.offsets(); })
          return std::make_unique<NonzeroDraws<typename RowStorage::Value>>(
              rows, std::get<RowStorage>(problem.columns()), bias_entry, probabilities, seed);
        else throw std::logic_error("sampling of non-zeros needs sparse storage");
      },
      problem.data->rows);
}

}  // namespace seesaw
