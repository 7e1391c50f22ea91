#include "model/unregularized_dual.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "base/buffer.h"
#include "base/cancel.h"
#include "base/optional_work.h"
#include "base/parallel_dense.h"
#include "base/tree_sum.h"
#include "data/listed_nodes.h"
#include "data/resident.h"
#include "kernels/dense.h"

namespace seesaw {
namespace {

constexpr std::size_t widest = 4000;                        // a d x d matrix of 128 MB
constexpr std::size_t rows_per_block = 256;                 // of a product of matrices
constexpr std::size_t most_numbers = std::size_t{1} << 26;  // of all matrices of a sum: 512 MB
constexpr double dense = 0.3;                               // from this density on blocks of rows are multiplied
constexpr std::uint32_t elsewhere = 0xffffffff;

bool ends_early() { return stop_requested() || CancelPoll().requested(); }

// The rows over the columns chosen, and the column of ones as the last one for a free intercept.
class ChosenColumns {
 public:
  ChosenColumns(const Problem& problem, const std::vector<std::uint32_t>& columns)
      : size(columns.size() + (problem.free_intercept() ? 1 : 0)),
        border(problem.free_intercept()),
        all_(columns.size() == problem.d()),
        place_(problem.d(), elsewhere) {
    for (std::size_t k = 0; k < columns.size(); ++k) place_[columns[k]] = static_cast<std::uint32_t>(k);
  }

  template <class Row, class Visit>
  void for_each_chosen(const Row& row, const Visit& visit) const {
    for_each(row, [&](std::size_t j, double a) {
      if (place_[j] != elsewhere) visit(place_[j], a);
    });
    if (border) visit(size - 1, 1.0);
  }
  template <class Row>
  void add_row_to(double* sum, double times, const Row& row) const {
    if (!all_) return for_each_chosen(row, [&](std::size_t k, double a) { sum[k] += times * a; });
    add_to(sum, times, row);
    if (border) sum[size - 1] += times;
  }
  template <class Row>
  double product(const Row& row, const double* u) const {
    double sum = 0;
    if (!all_) {
      for_each_chosen(row, [&](std::size_t k, double a) { sum += a * u[k]; });
      return sum;
    }
    sum = dot(row, u);
    return border ? sum + u[size - 1] : sum;
  }

  const std::size_t size;
  const bool border;

 private:
  bool all_;
  std::vector<std::uint32_t> place_;  // of each column of the data
};

struct Listed {
  std::span<const std::uint32_t> which;
  std::span<const double> weight;
};

// Rows times sqrt(weight) as the columns of a dense block, then a product of matrices.
template <class RowsOf>
void add_blocks(const RowsOf& rows, const Listed& listed, const ChosenColumns& columns, double* part, std::size_t tiles,
                StopPoll stop, const CancelPoll& cancel) {
  const std::size_t size = columns.size;
  Buffer<double> block(size * rows_per_block);
  std::size_t filled = 0;
  const auto flush = [&] {
    add_gram_in_tiles(block.data(), size, filled, part, size, tiles);
    filled = 0;
  };
  resident(rows, listed.which, 0, listed.which.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last && !stop.requested(); ++at) {
      if (!(listed.weight[at] > 0)) continue;
      cancel();
      const double scale = std::sqrt(listed.weight[at]);
      double* const to = block.data() + filled * size;
      std::fill_n(to, size, 0.0);
      columns.for_each_chosen(rows.row(listed.which[at]), [&](std::size_t k, double a) { to[k] = scale * a; });
      if (++filled == rows_per_block) flush();
    }
  });
  if (filled > 0) flush();
}

template <class RowsOf>
void add_pairs(const RowsOf& rows, const Listed& listed, const ChosenColumns& columns, double* part, StopPoll stop,
               const CancelPoll& cancel) {
  std::vector<std::pair<std::size_t, double>> row;
  resident(rows, listed.which, 0, listed.which.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t at = first; at < last && !stop.requested(); ++at) {
      if (!(listed.weight[at] > 0)) continue;
      cancel();
      row.clear();
      columns.for_each_chosen(rows.row(listed.which[at]), [&](std::size_t k, double a) { row.emplace_back(k, a); });
      for (std::size_t e = 0; e < row.size(); ++e) {
        double* const column = part + row[e].first * columns.size;
        const double times = listed.weight[at] * row[e].second;
        for (std::size_t f = e; f < row.size(); ++f) column[row[f].first] += times * row[f].second;
      }
    }
  });
}

