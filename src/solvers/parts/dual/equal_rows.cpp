#include "solvers/parts/dual/equal_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

namespace seesaw {
namespace {

template <class Row>
std::uint64_t hash_of(Row a) {
  std::uint64_t hash = 0;
  for_each(a, [&](std::size_t column, double value) {
    if (value == 0) return;
    std::uint64_t entry = (column + 1) * 0x9e3779b97f4a7c15u ^ std::bit_cast<std::uint64_t>(value);
    entry = (entry ^ entry >> 32) *
            0xd6e8feb86659fd93u;  // entries are mixed independently; the sum does not depend on their order
    hash += entry ^ entry >> 32;
  });
  return hash;
}

// The y_i of one group at the score z, and sum c_i y_i.
double derivatives_at(const Problem& problem, const PiecewiseQuadratic& loss, std::span<const std::uint32_t> group,
                      double z, std::vector<double>& y) {
  double sum = 0;
  y.clear();
  for (std::uint32_t i : group) {
    y.push_back(loss.derivative(problem.scalar().target[i], z));
    sum += problem.normalized_weight[i] * y.back();
  }
  return sum;
}

void split(const Problem& problem, const PiecewiseQuadratic& loss, std::span<const std::uint32_t> group,
           std::vector<double>& y) {
  double total = 0, low = infinity, high = -infinity;
  for (std::uint32_t i : group) {
    total += problem.normalized_weight[i] * y[i];
    low = std::min(low, problem.scalar().target[i]);
    high = std::max(high, problem.scalar().target[i]);
  }
  std::vector<double> below, above;
  double reach = 1 + loss.insensitivity + high - low;
  low -= reach;
  high += reach;
  // The derivatives increase with z: bracketing, then bisection to adjacent numbers.
  for (int k = 0; k < 60 && derivatives_at(problem, loss, group, low, below) > total; ++k, reach *= 2) low -= reach;
  for (int k = 0; k < 60 && derivatives_at(problem, loss, group, high, above) < total; ++k, reach *= 2) high += reach;
  for (int k = 0; k < 100; ++k) {
    const double z = 0.5 * (low + high);
    if (z <= low || z >= high) break;
    (derivatives_at(problem, loss, group, z, below) <= total ? low : high) = z;
  }
  const double from = derivatives_at(problem, loss, group, low, below),
               to = derivatives_at(problem, loss, group, high, above);
  if (!(from <= total && total <= to)) return;  // Y is outside the group's range up to rounding: keep y
  const double part = to > from ? (total - from) / (to - from) : 0;
  for (std::size_t k = 0; k < group.size(); ++k) y[group[k]] = below[k] + part * (above[k] - below[k]);
}

}  // namespace

std::vector<std::vector<std::uint32_t>> equal_rows(const Rows& rows) {
  return std::visit(
      [](const auto& storage) {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(storage.count());
        for (std::size_t i = 0; i < keys.size(); ++i)
          keys[i] = {hash_of(storage.row(i)), static_cast<std::uint32_t>(i)};
        std::sort(keys.begin(), keys.end());
        std::vector<std::vector<std::uint32_t>> groups;
        for (std::size_t k = 1; k < keys.size(); ++k) {
          if (keys[k].first != keys[k - 1].first || keys[k].first == 0) continue;  // 0: empty rows
          if (groups.empty() || groups.back().back() != keys[k - 1].second) groups.push_back({keys[k - 1].second});
          groups.back().push_back(keys[k].second);
        }
        return groups;
      },
      rows);
}

void split_equal_rows(const Problem& problem, const std::vector<std::vector<std::uint32_t>>& groups,
                      std::vector<double>& y) {
  const auto& loss = std::get<PiecewiseQuadratic>(problem.scalar().loss);
  for (const auto& group : groups) split(problem, loss, group, y);
}

}  // namespace seesaw
