#include "solvers/parts/l1/set_gram.h"

#include <algorithm>
#include <numeric>

#include "base/parallel.h"
#include "base/stop.h"
#include "base/tree_sum.h"
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
  const auto m = static_cast<Eigen::Index>(features.size());
  std::visit([&](const auto& a) { make_columns(a, weight, known); }, rows);
  for (Eigen::Index j = 0; j < m; ++j)  // the missing entries of old columns, by symmetry
    if (!known[static_cast<std::size_t>(j)])
      for (Eigen::Index k = 0; k < m; ++k)
        if (known[static_cast<std::size_t>(k)]) H_(j, k) = H_(k, j);
}

// The missing columns, in batches that stay in the cache: each reads all rows. Every column has the same bits whatever the
// batches are.
template <class RowsOf>
void SetGram::make_columns(const RowsOf& rows, std::span<const double> weight, const std::vector<bool>& known) {
  if constexpr (requires { rows.row(0).column; }) {
    constexpr std::size_t in_cache = std::size_t{1} << 17, most_numbers = std::size_t{1} << 23;  // 1 MB, 64 MB
    constexpr std::uint32_t none = ~std::uint32_t{0};
    const auto m = static_cast<std::size_t>(H_.rows());
    std::vector<std::uint32_t> missing;
    for (std::size_t j = 0; j < known.size(); ++j)
      if (!known[j]) missing.push_back(static_cast<std::uint32_t>(j));
    // Joining vectors of m numbers costs little beside adding the rows: r^2 per row and m^2 per group.
    const double entries = static_cast<double>(all_entries(rows)),
                 r = entries / static_cast<double>(all_rows(rows) + 1);
    const double most = r * entries / (8 * static_cast<double>(m) * static_cast<double>(m) + 1);
    const Leaves groups = rows.leaves()->grouped(static_cast<std::size_t>(most));
    const bool shared = groups.shares() != nullptr;  // a sum over ranks is an exchange: as few as memory allows
    const std::size_t at_once =
        std::max<std::size_t>((shared ? most_numbers : in_cache) / std::max<std::size_t>(m, 1), 1);
    const Chunks batches{missing.size(), (missing.size() + at_once - 1) / at_once};
    const StopPoll poll(work_per_step(rows));
    const auto make_batch = [&](std::size_t, std::size_t first, std::size_t last) {
      std::vector<std::uint32_t> place(m, none);
      for (std::size_t c = first; c < last; ++c) place[missing[c]] = static_cast<std::uint32_t>(c - first);
      std::vector<double> sums((last - first) * m);
      tree_sum(groups, sums.size(), sums.data(), [&](std::size_t begin, std::size_t end, double* part) {
        StopPoll stop = poll;
        for (std::size_t i = begin; i < end && !stop.requested(); ++i) {
          const auto row = rows.row(i);
          for (std::size_t e = 0; e < row.size; ++e)
            if (const std::uint32_t c = place[row.column[e]]; c != none)
              add_to(part + c * m, weight[i] * static_cast<double>(row.value[e]), row);
        }
      });
      for (std::size_t c = first; c < last; ++c)
        std::copy_n(sums.data() + (c - first) * m, m, H_.data() + missing[c] * m);
    };
    if (!shared && batches.count > 0) return parallel_chunks(batches, make_batch);
    for (std::size_t k = 0; k < batches.count; ++k) make_batch(k, batches.begin(k), batches.end(k));
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
