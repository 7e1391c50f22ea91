#include "verify/passes.h"

#include <algorithm>

#include "base/buffer.h"
#include "base/tree_sum.h"
#include "data/column_ranges.h"
#include "data/resident.h"
#include "kernels/at_level.h"
#include "verify/block.h"
#include "verify/short_sum.h"

namespace seesaw::verifier {
namespace {

constexpr std::size_t no_row = static_cast<std::size_t>(-1);

// ---- one row ------------------------------------------------------------------------------------------------------

// z_k = a.x_k + b_k
template <class Row>
SEESAW_INLINE void scores(Row a, const double* x, const double* intercept, std::size_t K, Sum* z, Ball* score) {
  if (K == 1) {
    *score = short_score(a, x, intercept[0]);
    return;
  }
  for (std::size_t k = 0; k < K; ++k) z[k] = Sum{.first = intercept[k]};
  for (std::size_t at = 0; at < a.size; ++at) {
    std::size_t j = at;
    if constexpr (requires { a.column; }) j = a.column[j];
    const double value = static_cast<double>(a.value[at]);
    if (value == 0) continue;
    for (std::size_t k = 0; k < K; ++k) z[k].add_product(value, x[j * K + k]);
  }
  for (std::size_t k = 0; k < K; ++k) score[k] = z[k].value(a.size + 1);
}

// ---- a chunk of rows ----------------------------------------------------------------------------------------------

RowResults empty_results(const StatedProblem& problem) {
  const std::size_t sums = problem.loss.of_blocks() ? 1 : problem.outputs;
  return {std::vector<RowSums>(sums), std::vector<Sum>(problem.outputs), std::vector<std::size_t>(sums),
          std::vector<std::size_t>(sums, no_row)};
}

template <class Rows>
SEESAW_INLINE void scores_of_rows(const StatedProblem& problem, const Rows& rows, std::size_t begin, std::size_t end,
                                  Sum* z, Ball* score) {
  const std::size_t K = problem.outputs;
  for (std::size_t i = begin; i < end; ++i, score += K)
    scores(rows.row(i), problem.x.data(), problem.model.intercept.data(), K, z, score);
}

// ---- columns ------------------------------------------------------------------------------------------------------

template <class Row, class Body>
SEESAW_INLINE void each_entry(Row a, const Body& body) {
  for (std::size_t at = 0; at < a.size; ++at) {
    std::size_t j = at;
    if constexpr (requires { a.column; }) j = a.column[at];
    body(j, static_cast<double>(a.value[at]));
  }
}

// s_i y_ik for the outputs k in [first, last).
SEESAW_INLINE void weights_of_row(const StatedProblem& problem, std::size_t i, std::size_t first, std::size_t last,
                                  Ball* w) {
  if (i % 256 == 0) problem.poll();
  const std::size_t K = problem.outputs;
  const double* const y = problem.y + i * K;
  for (std::size_t k = first; k < last; ++k) w[k - first] = Ball(y[k]);
  if (const std::size_t own = problem.group[i]; problem.loss.of_blocks() && first <= own && own < last)
    w[own - first] = -block_of(y, K, own).others;
  if (!problem.weight.empty())
    for (std::size_t k = first; k < last; ++k) w[k - first] = problem.weight[i] * w[k - first];
}

// The rows begin .. end - 1, each times its weight, added to sum number j stride + place_of(i) of column j.
template <class AnyRows, class Weight, class Place>
SEESAW_INLINE void add_short_sums(const AnyRows& rows, std::size_t begin, std::size_t end, const Weight& weight_of,
                                  const Place& place_of, std::size_t stride, ShortSum* sums) {
  for (std::size_t i = begin; i < end; ++i) {
    const Ball w = weight_of(i);
    if (w.zero()) continue;
    ShortSum* const to = sums + place_of(i);
    if (has_low_part(w)) {
      each_entry(
          rows.row(i), [&](std::size_t j, double value)
                           __attribute__((always_inline)) { to[j * stride].add_product(value, w); });
    } else {
      const double high = w.high;
      each_entry(
          rows.row(i), [&](std::size_t j, double value)
                           __attribute__((always_inline)) { to[j * stride].add_product(value, high); });
    }
  }
}
template <class Value, class Weight, class Place>
SEESAW_INLINE void add_short_sums(const DenseRows<Value>& rows, std::size_t begin, std::size_t end,
                                  const Weight& weight_of, const Place& place_of, std::size_t stride, ShortSum* sums) {
  std::vector<DenseColumnSums<Value>> of_place;
  for (std::size_t at = 0; at < stride; ++at) of_place.emplace_back(sums + at, rows.width(), stride);
  for (std::size_t i = begin; i < end; ++i)
    if (const Ball w = weight_of(i); !w.zero()) of_place[place_of(i)].add(rows.row(i).value, w);
  for (DenseColumnSums<Value>& of : of_place) of.store();
}

// ---- over all rows, over all columns ------------------------------------------------------------------------------

// By blocks of rows, so that their scores stay in the cache.
template <class Rows>
void add_rows(const StatedProblem& problem, const Rows& rows, std::size_t begin, std::size_t end, RowResults& results) {
  constexpr std::size_t block = 64;
  std::vector<Sum> z(problem.outputs);
  std::vector<Ball> score(block * problem.outputs);
  resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
    for (std::size_t from = first; from < last; from += block) {
      const std::size_t to = std::min(last, from + block);
      problem.poll();
      at_level([&]()
                   __attribute__((always_inline)) { scores_of_rows(problem, rows, from, to, z.data(), score.data()); });
      add_row_losses(problem, from, to, score.data(), results);
    }
  });
}

