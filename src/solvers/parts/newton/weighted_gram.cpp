#include "solvers/parts/newton/weighted_gram.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/parallel_dense.h"
#include "base/stop.h"
#include "base/tree_sum.h"
#include "data/listed_nodes.h"
#include "data/resident.h"
#include "kernels/dense.h"

namespace seesaw {
namespace {

constexpr std::size_t narrow = 72;                          // columns of H that fit into the L1 cache
constexpr std::size_t block = 256;                          // rows per dense block
constexpr std::size_t most_numbers = std::size_t{1} << 26;  // of all matrices of a sum: 512 MB

// Four columns of H at a time: each entry of the row is read once for all four, and the columns do not overlap, so that
// all four numbers can be read before the first is written. The columns of the entries first .. last - 1.
template <class Value>
[[gnu::always_inline]] inline void scatter(const SparseRow<Value>& a, std::size_t first, std::size_t last,
                                           double weight, double* h, std::size_t stride) {
  const auto value = [&](std::size_t k) { return static_cast<double>(a.value[k]); };
  const auto column = [&](std::size_t k) { return h + std::size_t{a.column[k]} * stride; };
  std::size_t k = first;
  for (; k + 4 <= last; k += 4) {
    double *const c0 = column(k), *const c1 = column(k + 1), *const c2 = column(k + 2), *const c3 = column(k + 3);
    const double s0 = weight * value(k), s1 = weight * value(k + 1), s2 = weight * value(k + 2),
                 s3 = weight * value(k + 3);
    c0[a.column[k]] += s0 * value(k);
    c0[a.column[k + 1]] += s0 * value(k + 1);
    c0[a.column[k + 2]] += s0 * value(k + 2);
    c0[a.column[k + 3]] += s0 * value(k + 3);
    c1[a.column[k + 1]] += s1 * value(k + 1);
    c1[a.column[k + 2]] += s1 * value(k + 2);
    c1[a.column[k + 3]] += s1 * value(k + 3);
    c2[a.column[k + 2]] += s2 * value(k + 2);
    c2[a.column[k + 3]] += s2 * value(k + 3);
    c3[a.column[k + 3]] += s3 * value(k + 3);
    for (std::size_t m = k + 4; m < a.size; ++m) {
      const std::size_t j = a.column[m];
      const double v = value(m);
      const double h0 = c0[j] + s0 * v, h1 = c1[j] + s1 * v, h2 = c2[j] + s2 * v, h3 = c3[j] + s3 * v;
      c0[j] = h0;
      c1[j] = h1;
      c2[j] = h2;
      c3[j] = h3;
    }
  }
  for (; k < last; ++k) {
    double* const c = column(k);
    const double s = weight * value(k);
    for (std::size_t m = k; m < a.size; ++m) c[a.column[m]] += s * value(m);
  }
}

struct Listed {
  std::span<const std::uint32_t> which;
  std::span<const double> weight;
  std::span<const double> t = {};  // the last column, one number per listed row; empty: none
  bool one_weight = false;         // known to be the same for all

  Listed part(std::size_t begin, std::size_t count) const {
    return {which.subspan(begin, count), weight.subspan(begin, count), t.empty() ? t : t.subspan(begin, count),
            one_weight};
  }
};

// The part of the matrix that one task computes: all rows of a group, the columns from .. to - 1. Behind the columns of the
// rows: the border, then t.
struct Target {
  double* h;
  std::size_t unknowns;
  bool border, t;

