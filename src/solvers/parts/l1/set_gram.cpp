#include "solvers/parts/l1/set_gram.h"

#include <algorithm>
#include <numeric>

#include "base/parallel.h"
#include "base/stop.h"
#include "base/tree_sum.h"
#include "data/columns.h"
#include "solvers/parts/common/work_per_step.h"
#include "solvers/parts/newton/weighted_gram.h"

namespace seesaw {
namespace {

constexpr std::size_t largest_by_rows = 1024;  // features of a matrix that stays in the cache: a triangle of 4 MB

std::size_t count_common(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {  // both ascending
  std::size_t count = 0;
  for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    count += a[i] == b[k];
    const bool next_a = a[i] <= b[k], next_b = b[k] <= a[i];
    i += next_a;
    k += next_b;
  }
  return count;
}

}  // namespace

// False for sets whose matrix fits into the cache and for dense ones: these are assembled from the rows.
bool SetGram::grows(const Rows& rows) {
  return rows.index() < 2 && std::visit(
                                 [](const auto& a) {
                                   const double filled = static_cast<double>(all_entries(a)),
                                                n = static_cast<double>(all_rows(a));
                                   return a.width() > 150 && filled < 0.2 * n * static_cast<double>(a.width());
                                 },
                                 rows);
}

void SetGram::assemble(const Rows& rows, std::span<const std::uint32_t> features, std::span<const double> weight,
                       bool keep, bool whole) {
  if (!keep) features_.clear();
  const bool mostly_new = 2 * count_common(features, features_) < features.size();
  if (whole || !grows(rows) || (mostly_new && features.size() <= largest_by_rows)) {
    every_row_.resize(weight.size());
    std::iota(every_row_.begin(), every_row_.end(), 0u);
    weighted_gram(rows, every_row_, weight, false, H_);
    H_.triangularView<Eigen::StrictlyUpper>() = H_.transpose();
    features_.assign(features.begin(), features.end());
    return;
  }
  const std::vector<bool> known = keep_known(features);
  const Rows columns = transpose(rows);
  const auto m = static_cast<Eigen::Index>(features.size());
  // The rows of column j, cut at the leaves: in the order of the rows per group, then along the tree.
  const auto make_column = [&]<class Stored>(const Stored& a, const Leaves& groups, Eigen::Index j) {
    const auto column = std::get<Stored>(columns).row(static_cast<std::size_t>(j));
    if constexpr (requires { column.column; }) {
      const std::span<const std::uint32_t> which(column.column, column.size);
      tree_sum(
          groups.of_list(which), static_cast<std::size_t>(m), H_.data() + j * m,
          [&](std::size_t begin, std::size_t end, double* h) {
            for (std::size_t k = begin; k < end; ++k)
              add_to(h, weight[which[k]] * static_cast<double>(column.value[k]), a.row(which[k]));
          },
          1);
    }
  };
  std::visit(
      [&](const auto& a) {
        const double row = work_per_step(a);
        const StopPoll poll(row * static_cast<double>(a.entries()) / static_cast<double>(features.size() + 1));
        // Joining vectors of m numbers costs little beside adding the rows: r^2 per row and m^2 per group.
        const double entries = static_cast<double>(all_entries(a)), r = entries / static_cast<double>(all_rows(a) + 1);
        const double most = r * entries / (8 * static_cast<double>(m) * static_cast<double>(m) + 1);
        const Leaves groups = a.leaves()->grouped(static_cast<std::size_t>(most));
        if (groups.shares() != nullptr) return make_columns_together(a, columns, groups, weight, known);
        parallel_chunks(chunks_of(features.size(), 16, 1024), [&](std::size_t, std::size_t begin, std::size_t end) {
          StopPoll stop = poll;
          for (std::size_t j = begin; j < end && !stop.requested(); ++j)
            if (!known[j]) make_column(a, groups, static_cast<Eigen::Index>(j));
        });
      },
      rows);
  for (Eigen::Index j = 0; j < m; ++j)  // the missing entries of old columns, by symmetry
    if (!known[static_cast<std::size_t>(j)])
      for (Eigen::Index k = 0; k < m; ++k)
        if (known[static_cast<std::size_t>(k)]) H_(j, k) = H_(k, j);
}

// Several processes: sums over rows are made one after another, so many columns are summed at once. Every column has the
// bits of make_column.
template <class RowsOf>
void SetGram::make_columns_together(const RowsOf& rows, const Rows& columns, const Leaves& groups,
                                    std::span<const double> weight, const std::vector<bool>& known) {
  constexpr std::size_t most_numbers = std::size_t{1} << 23;  // of one sum: 64 MB
  const auto m = static_cast<std::size_t>(H_.rows());
  std::vector<std::size_t> missing;
  for (std::size_t j = 0; j < known.size(); ++j)
    if (!known[j]) missing.push_back(j);
  const std::size_t at_once = std::max<std::size_t>(most_numbers / std::max<std::size_t>(m, 1), 1);
  std::vector<double> sums;
  for (std::size_t done = 0; done < missing.size(); done += at_once) {
    const std::size_t count = std::min(at_once, missing.size() - done);
    sums.resize(count * m);
    tree_sum(groups, sums.size(), sums.data(), [&](std::size_t begin, std::size_t end, double* part) {
      for (std::size_t c = 0; c < count; ++c) {
        const auto column = std::get<RowsOf>(columns).row(missing[done + c]);
        if constexpr (requires { column.column; }) {
          const auto* const last = std::lower_bound(column.column, column.column + column.size, end);
          for (const auto* at = std::lower_bound(column.column, column.column + column.size, begin); at != last; ++at)
            add_to(part + c * m, weight[*at] * static_cast<double>(column.value[at - column.column]), rows.row(*at));
        }
      }
    });
    for (std::size_t c = 0; c < count; ++c) std::copy_n(sums.data() + c * m, m, H_.data() + missing[done + c] * m);
  }
}

// Moves known columns to their new positions; true for columns that were already in the set.
std::vector<bool> SetGram::keep_known(std::span<const std::uint32_t> features) {
  const auto m = static_cast<Eigen::Index>(features.size());
  std::vector<bool> known(features.size());
  std::vector<std::pair<Eigen::Index, Eigen::Index>> moved;  // from, to
  for (std::size_t from = 0, to = 0; to < features.size(); ++to) {
    while (from < features_.size() && features_[from] < features[to]) ++from;
    known[to] = from < features_.size() && features_[from] == features[to];
    if (known[to]) moved.emplace_back(from, to);
  }
  Eigen::MatrixXd larger(m, m);
  for (const auto& column : moved)
    for (const auto& row : moved) larger(row.second, column.second) = H_(row.first, column.first);
  H_.swap(larger);
  features_.assign(features.begin(), features.end());
  return known;
}

}  // namespace seesaw
