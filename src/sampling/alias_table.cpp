#include "sampling/alias_table.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace seesaw {
namespace {

double sum(std::span<const double> weights) {  // four independent sums: faster than one, and more accurate
  double sums[4] = {};
  for (std::size_t k = 0; k < weights.size(); ++k) sums[k % 4] += weights[k];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

double AliasTable::build(std::span<const std::uint32_t> rows, std::span<const double> weights) {
  const std::size_t n = rows.size();
  if (n == 0) {
    cells_.clear();
    return 0;
  }
  const double total = sum(weights), mass = total / static_cast<double>(n);  // of all rows, and per cell
  const double inverse = 1 / mass;
  assert(n == weights.size() && std::isfinite(total));
  assert(std::isfinite(inverse));
  const auto threshold = [inverse](double part) {
    return static_cast<std::uint64_t>(std::min(0x1p64 * (inverse * part), 0x1.fffffffffffffp63));
  };

  cells_.resize(n);
  order_.resize(n);
  std::size_t light = 0, heavy = n;  // the number of light cells; the position of the first heavy one
  for (std::size_t k = 0; k < n; ++k) {
    const bool is_light = weights[k] < mass;
    order_[light] = order_[heavy - 1] = static_cast<std::uint32_t>(k);
    light += is_light;
    heavy -= !is_light;
    cells_[k] = {0, {rows[k], rows[k]}};  // full; light cells are changed below
  }

  // The donor fills light cells. When its remaining mass is less than a cell, the next heavy row becomes the donor and
  // fills that cell too. The last heavy row remains the donor; its remaining mass is then one cell up to rounding.
  // (If rounding makes all rows light, all have a full cell up to rounding, and any of them may be the donor.)
  std::size_t filled = 0, next = n - 1;
  std::uint32_t donor = order_[next];
  double left = weights[donor];
  for (;;) {
    if (left < mass && next > heavy) {
      const std::uint32_t successor = order_[--next];
      cells_[donor] = {threshold(left), {rows[donor], rows[successor]}};
      left = weights[successor] - (mass - left);
      donor = successor;
    } else if (filled < light) {
      const std::uint32_t k = order_[filled++];
      cells_[k] = {threshold(weights[k]), {rows[k], rows[donor]}};
      left -= mass - weights[k];
    } else {
      return total;
    }
  }
}

}  // namespace seesaw
