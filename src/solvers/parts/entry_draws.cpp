#include "solvers/parts/entry_draws.h"

#include <algorithm>
#include <stdexcept>

namespace seesaw {
namespace {

template <class Value>
const Value* place_of(SparseRow<Value> a, std::uint32_t j) {  // of a_ij; nothing where it is not stored
  const std::uint32_t* end = a.column + a.size;
  const std::uint32_t* found = std::lower_bound(a.column, end, j);
  return found != end && *found == j ? a.value + (found - a.column) : nullptr;
}
template <class Value>
const Value* place_of(DenseRow<Value> a, std::uint32_t j) {
  return a.value + j;
}

template <class RowStorage>
class PairDraws final : public EntryDraws {
 public:
  PairDraws(const RowStorage& rows, double bias_entry, const EntryOdds& odds, Rng rng)
      : rows_(rows), bias_entry_(bias_entry), odds_(odds), rng_(rng) {}

  void fill(std::span<EntryDraw> block) override {
    for (EntryDraw& e : block) {
      e.i = odds_.draw_row(rng_.bits());
      e.other_i = odds_.draw_row(rng_.bits());
      e.j = odds_.draw_column(rng_.bits());
      e.other_j = odds_.draw_column(rng_.bits());
    }
    for (EntryDraw& e : block) {
      e.a = entry(e.i, e.j);
      e.above = entry(e.other_i, e.j);
      e.beside = entry(e.i, e.other_j);
    }
  }

 private:
  double entry(std::uint32_t i, std::uint32_t j) const {
    if (j == rows_.width()) return bias_entry_;
    const auto* value = place_of(rows_.row(i), j);
    return value != nullptr ? static_cast<double>(*value) : 0;
  }

  RowStorage rows_;
  double bias_entry_;
  const EntryOdds& odds_;
  Rng rng_;
};

// In stages over the whole block: each asks for the cache lines that the next one reads.
template <class Value>
class NonzeroDraws final : public EntryDraws {
 public:
  NonzeroDraws(const SparseRows<Value>& rows, const SparseRows<Value>& columns, double bias_entry,
               const EntryOdds& odds, Rng rng)
      : rows_(rows), columns_(columns), bias_entry_(bias_entry), odds_(odds), rng_(rng) {}

  void fill(std::span<EntryDraw> block) override {
    const std::size_t bias = bias_entry_ > 0 ? 1 : 0;
    for (EntryDraw& e : block) {
      e.i = odds_.draw_row(rng_.bits());
      __builtin_prefetch(&rows_.offsets()[e.i]);
    }
    for (EntryDraw& e : block) {  // places in the row
      const auto a = rows_.row(e.i);
      e.j = rng_.below(static_cast<std::uint32_t>(a.size + bias));
      e.other_j = rng_.below(static_cast<std::uint32_t>(a.size + bias));
      ask_for(a, e.j);
      ask_for(a, e.other_j);
    }
    for (EntryDraw& e : block) {  // columns
      const auto a = rows_.row(e.i);
      e.a = take(a, e.j, rows_.width());
      e.beside = take(a, e.other_j, rows_.width());
      __builtin_prefetch(&columns_.offsets()[e.j]);
    }
    for (EntryDraw& e : block) {  // places in the column
      if (e.j == rows_.width()) {
        e.other_i = rng_.below(static_cast<std::uint32_t>(rows_.count()));
        continue;
      }
      const auto a = columns_.row(e.j);
      e.other_i = rng_.below(static_cast<std::uint32_t>(a.size));
      ask_for(a, e.other_i);
    }
    for (EntryDraw& e : block) {  // rows
      if (e.j == rows_.width()) e.above = bias_entry_;
      else e.above = take(columns_.row(e.j), e.other_i, 0);
    }
  }

 private:
  static void ask_for(SparseRow<Value> a, std::uint32_t place) {
    __builtin_prefetch(a.column + place);
    __builtin_prefetch(a.value + place);
  }
  // The entry at the place, which becomes the index of its column; the one after the last is the intercept's.
  double take(SparseRow<Value> a, std::uint32_t& place, std::size_t bias_column) const {
    if (place == a.size) {
      place = static_cast<std::uint32_t>(bias_column);
      return bias_entry_;
    }
    const Value value = a.value[place];
    place = a.column[place];
    return static_cast<double>(value);
  }

  SparseRows<Value> rows_, columns_;
  double bias_entry_;
  const EntryOdds& odds_;
  Rng rng_;
};

}  // namespace

std::unique_ptr<EntryDraws> make_entry_draws(const Problem& problem, const EntryOdds& odds, EntrySampling sampling,
                                             double bias_entry, Rng rng) {
  return std::visit(
      [&](const auto& rows) -> std::unique_ptr<EntryDraws> {
        using RowStorage = std::decay_t<decltype(rows)>;
        if (sampling != EntrySampling::nonzeros)
          return std::make_unique<PairDraws<RowStorage>>(rows, bias_entry, odds, rng);
        if constexpr (requires { rows.offsets(); })
          return std::make_unique<NonzeroDraws<typename RowStorage::Value>>(
              rows, std::get<RowStorage>(problem.columns()), bias_entry, odds, rng);
        else throw std::logic_error("the non-zeros of dense rows are not known");
      },
      problem.data->rows);
}

}  // namespace seesaw
