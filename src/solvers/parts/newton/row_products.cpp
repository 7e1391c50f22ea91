#include "solvers/parts/newton/row_products.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/parallel_dense.h"
#include "base/stop.h"
#include "base/tree_sum.h"
#include "data/column_ranges.h"
#include "data/resident.h"
#include "data/select_rows.h"
#include "solvers/parts/common/work_per_step.h"

namespace seesaw {

bool nearly_dense(const Rows& rows) {
  return std::visit(
      [](const auto& a) {
        return static_cast<double>(all_entries(a)) >
               0.35 * static_cast<double>(all_rows(a)) * static_cast<double>(a.width());
      },
      rows);
}

Leaves leaves_for_numbers(const Rows& rows, std::span<const std::uint32_t> which) {
  return leaves_of(rows).of_list(which);
}

void multiply_rows(const Rows& rows, std::span<const std::uint32_t> which, const double* x, double* z) {
  std::visit(
      [&](const auto& a) {
        parallel_chunks(chunks_of(which.size(), rows_per_task(a), 1024),
                        [&](std::size_t, std::size_t begin, std::size_t end) {
                          resident(a, which, begin, end, [&](std::size_t first, std::size_t last) {
                            for (std::size_t k = first; k < last; ++k) z[k] = dot(a.row(which[k]), x);
                          });
                        });
      },
      rows);
}

// A single group is added in the order of the rows, without a vector of its own: short lists cost their entries alone.
void add_rows(const Rows& rows, std::span<const std::uint32_t> which, std::span<const double> weight, double* v) {
  std::visit(
      [&](const auto& a) {
        const std::size_t d = a.width();
        const Leaves leaves = leaves_of_list(a, which, rows_per_vector(a));
        const auto add = [&](std::size_t begin, std::size_t end, double* sum) {
          resident(a, which, begin, end, [&](std::size_t first, std::size_t last) {
            in_column_ranges(a, ListedRange{which, first, last}, leaves.count(), [&](const auto& part) {
              for (std::size_t k = first; k < last; ++k)
                if (weight[k] != 0) add_to(sum, weight[k], part.row(which[k]));
            });
          });
        };
        if (leaves.nodes() == 1 && leaves.shares() == nullptr) return add(0, which.size(), v);
        Buffer<double> total(d);
        if (leaves.nodes() == 1) {  // from rank to rank, beginning with v
          const bool begins = leaves.count() > 0 && !continues_node(leaves);
          tree_sum(leaves, d, total.data(), [&](std::size_t begin, std::size_t end, double* sum) {
            if (begins) std::copy_n(v, d, sum);
            add(begin, end, sum);
          });
          std::copy_n(total.data(), d, v);
          return;
        }
        tree_sum(leaves, d, total.data(), add);
        add_vector(v, total.data(), d);
      },
      rows);
}

namespace {

// by_blocks: by a product of dense matrices.
void row_gram(const Rows& rows, std::span<const std::uint32_t> which, bool by_blocks, Eigen::MatrixXd& gram) {
  const auto m = static_cast<Eigen::Index>(which.size());
  std::visit(
      [&](const auto& a) {
        const auto d = static_cast<Eigen::Index>(a.width());
        if (by_blocks) {
          Eigen::MatrixXd written = Eigen::MatrixXd::Zero(d, m);
          parallel_chunks(chunks_of(which.size(), rows_per_task(a)),
                          [&](std::size_t, std::size_t begin, std::size_t end) {
                            for (std::size_t k = begin; k < end; ++k)
                              add_to(written.col(static_cast<Eigen::Index>(k)).data(), 1.0, a.row(which[k]));
                          });
          gram.setZero(m, m);
          add_gram_of_columns_in_tiles(written.data(), which.size(), a.width(), a.width(), gram.data(), which.size(),
                                       tiles_for(which.size()));
          return;
        }
        gram.resize(m, m);
        const StopPoll poll(static_cast<double>(m) * work_per_step(a));
        parallel_chunks(chunks_of(which.size(), 64), [&](std::size_t, std::size_t begin, std::size_t end) {
          std::vector<double> written(a.width());
          StopPoll stop = poll;
          for (std::size_t k = begin; k < end && !stop.requested(); ++k) {
            const auto row = a.row(which[k]);
            add_to(written.data(), 1.0, row);
            for (std::size_t l = k; l < which.size(); ++l)
              gram(static_cast<Eigen::Index>(l), static_cast<Eigen::Index>(k)) = dot(a.row(which[l]), written.data());
            for_each(row, [&](std::size_t j, double) { written[j] = 0; });
          }
        });
      },
      rows);
}

}  // namespace

void row_gram(const Rows& rows, std::span<const std::uint32_t> which, Eigen::MatrixXd& gram) {
  const bool by_blocks = nearly_dense(rows);
  if (extents_of(rows) == nullptr) return row_gram(rows, which, by_blocks, gram);
  std::vector<std::uint32_t> all(which.size());  // pairs of rows are needed: a copy of them
  std::iota(all.begin(), all.end(), 0u);
  row_gram(select_rows(rows, which), all, by_blocks, gram);
}

}  // namespace seesaw
