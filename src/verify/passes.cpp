#include "verify/passes.h"

#include <algorithm>

#include "base/parallel.h"
#include "base/tree_sum.h"
#include "data/resident.h"
#include "kernels/at_level.h"
#include "verify/block.h"
#include "verify/over_ranks.h"
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

// ---- a range of columns -------------------------------------------------------------------------------------------

struct Columns {
  std::size_t begin, end;
};

// Adds w_k a_j to the sums of the columns j in `range`; those of column j begin at sums[(j - range.begin) stride].
template <class Row>
SEESAW_INLINE void add_row(Row a, Columns range, const Ball* w, std::size_t count, std::size_t stride, Sum* sums) {
  if constexpr (requires { a.column; }) {
    const auto* const end = a.column + a.size;
    const auto* at = range.begin == 0 ? a.column : std::lower_bound(a.column, end, range.begin);
    for (; at != end && *at < range.end; ++at) {
      const double value = static_cast<double>(a.value[at - a.column]);
      Sum* const to = sums + (*at - range.begin) * stride;
      for (std::size_t k = 0; k < count; ++k) to[k].add_product(value, w[k]);
    }
  } else {
    for (std::size_t j = range.begin; j < range.end; ++j) {
      const double value = static_cast<double>(a.value[j]);
      Sum* const to = sums + (j - range.begin) * stride;
      for (std::size_t k = 0; k < count; ++k) to[k].add_product(value, w[k]);
    }
  }
}

// s_i y_ik for the outputs k in [first, last).
SEESAW_INLINE void weights_of_row(const StatedProblem& problem, std::size_t i, std::size_t first, std::size_t last,
                                  Ball* w) {
  const std::size_t K = problem.outputs;
  const double* const y = problem.y + i * K;
  for (std::size_t k = first; k < last; ++k) w[k - first] = Ball(y[k]);
  if (const std::size_t own = problem.group[i]; problem.loss.of_blocks() && first <= own && own < last)
    w[own - first] = -block_of(y, K, own).others;
  if (!problem.weight.empty())
    for (std::size_t k = first; k < last; ++k) w[k - first] = problem.weight[i] * w[k - first];
}

template <class Rows>
SEESAW_INLINE void image_of_range(const StatedProblem& problem, const Rows& rows, Columns range, std::size_t first,
                                  std::size_t last, Sum* sums) {
  const std::size_t count = last - first;
  std::vector<Ball> w(count);
  resident(
      rows, 0, rows.count(), [&](std::size_t from, std::size_t to) __attribute__((always_inline)) {
        for (std::size_t i = from; i < to; ++i) {
          weights_of_row(problem, i, first, last, w.data());
          if (count == 1 && w[0].zero()) continue;
          add_row(rows.row(i), range, w.data(), count, count, sums);
        }
      });
}