  std::size_t last_columns() const { return (border ? 1 : 0) + (t ? 1 : 0); }
  std::size_t features() const { return unknowns - last_columns(); }
  // Of a listed row.
  double last(const Listed& of, std::size_t column, std::size_t k) const { return border && column == 0 ? 1 : of.t[k]; }
};

template <class Value>
void scatter_columns(const SparseRows<Value>& rows, const Listed& listed, std::size_t from, std::size_t to,
                     const StopPoll& poll, const Target& target) {
  const std::size_t features = target.features();
  const bool all = from == 0 && to == target.unknowns;
  StopPoll stop = poll;
  for (std::size_t k = 0; k < listed.which.size() && !stop.requested(); ++k) {
    const double weight = listed.weight[k];
    if (!(weight > 0)) continue;
    const SparseRow<Value> a = rows.row(listed.which[k]);
    std::size_t first = 0, last = a.size;
    if (!all) {
      first = static_cast<std::size_t>(std::lower_bound(a.column, a.column + a.size, from) - a.column);
      last = static_cast<std::size_t>(std::lower_bound(a.column + first, a.column + a.size, to) - a.column);
    }
    scatter(a, first, last, weight, target.h, target.unknowns);
    for (std::size_t l = 0; l < target.last_columns(); ++l) {
      const double scaled = weight * target.last(listed, l, k);
      double* const to_row = target.h + features + l;
      for (std::size_t e = first; e < last; ++e)
        to_row[a.column[e] * target.unknowns] += scaled * static_cast<double>(a.value[e]);
      for (std::size_t m = 0; m <= l; ++m)
        if (from <= features + m && features + m < to)
          to_row[(features + m) * target.unknowns] += scaled * target.last(listed, m, k);
    }
  }
}

// Borders of ranges of columns with about the same number of products each, from a sample of the rows.
template <class Value>
std::vector<std::size_t> balanced_products(const SparseRows<Value>& rows, std::span<const std::uint32_t> which,
                                           std::size_t unknowns, std::size_t parts) {
  std::vector<double> products(unknowns + 1);  // of all columns before
  for (std::size_t k = 0; k < which.size(); k += which.size() / 1024 + 1) {
    const SparseRow<Value> a = rows.row(which[k]);
    for (std::size_t e = 0; e < a.size; ++e) products[a.column[e] + 1] += static_cast<double>(a.size - e);
  }
  std::partial_sum(products.begin(), products.end(), products.begin());
  std::vector<std::size_t> borders{0};
  for (std::size_t part = 1; part < parts; ++part) {
    const double before = products.back() * static_cast<double>(part) / static_cast<double>(parts);
    const auto border =
        static_cast<std::size_t>(std::lower_bound(products.begin(), products.end(), before) - products.begin());
    if (border > borders.back() && border < unknowns) borders.push_back(border);
  }
  borders.push_back(unknowns);
  return borders;
}

// Rows of positive weight, as the columns of a dense block, times sqrt(weight); then a product of matrices. Blocks of 256
// rows, or several of them at once for several tiles: the kernel adds them in the same order.
template <class RowsOf>
void add_blocks(const RowsOf& rows, const Listed& listed, const StopPoll& poll, const Target& target,
                std::size_t tiles) {
  const std::size_t unknowns = target.unknowns, most = tiles == 1 ? block : 4 * block;
  Buffer<double> written(unknowns * std::min(most, listed.which.size()));
  std::vector<std::size_t> used;  // positions in the list of the rows that are written next
  std::size_t filled = 0;         // rows of the block that are written
  const auto write = [&] {
    const Chunks chunks = chunks_of(used.size(), tiles == 1 ? used.size() : block / 4);
    parallel_inside(chunks.count, [&](std::size_t chunk) {
      for (std::size_t at = chunks.begin(chunk); at < chunks.end(chunk); ++at) {
        const double scale = std::sqrt(listed.weight[used[at]]);
        double* const to = written.data() + (filled + at) * unknowns;
        std::fill_n(to, unknowns, 0.0);
        for_each(rows.row(listed.which[used[at]]), [&](std::size_t j, double a) { to[j] = scale * a; });
        for (std::size_t l = 0; l < target.last_columns(); ++l)
          to[target.features() + l] = scale * target.last(listed, l, used[at]);
      }
    });
    filled += used.size();
    used.clear();
  };
  const auto flush = [&] {
    add_gram_in_tiles(written.data(), unknowns, filled, target.h, unknowns, tiles);
    filled = 0;
  };
  StopPoll stop = poll;
  resident(rows, listed.which, 0, listed.which.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last && !stop.requested(); ++k) {
      if (!(listed.weight[k] > 0)) continue;
      used.push_back(k);
      if (filled + used.size() < most) continue;
      write();
      flush();
    }
    if (!used.empty()) write();
  });
  if (filled > 0) flush();
}

