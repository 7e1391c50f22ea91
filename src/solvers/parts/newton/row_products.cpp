#include "solvers/parts/newton/row_products.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/stop.h"
#include "kernels/dense.h"
#include "solvers/parts/common/work_per_step.h"

namespace seesaw {
namespace {

// Chunks of listed rows with about 32768 entries each.
template <class RowsOf>
Chunks chunks_of_listed(const RowsOf& rows, std::size_t listed, std::size_t most) {
  const std::size_t entries_per_row = std::max<std::size_t>(rows.entries() / std::max<std::size_t>(rows.count(), 1), 1);
  return chunks_of(listed, 32768 / entries_per_row, most);
}

template <class RowsOf>
bool nearly_dense(const RowsOf& rows) {
  return static_cast<double>(rows.entries()) >
         0.35 * static_cast<double>(rows.count()) * static_cast<double>(rows.width());
}

}  // namespace

void multiply_rows(const Rows& rows, std::span<const std::uint32_t> which, const double* x, double* z) {
  std::visit(
      [&](const auto& a) {
        parallel_chunks(chunks_of_listed(a, which.size(), 64), [&](std::size_t, std::size_t begin, std::size_t end) {
          for (std::size_t k = begin; k < end; ++k) z[k] = dot(a.row(which[k]), x);
        });
      },
      rows);
}

// As multiply_transposed: the first chunk adds into v, each other one into its own vector, which are added in order.
void add_rows(const Rows& rows, std::span<const std::uint32_t> which, std::span<const double> weight, double* v) {
  std::visit(
      [&](const auto& a) {
        const std::size_t d = a.width();
        const std::size_t affordable =
            a.entries() / std::max<std::size_t>(a.count(), 1) * which.size() / std::max<std::size_t>(d, 1);
        const Chunks chunks = chunks_of_listed(a, which.size(), std::clamp<std::size_t>(affordable, 1, 8));
        std::vector<double> parts((chunks.count - 1) * d);
        parallel_chunks(chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
          double* sum = chunk == 0 ? v : parts.data() + (chunk - 1) * d;
          for (std::size_t k = begin; k < end; ++k)
            if (weight[k] != 0) add_to(sum, weight[k], a.row(which[k]));
        });
        for (std::size_t part = 0; part + 1 < chunks.count; ++part)
          for (std::size_t j = 0; j < d; ++j) v[j] += parts[part * d + j];
      },
      rows);
}

void row_gram(const Rows& rows, std::span<const std::uint32_t> which, Eigen::MatrixXd& gram) {
  const auto m = static_cast<Eigen::Index>(which.size());
  std::visit(
      [&](const auto& a) {
        const auto d = static_cast<Eigen::Index>(a.width());
        if (nearly_dense(a)) {
          Eigen::MatrixXd written = Eigen::MatrixXd::Zero(d, m);
          for (std::size_t k = 0; k < which.size(); ++k)
            add_to(written.col(static_cast<Eigen::Index>(k)).data(), 1.0, a.row(which[k]));
          // Chunks of features in parallel, each with its own matrix, added in order.
          const Chunks chunks = chunks_of(a.width(), std::max<std::size_t>(2048, 4 * which.size()), 8);
          std::vector<Eigen::MatrixXd> parts(chunks.count);
          parallel_chunks(chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
            parts[chunk].setZero(m, m);
            add_gram_of_columns(written.data() + begin, which.size(), end - begin, a.width(), parts[chunk].data(),
                                which.size());
          });
          gram = std::move(parts[0]);
          for (std::size_t chunk = 1; chunk < parts.size(); ++chunk) gram += parts[chunk];
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

}  // namespace seesaw