// One weight w_i per row, added to sum `of_row(i)` of `stride`: number (j - range.begin) stride + of_row(i) of
// `values`.
template <class Rows, class Weight, class Place>
SEESAW_INLINE void short_sums_of_range(const Rows& rows, Columns range, std::size_t stride, const Weight& weight_of,
                                       const Place& place_of, Ball* values) {
  const std::size_t width = range.end - range.begin;
  double terms = 0;
  if constexpr (requires { rows.row(0).column; }) {
    std::vector<ShortSum> sums(width * stride);
    resident(
        rows, 0, rows.count(), [&](std::size_t from, std::size_t last) __attribute__((always_inline)) {
          for (std::size_t i = from; i < last; ++i) {
            const Ball w = weight_of(i);
            if (w.zero()) continue;
            ++terms;
            const auto a = rows.row(i);
            ShortSum* const to = sums.data() + place_of(i);
            const auto* const end = a.column + a.size;
            const auto* at = range.begin == 0 ? a.column : std::lower_bound(a.column, end, range.begin);
            if (has_low_part(w)) {
              for (; at != end && *at < range.end; ++at)
                to[(*at - range.begin) * stride].add_product(static_cast<double>(a.value[at - a.column]), w);
            } else {
              const double high = w.high;
              for (; at != end && *at < range.end; ++at)
                to[(*at - range.begin) * stride].add_product(static_cast<double>(a.value[at - a.column]), high);
            }
          }
        });
    for (std::size_t at = 0; at < sums.size(); ++at) values[at] = sums[at].value(terms);
  } else {
    using Value = typename Rows::Value;
    std::vector<DenseColumnSums<Value>> sums(stride, DenseColumnSums<Value>(width));
    resident(
        rows, 0, rows.count(), [&](std::size_t from, std::size_t last) __attribute__((always_inline)) {
          for (std::size_t i = from; i < last; ++i) {
            const Ball w = weight_of(i);
            if (w.zero()) continue;
            ++terms;
            sums[place_of(i)].add(rows.row(i).value + range.begin, w);
          }
          for (DenseColumnSums<Value>& sum : sums) sum.add_rows();
        });
    for (std::size_t j = 0; j < width; ++j)
      for (std::size_t g = 0; g < stride; ++g) values[j * stride + g] = sums[g].value(j, terms);
  }
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
      at_level([&]()
                   __attribute__((always_inline)) { scores_of_rows(problem, rows, from, to, z.data(), score.data()); });
      add_row_losses(problem, from, to, score.data(), results);
    }
  });
}
// Ranges of columns in parallel; every column is summed in the order of the rows, whatever the ranges. Each range is a
// pass over the rows: of rows on disk there is one per thread, so that they are at about the same place in the file.
template <class Value, class Add>
std::vector<Value> over_columns(const StatedProblem& problem, std::size_t stride, const Add& add) {
  const std::size_t d = problem.data.d();
  std::vector<Value> values(d * stride);
  if (d == 0) return values;
  const std::size_t threads = available_threads(),
                    ranges = threads == 1 || extents_of(problem.data.rows) ? threads : 2 * threads;
  parallel_chunks(chunks_of(d, 1, ranges), [&](std::size_t, std::size_t begin, std::size_t end) {
    std::visit([&](const auto& rows) { add(rows, Columns{begin, end}, &values[begin * stride]); }, problem.data.rows);
  });
  return values;
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
                     to[k].of = part.of[k];
                     to[k].outside = part.outside[k];
                     if (part.outside[k] > 0) to[k].first_row = problem.first_row + part.first_row[k];
                   }
                   for (std::size_t k = 0; k < part.balance.size(); ++k) to[k].balance = part.balance[k];
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

std::vector<Ball> dual_image(const StatedProblem& problem, std::size_t first, std::size_t last) {
  const std::size_t count = last - first;
  const Leaves& leaves = problem.data.leaves();
  // Without lambda |v_j| is compared with a bound, which may need full precision.
  if (count == 1 && problem.model.objective.lambda > 0) {
    const auto weight_of = [&](std::size_t i) __attribute__((always_inline)) {
      Ball w;
      weights_of_row(problem, i, first, last, &w);
      return w;
    };
    return over_ranks(leaves, over_columns<Ball>(problem, 1, [&](const auto& rows, Columns range, Ball* values) {
                        at_level([&]() __attribute__((always_inline)) {
                          short_sums_of_range(
                              rows, range, 1, weight_of, [](std::size_t) { return std::size_t{0}; }, values);
                        });
                      }));
  }
  const auto add = [&](const auto& rows, Columns range, Sum* sums) {
    at_level([&]() __attribute__((always_inline)) { image_of_range(problem, rows, range, first, last, sums); });
  };
  if (leaves.shares() != nullptr) {
    const std::vector<Sum> sums = over_ranks(leaves, over_columns<Sum>(problem, count, add));
    std::vector<Ball> values(sums.size());
    for (std::size_t at = 0; at < sums.size(); ++at) values[at] = sums[at].value(problem.terms);
    return values;
  }
  return over_columns<Ball>(problem, count, [&](const auto& rows, Columns range, Ball* values) {
    std::vector<Sum> sums((range.end - range.begin) * count);
    add(rows, range, sums.data());
    for (std::size_t at = 0; at < sums.size(); ++at) values[at] = sums[at].value(problem.n);
  });
}

std::vector<Ball> group_sums(const StatedProblem& problem) {
  const auto weight_of = [&](std::size_t i) __attribute__((always_inline)) { return problem.weight_of(i); };
  const auto group_of = [&](std::size_t i) { return problem.group[i]; };
  const auto add = [&](const auto& rows, Columns range, Ball* values) {
    at_level([&]() __attribute__((always_inline)) {
      short_sums_of_range(rows, range, problem.groups, weight_of, group_of, values);
    });
  };
  return over_ranks(problem.data.leaves(), over_columns<Ball>(problem, problem.groups, add));
}

}  // namespace seesaw::verifier