// The products of a last column with contiguous listed rows, by the operations of a product of matrices: sums[j] for the
// columns j of the rows, then for the last columns up to this one.
void add_last_column(const DenseRows<double>& rows, const Listed& listed, const Target& target, std::size_t column,
                     const double* ones, double* sums) {
  const std::size_t d = rows.width(), count = listed.which.size();
  const auto numbers = [&](std::size_t of) { return target.border && of == 0 ? ones : listed.t.data(); };
  const double* const factor = numbers(column);
  multiply({d, 1, count, rows.row(listed.which[0]).value, 1, d, factor, 1, 0, sums, d});
  for (std::size_t m = 0; m <= column; ++m) multiply({1, 1, count, numbers(m), 1, 1, factor, 1, 0, sums + d + m, 1});
}

// Rows of one weight, as of the squared loss without weights: H += weight A^T A. Rows in memory are used as they are, in
// blocks of the same size.
template <class RowsOf>
void add_blocks_of_one_weight(const RowsOf& rows, const Listed& listed, const StopPoll& poll, const Target& target,
                              std::size_t tiles) {
  constexpr std::size_t fits = std::size_t{1} << 15;  // numbers: four blocks that stay in the cache
  const std::size_t unknowns = target.unknowns, most = tiles == 1 && 4 * block * unknowns > fits ? block : 4 * block;
  Buffer<double> sum(unknowns * unknowns);
  std::fill(sum.begin(), sum.end(), 0.0);
  const Target plain{sum.data(), unknowns, target.border, target.t};
  bool in_place = false;
  if constexpr (std::is_same_v<RowsOf, DenseRows<double>>)
    if (extents_of(rows) == nullptr && listed.which.back() - listed.which.front() + 1 == listed.which.size()) {
      in_place = true;
      const std::size_t features = target.features(), columns = target.last_columns();
      std::vector<double> of_last(columns * unknowns);
      const std::vector<double> ones(target.border ? most : 0, 1.0);
      for (std::size_t k = 0; k < listed.which.size() && !stop_requested(); k += most) {
        const std::size_t count = std::min(most, listed.which.size() - k);
        add_gram_in_tiles(rows.row(listed.which[k]).value, features, count, sum.data(), unknowns, tiles);
        for (std::size_t l = 0; l < columns; ++l)
          add_last_column(rows, listed.part(k, count), target, l, ones.data(), &of_last[l * unknowns]);
      }
      for (std::size_t l = 0; l < columns; ++l)
        for (std::size_t j = 0; j <= features + l; ++j) sum[j * unknowns + features + l] = of_last[l * unknowns + j];
    }
  if (!in_place) {
    const std::vector<double> ones(listed.which.size(), 1.0);
    add_blocks(rows, {listed.which, ones, listed.t}, poll, plain, tiles);
  }
  const double weight = listed.weight[0];
  for (std::size_t j = 0; j < unknowns; ++j)
    for (std::size_t i = j; i < unknowns; ++i) target.h[j * unknowns + i] += weight * sum[j * unknowns + i];
}

bool of_one_weight(const Listed& listed, std::size_t unknowns) {
  constexpr std::size_t most_unknowns = 1000;    // another matrix
  constexpr std::size_t least_rows = 4 * block;  // a copy of fewer costs little
  return unknowns <= most_unknowns && listed.weight.size() >= least_rows && listed.weight[0] > 0 &&
         (listed.one_weight ||
          std::all_of(listed.weight.begin(), listed.weight.end(), [&](double w) { return w == listed.weight[0]; }));
}

template <class RowsOf>
bool by_blocks(const RowsOf& rows, std::size_t unknowns) {
  if constexpr (requires(typename RowsOf::Row a) { a.column; }) {
    const double density =
        static_cast<double>(all_entries(rows)) /
        (static_cast<double>(all_rows(rows)) * static_cast<double>(std::max<std::size_t>(rows.width(), 1)));
    return density > (unknowns <= narrow ? 0.25 : 0.3);
  }
  return true;
}

template <class RowsOf>
void add_rows(const RowsOf& rows, const Listed& listed, const StopPoll& poll, const Target& target, std::size_t tiles) {
  if (by_blocks(rows, target.unknowns))
    return of_one_weight(listed, target.unknowns) ? add_blocks_of_one_weight(rows, listed, poll, target, tiles)
                                                  : add_blocks(rows, listed, poll, target, tiles);
  if constexpr (requires(typename RowsOf::Row a) { a.column; }) {
    resident(rows, listed.which, 0, listed.which.size(), [&](std::size_t first, std::size_t last) {
      const Listed piece = listed.part(first, last - first);
      if (tiles == 1) return scatter_columns(rows, piece, 0, target.unknowns, poll, target);
      const std::vector<std::size_t> borders =
          balanced_products(rows, piece.which, target.unknowns, available_threads());
      parallel_inside(borders.size() - 1, [&](std::size_t part) {
        scatter_columns(rows, piece, borders[part], borders[part + 1], poll, target);
      });
    });
  }
}

