#include "solvers/parts/weighted_gram.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.h"

namespace seesaw {
namespace {

constexpr std::size_t block = 128;  // rows that are written out at once

template <class Value>
void scatter(const SparseRow<Value>& a, double weight, Eigen::MatrixXd& h) {
  for (std::size_t k = 0; k < a.size; ++k) {
    const double scaled = weight * static_cast<double>(a.value[k]);
    double* column = h.data() + std::size_t{a.column[k]} * static_cast<std::size_t>(h.rows());
    for (std::size_t m = k; m < a.size; ++m) column[a.column[m]] += scaled * static_cast<double>(a.value[m]);
  }
}

template <class Value>
void scatter_border(const SparseRow<Value>& a, double weight, Eigen::MatrixXd& h) {
  const Eigen::Index last = h.rows() - 1;
  for (std::size_t k = 0; k < a.size; ++k)
    h(last, static_cast<Eigen::Index>(a.column[k])) += weight * static_cast<double>(a.value[k]);
  h(last, last) += weight;
}

template <class RowsOf>
void add_blocks(const RowsOf& rows, std::span<const std::uint32_t> which, std::span<const double> weight, bool border,
                Eigen::MatrixXd& h) {
  Eigen::MatrixXd written = Eigen::MatrixXd::Zero(h.rows(), block);
  Eigen::Index used = 0;
  const auto flush = [&] {
    if (used == 0) return;  // products of no rows are not for Eigen
    h.selfadjointView<Eigen::Lower>().rankUpdate(written.leftCols(used));
    written.leftCols(used).setZero();
    used = 0;
  };
  for (std::size_t k = 0; k < which.size(); ++k) {
    if (!(weight[k] > 0)) continue;
    const double scale = std::sqrt(weight[k]);
    for_each(rows.row(which[k]),
             [&](std::size_t j, double a) { written(static_cast<Eigen::Index>(j), used) = scale * a; });
    if (border) written(h.rows() - 1, used) = scale;
    if (++used == static_cast<Eigen::Index>(block)) flush();
  }
  flush();
}

template <class Value>
void add_rows(const SparseRows<Value>& rows, std::span<const std::uint32_t> which, std::span<const double> weight,
              bool border, Eigen::MatrixXd& h) {
  if (static_cast<double>(rows.entries()) >
      0.35 * static_cast<double>(rows.count()) * static_cast<double>(rows.width()))
    return add_blocks(rows, which, weight, border, h);
  for (std::size_t k = 0; k < which.size(); ++k) {
    if (!(weight[k] > 0)) continue;
    scatter(rows.row(which[k]), weight[k], h);
    if (border) scatter_border(rows.row(which[k]), weight[k], h);
  }
}
template <class Value>
void add_rows(const DenseRows<Value>& rows, std::span<const std::uint32_t> which, std::span<const double> weight,
              bool border, Eigen::MatrixXd& h) {
  add_blocks(rows, which, weight, border, h);
}

}  // namespace

void weighted_gram(const Rows& rows, std::span<const std::uint32_t> which, std::span<const double> weight, bool border,
                   Eigen::MatrixXd& h) {
  std::visit(
      [&](const auto& a) {
        const auto unknowns = static_cast<Eigen::Index>(a.width() + (border ? 1 : 0));
        // At most 8 matrices, and not more of them than their joining is worth.
        const std::size_t grain = std::max<std::size_t>(1024, 4 * a.width());
        const Chunks chunks = chunks_of(which.size(), grain, 8);
        std::vector<Eigen::MatrixXd> parts(chunks.count - 1);
        parallel_chunks(chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
          Eigen::MatrixXd& part = chunk == 0 ? h : parts[chunk - 1];
          part.setZero(unknowns, unknowns);
          add_rows(a, which.subspan(begin, end - begin), weight.subspan(begin, end - begin), border, part);
        });
        for (const Eigen::MatrixXd& part : parts) h += part;
      },
      rows);
}

}  // namespace seesaw