// `stride` sums per column, over groups of leaves that have at least 4 additions per sum: each entry is added to
// `per_entry` of them. add(rows, begin, end, sums) adds the rows begin .. end - 1, one after the other.
template <class T, class Add>
Buffer<T> over_columns(const StatedProblem& problem, std::size_t stride, std::size_t per_entry, const Add& add) {
  Buffer<T> sums(problem.data.d() * stride);
  std::visit(
      [&](const auto& rows) {
        const std::size_t most = all_entries(rows) * per_entry / std::max<std::size_t>(4 * sums.size(), 1);
        const Leaves leaves = rows.leaves()->grouped(most);
        tree_sum(leaves, sums.size(), sums.data(), [&](std::size_t begin, std::size_t end, T* to) {
          resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
            in_column_ranges(rows, RowRange{first, last}, leaves.count(), [&](const auto& part) {
              at_level([&]() __attribute__((always_inline)) { add(part, first, last, to); });
            });
          });
        });
      },
      problem.data.rows);
  return sums;
}

template <class Weight, class Place>
std::vector<Ball> short_sums(const StatedProblem& problem, std::size_t stride, const Weight& weight_of,
                             const Place& place_of) {
  std::size_t own = 0;
  for (std::size_t i = 0; i < problem.data.n(); ++i) own += !weight_of(i).zero();
  const auto terms = static_cast<double>(sum_of_ranks(problem.data.leaves(), own));
  const Buffer<ShortSum> sums = over_columns<ShortSum>(
      problem, stride,
      1, [&](const auto& rows, std::size_t begin, std::size_t end, ShortSum* to) __attribute__((always_inline)) {
        add_short_sums(rows, begin, end, weight_of, place_of, stride, to);
      });
  std::vector<Ball> values(sums.size());
  for (std::size_t at = 0; at < values.size(); ++at) values[at] = sums[at].value(terms);
  return values;
}

template <class Sums>
std::vector<Ball> values_of(const StatedProblem& problem, const Sums& sums) {
  std::vector<Ball> values;
  values.reserve(sums.size());
  for (const Sum& sum : sums) values.push_back(sum.value(problem.n));
  return values;
}

