#include "verify/passes.h"

#include <algorithm>

#include "base/parallel.h"
#include "verify/block.h"

namespace seesaw::verifier {
namespace {

constexpr std::size_t no_row = static_cast<std::size_t>(-1);

// ---- one row ------------------------------------------------------------------------------------------------------

// z_k = a.x_k + b_k. One output: four sums side by side, so that the additions do not wait for one another.
template <class Row>
SEESAW_INLINE void scores(Row a, const double* x, const double* intercept, std::size_t K, Sum* z) {
  constexpr bool sparse = requires { a.column; };
  for (std::size_t k = 0; k < K; ++k) z[k] = Sum{.first = intercept[k]};
  if (K == 1) {
    Sum part[4];
    std::size_t at = 0;
    for (; at + 4 <= a.size; at += 4)
      for (std::size_t lane = 0; lane < 4; ++lane) {
        std::size_t j = at + lane;
        if constexpr (sparse) j = a.column[j];
        part[lane].add_product(static_cast<double>(a.value[at + lane]), x[j]);
      }
    for (; at < a.size; ++at) {
      std::size_t j = at;
      if constexpr (sparse) j = a.column[j];
      part[0].add_product(static_cast<double>(a.value[at]), x[j]);
    }
    for (const Sum& sum : part) z[0].add(sum);
    return;
  }
  for (std::size_t at = 0; at < a.size; ++at) {
    std::size_t j = at;
    if constexpr (sparse) j = a.column[j];
    const double value = static_cast<double>(a.value[at]);
    if (value == 0) continue;
    for (std::size_t k = 0; k < K; ++k) z[k].add_product(value, x[j * K + k]);
  }
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
  for (std::size_t i = begin; i < end; ++i) {
    const auto row = rows.row(i);
    scores(row, problem.x.data(), problem.model.intercept.data(), K, z);
    for (std::size_t k = 0; k < K; ++k) *score++ = z[k].value(row.size + 1);
  }
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

template <class Rows>
SEESAW_INLINE void image_of_range(const StatedProblem& problem, const Rows& rows, Columns range, std::size_t first,
                                  std::size_t last, Sum* sums) {
  const std::size_t K = problem.outputs, count = last - first;
  std::vector<Ball> w(count);
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const double* const y = &problem.model.y[i * K];
    const bool weighted = !problem.weight.empty();
    for (std::size_t k = first; k < last; ++k) w[k - first] = Ball(y[k]);
    if (const std::size_t own = problem.group[i]; problem.loss.of_blocks() && first <= own && own < last)
      w[own - first] = -block_of(y, K, own).others;
    if (weighted)
      for (Ball& wk : w) wk = problem.weight[i] * wk;
    if (count == 1 && w[0].zero()) continue;
    add_row(rows.row(i), range, w.data(), count, count, sums);
  }
}

template <class Rows>
SEESAW_INLINE void groups_of_range(const StatedProblem& problem, const Rows& rows, Columns range, Sum* sums) {
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const Ball w = problem.weight.empty() ? Ball(1) : problem.weight[i];
    add_row(rows.row(i), range, &w, 1, problem.groups, sums + problem.group[i]);
  }
}

// ---- compiled twice -----------------------------------------------------------------------------------------------

#if defined(__x86_64__)
template <class Rows>
[[gnu::target("fma")]] void scores_with_fma(const StatedProblem& problem, const Rows& rows, std::size_t begin,
                                            std::size_t end, Sum* z, Ball* score) {
  scores_of_rows(problem, rows, begin, end, z, score);
}
template <class Rows>
[[gnu::target("fma")]] void image_with_fma(const StatedProblem& problem, const Rows& rows, Columns range,
                                           std::size_t first, std::size_t last, Sum* sums) {
  image_of_range(problem, rows, range, first, last, sums);
}
template <class Rows>
[[gnu::target("fma")]] void groups_with_fma(const StatedProblem& problem, const Rows& rows, Columns range, Sum* sums) {
  groups_of_range(problem, rows, range, sums);
}
#endif

// By pieces of rows, so that their scores stay in the cache.
template <class Rows>
void chunk(const StatedProblem& problem, const Rows& rows, std::size_t begin, std::size_t end, RowResults& results) {
  constexpr std::size_t piece = 64;
  std::vector<Sum> z(problem.outputs);
  std::vector<Ball> score(piece * problem.outputs);
  for (std::size_t from = begin; from < end; from += piece) {
    const std::size_t to = std::min(end, from + piece);
#if defined(__x86_64__)
    if (has_fma()) scores_with_fma(problem, rows, from, to, z.data(), score.data());
    else
#endif
      scores_of_rows(problem, rows, from, to, z.data(), score.data());
    add_row_losses(problem, from, to, score.data(), results);
  }
}
template <class Rows>
void image(const StatedProblem& problem, const Rows& rows, Columns range, std::size_t first, std::size_t last,
           Sum* sums) {
#if defined(__x86_64__)
  if (has_fma()) return image_with_fma(problem, rows, range, first, last, sums);
#endif
  image_of_range(problem, rows, range, first, last, sums);
}
template <class Rows>
void groups(const StatedProblem& problem, const Rows& rows, Columns range, Sum* sums) {
#if defined(__x86_64__)
  if (has_fma()) return groups_with_fma(problem, rows, range, sums);
#endif
  groups_of_range(problem, rows, range, sums);
}

// The columns in ranges, each by one thread; every column is added up in the order of the rows, whatever the ranges.
template <class Add>
std::vector<Ball> over_columns(const StatedProblem& problem, std::size_t stride, const Add& add) {
  const std::size_t d = problem.data.d();
  std::vector<Ball> values(d * stride);
  if (d == 0) return values;
  parallel_chunks(chunks_of(d, 1, several_threads() ? 4 : 1), [&](std::size_t, std::size_t begin, std::size_t end) {
    std::vector<Sum> sums((end - begin) * stride);
    std::visit([&](const auto& rows) { add(rows, Columns{begin, end}, sums.data()); }, problem.data.rows);
    for (std::size_t at = 0; at < sums.size(); ++at) values[begin * stride + at] = sums[at].value(problem.data.n());
  });
  return values;
}

}  // namespace