// Listed rows per group, so that a matrix costs little beside the products of its rows: r^2/2 each if they are scattered.
template <class RowsOf>
std::size_t rows_per_matrix(const RowsOf& rows, std::size_t unknowns) {
  const std::size_t r = std::max<std::size_t>(all_entries(rows) / std::max<std::size_t>(all_rows(rows), 1), 1);
  const std::size_t least = std::max<std::size_t>(1024, 4 * unknowns);
  return by_blocks(rows, unknowns) ? least : std::max(least, 16 * (unknowns / r) * (unknowns / r));
}

struct Largest {  // of groups of rows
  double rows = 0;
  Largest& operator+=(const Largest& other) {
    rows = std::max(rows, other.rows);
    return *this;
  }
};

double assemble(const Rows& rows, const Listed& of, bool border, bool with_t, Eigen::MatrixXd& h) {
  return std::visit(
      [&](const auto& a) {
        const std::size_t unknowns = a.width() + (border ? 1 : 0) + (with_t ? 1 : 0), threads = available_threads();
        const Leaves nodes = leaves_of_list(a, of.which, rows_per_matrix(a, unknowns));
        const bool complete = by_blocks(a, unknowns);
        const ListedNodes listed(rows, of.which, of.weight, nodes, complete);
        std::optional<ListedNodes> with_numbers;  // t, where it is moved with the rows
        if (with_t && nodes.shares() != nullptr) with_numbers.emplace(rows, of.which, of.t, nodes, complete);
        const Leaves& groups = listed.leaves();
        // Matrices in use at the same time: at most most_numbers together. Tiles, if that is too few for the threads.
        const std::size_t workers = std::clamp<std::size_t>(most_numbers / (unknowns * unknowns + 1), 1, threads);
        const bool divided = threads > 1 && (workers < threads || groups.count() < 4 * threads);
        const std::size_t tiles = divided && of.which.size() > block ? tiles_for(unknowns) : 1;
        const double row = static_cast<double>(a.entries()) / static_cast<double>(std::max<std::size_t>(a.count(), 1));
        const StopPoll poll(row * row / 2);  // after a stop: the Gram matrix of fewer rows
        h.resize(static_cast<Eigen::Index>(unknowns), static_cast<Eigen::Index>(unknowns));
        tree_sum(
            groups, unknowns * unknowns, h.data(),
            [&](std::size_t begin, std::size_t end, double* part) {
              const Target target{part, unknowns, border, with_t};
              const MovedRows* const moved = listed.moved(begin, end);
              if (moved == nullptr) return add_rows(a, of.part(begin, end - begin), poll, target, tiles);
              const auto t = with_numbers ? std::span<const double>(with_numbers->moved(begin, end)->weight)
                                          : std::span<const double>();
              add_rows(std::get<std::remove_cvref_t<decltype(a)>>(moved->rows),
                       {moved->which, moved->weight, t, of.one_weight}, poll, target, tiles);
            },
            workers);
        if (!with_t) return 0.0;
        Largest largest;
        tree_sum(nodes, 1, &largest,
                 [](std::size_t begin, std::size_t end, Largest* to) { to->rows += static_cast<double>(end - begin); });
        return largest.rows + static_cast<double>(nodes.nodes());
      },
      rows);
}

}  // namespace

void weighted_gram(const Rows& rows, std::span<const std::uint32_t> which, std::span<const double> weight, bool border,
                   Eigen::MatrixXd& h) {
  assemble(rows, {which, weight}, border, false, h);
}

double weighted_gram_with(std::span<const double> t, const Rows& rows, std::span<const std::uint32_t> which,
                          std::span<const double> weight, bool one_weight, bool border, Eigen::MatrixXd& h) {
  return assemble(rows, {which, weight, t, one_weight}, border, true, h);
}

}  // namespace seesaw
