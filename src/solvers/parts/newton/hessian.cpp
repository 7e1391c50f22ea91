#include "solvers/parts/newton/hessian.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "base/parallel_elements.h"
#include "base/tree_sum.h"
#include "data/column_ranges.h"
#include "data/resident.h"
#include "solvers/parts/newton/weighted_gram.h"

namespace seesaw {

Hessian::Hessian(const Rows& rows, double lambda, bool border, double floor, std::vector<std::uint32_t> unpenalized)
    : rows_(rows), lambda_(lambda), floor_(floor), border_(border), unpenalized_(std::move(unpenalized)) {
  size_ = std::visit([](const auto& a) { return static_cast<Eigen::Index>(a.width()); }, rows) + (border ? 1 : 0);
}

void Hessian::set(std::span<const double> curvature) {
  select_in_order(
      curvature.size(),
      [curved = curvature.data()](std::size_t i) __attribute__((always_inline)) { return curved[i] > 0; },
      [&](std::size_t count) {
        curved_.resize(count);
        weights_.resize(count);
      },
      [&](std::size_t place, std::size_t i) {
        curved_[place] = static_cast<std::uint32_t>(i);
        weights_[place] = curvature[i];
      });
  leaves_ = std::visit([&](const auto& a) { return leaves_of_list(a, curved_, rows_per_vector(a)); }, rows_);
}

void Hessian::multiply(const Eigen::VectorXd& p, Eigen::VectorXd& result) {
  result.resize(size_);
  const auto unknowns = static_cast<std::size_t>(size_);
  std::visit(
      [&](const auto& a) {
        const std::size_t d = a.width();
        const double shift = border_ ? p[size_ - 1] : 0;
        // One pass by leaves. If these are too few for the threads, two passes with the same operations: all products,
        // then their sum by ranges of columns.
        const bool in_two_passes = leaves_.count() < available_threads() && extents_of(a) == nullptr;
        if (in_two_passes) {
          scaled_.resize(curved_.size());
          parallel_chunks(chunks_of(curved_.size(), rows_per_task(a), 1024),
                          [&](std::size_t, std::size_t begin, std::size_t end) {
                            for (std::size_t k = begin; k < end; ++k)
                              scaled_[k] = weights_[k] * (dot(a.row(curved_[k]), p.data()) + shift);
                          });
        }
        tree_sum(leaves_, unknowns, result.data(), [&](std::size_t begin, std::size_t end, double* sum) {
          if (in_two_passes) {
            in_column_ranges(a, ListedRange{curved_, begin, end}, leaves_.count(), [&](const auto& part) {
              for (std::size_t k = begin; k < end; ++k) add_to(sum, scaled_[k], part.row(curved_[k]));
            });
            if (border_) sum[d] = std::accumulate(scaled_.data() + begin, scaled_.data() + end, sum[d]);
            return;
          }
          double border = border_ ? sum[d] : 0;
          resident(a, curved_, begin, end, [&](std::size_t first, std::size_t last) {
            for (std::size_t k = first; k < last; ++k) {
              const auto row = a.row(curved_[k]);
              const double scaled = weights_[k] * (dot(row, p.data()) + shift);
              add_to(sum, scaled, row);
              border += scaled;
            }
          });
          if (border_) sum[d] = border;
        });
        const auto features = static_cast<Eigen::Index>(d);
        result.head(features) += lambda_ * p.head(features);
        for (const std::uint32_t j : unpenalized_) result[j] += (floor_ - lambda_) * p[j];
        if (border_) result[features] += floor_ * shift;
      },
      rows_);
}

void Hessian::diagonal(Eigen::VectorXd& result) const {
  result.resize(size_);
  std::visit(
      [&](const auto& a) {
        tree_sum(leaves_, static_cast<std::size_t>(size_), result.data(),
                 [&](std::size_t begin, std::size_t end, double* sum) {
                   resident(a, curved_, begin, end, [&](std::size_t first, std::size_t last) {
                     for (std::size_t k = first; k < last; ++k) {
                       const double weight = weights_[k];
                       for_each(a.row(curved_[k]),
                                [&](std::size_t j, double value) { sum[j] += weight * value * value; });
                       if (border_) sum[a.width()] += weight;
                     }
                   });
                 });
      },
      rows_);
  result.head(features()).array() += lambda_;
  if (border_) result[size_ - 1] += floor_;
  for (const std::uint32_t j : unpenalized_) result[j] += floor_ - lambda_;
}

void Hessian::assemble_rows(std::span<const std::uint32_t> which, std::span<const double> weight,
                            Eigen::MatrixXd& h) const {
  weighted_gram(rows_, which, weight, border_, h);
}

void Hessian::add_diagonal(Eigen::MatrixXd& h) const {
  h.diagonal().head(size_ - (border_ ? 1 : 0)).array() += lambda_;
  if (border_) h(size_ - 1, size_ - 1) += floor_;
  for (const std::uint32_t j : unpenalized_) h(j, j) += floor_ - lambda_;
}

void Hessian::assemble_block(std::span<const std::uint32_t> columns, Eigen::MatrixXd& h) const {
  constexpr std::uint32_t elsewhere = 0xffffffff;
  std::vector<std::uint32_t> place(static_cast<std::size_t>(size_), elsewhere);
  for (std::size_t k = 0; k < columns.size(); ++k) place[columns[k]] = static_cast<std::uint32_t>(k);
  const std::size_t size = columns.size();
  h.resize(static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size));
  std::visit(
      [&](const auto& a) {
        const Leaves leaves = leaves_of_list(a, curved_, std::max<std::size_t>(1024, 4 * size));
        tree_sum(leaves, size * size, h.data(), [&](std::size_t begin, std::size_t end, double* sum) {
          std::vector<std::uint32_t> at;
          std::vector<double> value;
          resident(a, curved_, begin, end, [&](std::size_t first, std::size_t last) {
            for (std::size_t k = first; k < last; ++k) {
              at.clear();
              value.clear();
              for_each(a.row(curved_[k]), [&](std::size_t j, double entry) {
                if (place[j] == elsewhere) return;
                at.push_back(place[j]);
                value.push_back(entry);
              });
              for (std::size_t m = 0; m < at.size(); ++m) {
                const double scaled = weights_[k] * value[m];
                double* column = sum + std::size_t{at[m]} * size;
                for (std::size_t l = m; l < at.size(); ++l) column[at[l]] += scaled * value[l];
              }
            }
          });
        });
      },
      rows_);
  h.diagonal().array() += lambda_;
  for (const std::uint32_t j : unpenalized_)
    if (place[j] != elsewhere) h(place[j], place[j]) += floor_ - lambda_;
}

}  // namespace seesaw