RowResults pass_over_rows(const StatedProblem& problem) {
  const Chunks chunks = chunks_of(problem.data.n(), 256);
  std::vector<RowResults> parts(chunks.count, empty_results(problem));
  std::visit(
      [&](const auto& rows) {
        parallel_chunks(chunks, [&](std::size_t part, std::size_t begin, std::size_t end) {
          chunk(problem, rows, begin, end, parts[part]);
        });
      },
      problem.data.rows);
  RowResults all = empty_results(problem);
  for (const RowResults& part : parts) {
    for (std::size_t k = 0; k < all.of.size(); ++k) {
      all.of[k].primal.add(part.of[k].primal);
      all.of[k].dual.add(part.of[k].dual);
      all.outside[k] += part.outside[k];
      all.first_row[k] = std::min(all.first_row[k], part.first_row[k]);
    }
    for (std::size_t k = 0; k < all.balance.size(); ++k) all.balance[k].add(part.balance[k]);
  }
  return all;
}

std::vector<Ball> dual_image(const StatedProblem& problem, std::size_t first, std::size_t last) {
  return over_columns(problem, last - first, [&](const auto& rows, Columns range, Sum* sums) {
    image(problem, rows, range, first, last, sums);
  });
}

std::vector<Ball> group_sums(const StatedProblem& problem) {
  return over_columns(problem, problem.groups,
                      [&](const auto& rows, Columns range, Sum* sums) { groups(problem, rows, range, sums); });
}

}  // namespace seesaw::verifier