// The lower triangle of sum_i weight_i a_i a_i^T, column-major. After a request to stop: of fewer rows.
template <class RowsOf>
Buffer<double> weighted_gram(const Problem& problem, const RowsOf& rows, const ChosenColumns& columns,
                             std::span<const double> weight) {
  const std::size_t size = columns.size, threads = available_threads();
  const double cells =
      static_cast<double>(problem.all_rows()) * static_cast<double>(std::max<std::size_t>(rows.width(), 1));
  const double density = static_cast<double>(all_entries(rows)) / cells, of_row = density * static_cast<double>(size);
  const bool by_blocks = density > dense;
  std::vector<std::uint32_t> which(problem.n());
  std::iota(which.begin(), which.end(), 0u);
  const ListedNodes listed(problem.data->rows, which, weight,
                           problem.leaves().grouped(problem.all_rows() / std::max<std::size_t>(1024, 4 * size)),
                           by_blocks);
  const Leaves& groups = listed.leaves();
  const std::size_t workers = std::clamp<std::size_t>(most_numbers / (size * size), 1, threads),
                    tiles = threads > 1 && groups.count() < 4 * threads ? tiles_for(size) : 1;
  const StopPoll stop(of_row * of_row / 2);
  const CancelPoll cancel;
  Buffer<double> gram(size * size);
  tree_sum(
      groups, size * size, gram.data(),
      [&](std::size_t begin, std::size_t end, double* part) {
        const auto add = [&](const RowsOf& from, const Listed& some) {
          if (by_blocks) add_blocks(from, some, columns, part, tiles, stop, cancel);
          else add_pairs(from, some, columns, part, stop, cancel);
        };
        if (const MovedRows* moved = listed.moved(begin, end))
          return add(std::get<RowsOf>(moved->rows), {moved->which, moved->weight});
        add(rows, {std::span(which).subspan(begin, end - begin), weight.subspan(begin, end - begin)});
      },
      workers);
  return gram;
}

// |M|_1 of the symmetric matrix with this lower triangle.
double norm_1(const double* lower, std::size_t size) {
  std::vector<double> sums(size);
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t j = k; j < size; ++j) {
      const double entry = std::abs(lower[j + k * size]);
      sums[k] += entry;
      if (j != k) sums[j] += entry;
    }
  return *std::max_element(sums.begin(), sums.end());
}

// An estimate of |M^-1|_1 from below by a few solutions with the factor (Hager 1984; Higham, Algorithm 15.1).
double norm_1_of_inverse(const double* factor, std::size_t size) {
  std::vector<double> x(size, 1 / static_cast<double>(size)), sign(size);
  double estimate = 0;
  for (int round = 0; round < 5; ++round) {
    solve_cholesky(factor, size, x.data());
    double sum = 0;
    for (std::size_t j = 0; j < size; ++j) sum += std::abs(x[j]);
    if (!std::isfinite(sum)) return sum;
    if (!(sum > estimate)) break;
    estimate = sum;
    for (std::size_t j = 0; j < size; ++j) sign[j] = x[j] < 0 ? -1 : 1;
    solve_cholesky(factor, size, sign.data());
    const auto largest =
        std::max_element(sign.begin(), sign.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    std::fill(x.begin(), x.end(), 0.0);
    x[static_cast<std::size_t>(largest - sign.begin())] = 1;
  }
  return estimate;
}

}  // namespace

bool project_to_unregularized_dual(const Problem& problem, const std::vector<std::uint32_t>& columns,
                                   const std::vector<double>& z, double intercept, std::vector<double>& y) {
  const std::size_t n = problem.n();
  const ChosenColumns chosen(problem, columns);
  if (chosen.size > widest || problem.all_rows() < chosen.size) return false;
  if (chosen.size == 0) return true;

  const ScalarForm& scalar = problem.scalar();
  return std::visit(
      [&](const auto& rows, const auto& loss) {
        const StopScope scope(optional_work_request());
        std::vector<double> curvature(n), weight(n);
        for (std::size_t i = 0; i < n; ++i) {
          curvature[i] = loss.second_derivative(scalar.target[i], z[i] + intercept);
          weight[i] = problem.normalized_weight[i] * curvature[i];
        }
        Buffer<double> gram = weighted_gram(problem, rows, chosen, weight);
        if (stop_requested()) return false;
        const double norm = norm_1(gram.data(), chosen.size);
        if (!factor_cholesky_in_parallel(gram.data(), chosen.size, ends_early)) {
          CancelPoll()();
          return false;
        }
        if (!(1 / norm / norm_1_of_inverse(gram.data(), chosen.size) >= 1e-13) || stop_requested()) return false;

        std::vector<double> moved = y, u(chosen.size);
        for (int round = 0; round < 3; ++round) {  // repeated: the residual goes down to rounding
          tree_sum(leaves_for_vectors(rows), chosen.size, u.data(),
                   [&](std::size_t begin, std::size_t end, double* sum) {
                     resident(rows, begin, end, [&](std::size_t first, std::size_t last) {
                       for (std::size_t i = first; i < last; ++i)
                         chosen.add_row_to(sum, problem.normalized_weight[i] * moved[i], rows.row(i));
                     });
                   });
          solve_cholesky(gram.data(), chosen.size, u.data());
          resident(rows, 0, n, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) moved[i] -= curvature[i] * chosen.product(rows.row(i), u.data());
          });
        }
        bool inside = true;
        for (std::size_t i = 0; i < n && inside; ++i) inside = loss.domain(scalar.target[i]).contains(moved[i]);
        if (any_rank(problem.leaves(), !inside)) return false;
        y = std::move(moved);
        return true;
      },
      problem.data->rows, scalar.loss);
}

}  // namespace seesaw
