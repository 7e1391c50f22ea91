#include "solvers/parts/newton/weighted_gram.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "base/stop.h"
#include "kernels/dense.h"

namespace seesaw {
namespace {

constexpr Eigen::Index narrow = 72;  // columns of H that fit into the L1 cache
constexpr std::size_t block = 256;   // rows per dense block

// Four columns of H at a time: each entry of the row is read once for all four, and the columns do not overlap, so that
// all four numbers can be read before the first is written.
template <class Value>
[[gnu::always_inline]] inline void scatter(const SparseRow<Value>& a, double weight, double* h, std::size_t stride) {
  const auto value = [&](std::size_t k) { return static_cast<double>(a.value[k]); };
  const auto column = [&](std::size_t k) { return h + std::size_t{a.column[k]} * stride; };
  std::size_t k = 0;
  for (; k + 4 <= a.size; k += 4) {
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
  for (; k < a.size; ++k) {
    double* const c = column(k);
    const double s = weight * value(k);
    for (std::size_t m = k; m < a.size; ++m) c[a.column[m]] += s * value(m);
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
                const StopPoll& poll, Eigen::MatrixXd& h) {
  Eigen::MatrixXd written = Eigen::MatrixXd::Zero(h.rows(), block);
  Eigen::Index used = 0;
  const auto flush = [&] {
    const auto unknowns = static_cast<std::size_t>(h.rows());
    add_gram(written.data(), unknowns, static_cast<std::size_t>(used), h.data(), unknowns);
    written.leftCols(used).setZero();
    used = 0;
  };
  StopPoll stop = poll;
  for (std::size_t k = 0; k < which.size() && !stop.requested(); ++k) {
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
              bool border, const StopPoll& poll, Eigen::MatrixXd& h) {
  const double density =
      static_cast<double>(rows.entries()) /
      (static_cast<double>(rows.count()) * static_cast<double>(std::max<std::size_t>(rows.width(), 1)));
  if (density > (h.rows() <= narrow ? 0.25 : 0.3)) return add_blocks(rows, which, weight, border, poll, h);
  StopPoll stop = poll;
  for (std::size_t k = 0; k < which.size() && !stop.requested(); ++k) {
    if (!(weight[k] > 0)) continue;
    scatter(rows.row(which[k]), weight[k], h.data(), static_cast<std::size_t>(h.rows()));
    if (border) scatter_border(rows.row(which[k]), weight[k], h);
  }
}
template <class Value>
void add_rows(const DenseRows<Value>& rows, std::span<const std::uint32_t> which, std::span<const double> weight,
              bool border, const StopPoll& poll, Eigen::MatrixXd& h) {
  add_blocks(rows, which, weight, border, poll, h);
}

}  // namespace

void weighted_gram(const Rows& rows, std::span<const std::uint32_t> which, std::span<const double> weight, bool border,
                   Eigen::MatrixXd& h) {
  std::visit(
      [&](const auto& a) {
        const auto unknowns = static_cast<Eigen::Index>(a.width() + (border ? 1 : 0));
        // At most 8 matrices, and few enough that adding them costs little.
        const std::size_t grain = std::max<std::size_t>(1024, 4 * a.width());
        const Chunks chunks = chunks_of(which.size(), grain, 8);
        std::vector<Eigen::MatrixXd> parts(chunks.count - 1);
        const double row = static_cast<double>(a.entries()) / static_cast<double>(std::max<std::size_t>(a.count(), 1));
        const StopPoll poll(row * row / 2);  // after a stop: the Gram matrix of fewer rows
        parallel_chunks(chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
          Eigen::MatrixXd& part = chunk == 0 ? h : parts[chunk - 1];
          part.setZero(unknowns, unknowns);
          add_rows(a, which.subspan(begin, end - begin), weight.subspan(begin, end - begin), border, poll, part);
        });
        for (const Eigen::MatrixXd& part : parts) h += part;
      },
      rows);
}

}  // namespace seesaw