std::vector<Ball> compute_dual_image(const StatedProblem& problem, std::size_t first, std::size_t last) {
  const std::size_t count = last - first;
  // Without lambda |v_j| is compared with a bound, which may need full precision.
  if (count == 1 && problem.model.objective.lambda > 0)
    return short_sums(
        problem, 1,
        [&](std::size_t i) __attribute__((always_inline)) {
          Ball w;
          weights_of_row(problem, i, first, last, &w);
          return w;
        },
        [](std::size_t) { return std::size_t{0}; });
  const Buffer<Sum> sums = over_columns<Sum>(
      problem, count,
      count, [&](const auto& rows, std::size_t begin, std::size_t end, Sum* to) __attribute__((always_inline)) {
        std::vector<Ball> w(count);
        for (std::size_t i = begin; i < end; ++i) {
          weights_of_row(problem, i, first, last, w.data());
          if (count == 1 && w[0].zero()) continue;
          each_entry(
              rows.row(i), [&](std::size_t j, double value) __attribute__((always_inline)) {
                for (std::size_t k = 0; k < count; ++k) to[j * count + k].add_product(value, w[k]);
              });
        }
      });
  return values_of(problem, sums);
}

}  // namespace

RowResults pass_over_rows(const StatedProblem& problem) {
  // The results of one output, in the order of the rows.
  struct OutputSums {
    RowSums of;
    Sum balance;
    std::size_t outside = 0, first_row = no_row;
    OutputSums& operator+=(const OutputSums& other) {
      of.primal.add(other.of.primal);
      of.dual.add(other.of.dual);
      balance.add(other.balance);
      outside += other.outside;
      first_row = std::min(first_row, other.first_row);
      return *this;
    }
  };
  std::vector<OutputSums> sums(problem.outputs);
  std::visit(
      [&](const auto& rows) {
        tree_sum(problem.data.leaves(), sums.size(), sums.data(),
                 [&](std::size_t begin, std::size_t end, OutputSums* to) {
                   RowResults part = empty_results(problem);
                   add_rows(problem, rows, begin, end, part);
                   for (std::size_t k = 0; k < part.of.size(); ++k) {
                     OutputSums own{part.of[k], {}, part.outside[k], no_row};
                     if (part.outside[k] > 0) own.first_row = problem.first_row + part.first_row[k];
                     to[k] += own;
                   }
                   for (std::size_t k = 0; k < part.balance.size(); ++k) to[k].balance.add(part.balance[k]);
                 });
      },
      problem.data.rows);
  RowResults results = empty_results(problem);
  for (std::size_t k = 0; k < results.of.size(); ++k) {
    results.of[k] = sums[k].of;
    results.outside[k] = sums[k].outside;
    results.first_row[k] = sums[k].first_row;
  }
  for (std::size_t k = 0; k < results.balance.size(); ++k) results.balance[k] = sums[k].balance;
  return results;
}

const std::vector<Ball>& dual_image(const StatedProblem& problem, std::size_t first, std::size_t last) {
  StatedProblem::Image& known = problem.image;
  if (known.values.empty() || known.first != first || known.last != last)
    known = {first, last, compute_dual_image(problem, first, last)};
  return known.values;
}

std::vector<Ball> dual_sums(const StatedProblem& problem) {
  const std::size_t K = problem.outputs;
  std::vector<Sum> sums(K);
  tree_sum(problem.data.leaves(), K, sums.data(), [&](std::size_t begin, std::size_t end, Sum* to) {
    std::vector<Ball> w(K);
    for (std::size_t i = begin; i < end; ++i) {
      weights_of_row(problem, i, 0, K, w.data());
      for (std::size_t k = 0; k < K; ++k) to[k].add(w[k]);
    }
  });
  return values_of(problem, sums);
}

std::vector<Ball> square_sums(const StatedProblem& problem) {
  return values_of(
      problem,
      over_columns<Sum>(
          problem, 1,
          1, [&](const auto& rows, std::size_t begin, std::size_t end, Sum* to) __attribute__((always_inline)) {
            for (std::size_t i = begin; i < end; ++i) {
              const Ball s = problem.weight_of(i);
              each_entry(
                  rows.row(i), [&](std::size_t j, double a)
                                   __attribute__((always_inline)) { to[j].add(s * square(Ball(a))); });
            }
          }));
}

std::vector<Ball> group_sums(const StatedProblem& problem) {
  const auto weight_of = [&](std::size_t i) __attribute__((always_inline)) {
    if (i % 256 == 0) problem.poll();
    return problem.weight_of(i);
  };
  return short_sums(problem, problem.groups, weight_of, [&](std::size_t i) { return problem.group[i]; });
}

}  // namespace seesaw::verifier
