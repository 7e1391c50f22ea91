// Solutions along a path of problems, l1 decreasing, and the next one from the last two: on a fixed support x is linear in
// l1 for the squared loss, and nearly so for others.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace seesaw {

inline double l1_norm(const std::vector<double>& x) {
  double sum = 0;
  for (const double xj : x) sum += std::abs(xj);
  return sum;
}

struct L1Solution {
  double l1 = 0, b = 0;
  std::vector<double> x, v;
};

// How far the next l1 is from the last one, relative to the last step; nothing where the last two are no basis.
inline std::optional<double> step_along_path(const L1Solution& before, const L1Solution& last, double l1,
                                             double longest) {
  if (!(before.l1 > last.l1 && last.l1 > l1)) return std::nullopt;
  const double r = (last.l1 - l1) / (before.l1 - last.l1);
  if (r > longest) return std::nullopt;
  return r;
}

// x on the line through the last two, without coordinates that would change their sign. Those at 0 stay there.
inline std::vector<double> predicted_x(const L1Solution& before, const L1Solution& last, double r) {
  std::vector<double> x = last.x;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (last.x[j] == 0) continue;
    x[j] += r * (last.x[j] - before.x[j]);
    if (x[j] * last.x[j] < 0) x[j] = 0;
  }
  return x;
}

}  // namespace seesaw
