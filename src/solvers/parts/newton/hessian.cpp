#include "solvers/parts/newton/hessian.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "solvers/parts/newton/weighted_gram.h"

namespace seesaw {
namespace {

// As many chunks as keep the cost of adding their vectors small.
Chunks chunks_for(std::size_t rows, std::size_t entries, std::size_t unknowns) {
  const std::size_t affordable = entries / std::max<std::size_t>(8 * unknowns, 1);
  return chunks_of(rows, 256, std::clamp<std::size_t>(affordable, 1, 8));
}

}  // namespace

Hessian::Hessian(const Rows& rows, double lambda, bool border, double floor, std::vector<std::uint32_t> unpenalized)
    : rows_(rows), lambda_(lambda), floor_(floor), border_(border), unpenalized_(std::move(unpenalized)) {
  size_ = std::visit([](const auto& a) { return static_cast<Eigen::Index>(a.width()); }, rows) + (border ? 1 : 0);
}

void Hessian::set(std::span<const double> curvature) {
  curved_.resize(curvature.size());
  weights_.resize(curvature.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < curvature.size(); ++i) {  // no branch: which rows are curved cannot be predicted
    curved_[count] = static_cast<std::uint32_t>(i);
    weights_[count] = curvature[i];
    count += curvature[i] > 0;
  }
  curved_.resize(count);
  weights_.resize(count);
}

void Hessian::multiply(const Eigen::VectorXd& p, Eigen::VectorXd& result) {
  result.resize(size_);
  const auto unknowns = static_cast<std::size_t>(size_);
  std::visit(
      [&](const auto& a) {
        const std::size_t d = a.width();
        const double shift = border_ ? p[size_ - 1] : 0;
        const Chunks chunks = chunks_for(curved_.size(), a.entries(), unknowns);
        parts_.resize((chunks.count - 1) * unknowns);
        parallel_chunks(chunks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
          double* sum = chunk == 0 ? result.data() : parts_.data() + (chunk - 1) * unknowns;
          std::fill_n(sum, unknowns, 0.0);
          double border = 0;
          for (std::size_t k = begin; k < end; ++k) {
            const auto row = a.row(curved_[k]);
            const double scaled = weights_[k] * (dot(row, p.data()) + shift);
            add_to(sum, scaled, row);
            border += scaled;
          }
          if (border_) sum[d] = border;
        });
        for (std::size_t chunk = 1; chunk < chunks.count; ++chunk)
          result += Eigen::Map<const Eigen::VectorXd>(parts_.data() + (chunk - 1) * unknowns, size_);
        const auto features = static_cast<Eigen::Index>(d);
        result.head(features) += lambda_ * p.head(features);
        for (const std::uint32_t j : unpenalized_) result[j] += (floor_ - lambda_) * p[j];
        if (border_) result[features] += floor_ * shift;
      },
      rows_);
}

void Hessian::diagonal(Eigen::VectorXd& result) const {
  result.setConstant(size_, lambda_);
  if (border_) result[size_ - 1] = floor_;
  for (const std::uint32_t j : unpenalized_) result[j] = floor_;
  std::visit(
      [&](const auto& a) {
        for (std::size_t k = 0; k < curved_.size(); ++k) {
          const double weight = weights_[k];
          for_each(a.row(curved_[k]), [&](std::size_t j, double value) {
            result[static_cast<Eigen::Index>(j)] += weight * value * value;
          });
          if (border_) result[size_ - 1] += weight;
        }
      },
      rows_);
}

void Hessian::assemble(std::span<const std::uint32_t> which, std::span<const double> weight, Eigen::MatrixXd& h) const {
  weighted_gram(rows_, which, weight, border_, h);
  h.diagonal().head(size_ - (border_ ? 1 : 0)).array() += lambda_;
  if (border_) h(size_ - 1, size_ - 1) += floor_;
  for (const std::uint32_t j : unpenalized_) h(j, j) += floor_ - lambda_;
}

void Hessian::assemble_block(std::span<const std::uint32_t> columns, Eigen::MatrixXd& h) const {
  constexpr std::uint32_t elsewhere = 0xffffffff;
  std::vector<std::uint32_t> place(static_cast<std::size_t>(size_), elsewhere);
  for (std::size_t k = 0; k < columns.size(); ++k) place[columns[k]] = static_cast<std::uint32_t>(k);
  h.setZero(static_cast<Eigen::Index>(columns.size()), static_cast<Eigen::Index>(columns.size()));
  std::vector<std::uint32_t> at;
  std::vector<double> value;
  std::visit(
      [&](const auto& a) {
        for (std::size_t k = 0; k < curved_.size(); ++k) {
          at.clear();
          value.clear();
          for_each(a.row(curved_[k]), [&](std::size_t j, double entry) {
            if (place[j] == elsewhere) return;
            at.push_back(place[j]);
            value.push_back(entry);
          });
          for (std::size_t m = 0; m < at.size(); ++m) {
            const double scaled = weights_[k] * value[m];
            double* column = h.data() + std::size_t{at[m]} * columns.size();
            for (std::size_t l = m; l < at.size(); ++l) column[at[l]] += scaled * value[l];
          }
        }
      },
      rows_);
  h.diagonal().array() += lambda_;
  for (const std::uint32_t j : unpenalized_)
    if (place[j] != elsewhere) h(place[j], place[j]) += floor_ - lambda_;
}

}  // namespace seesaw
