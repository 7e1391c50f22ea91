// Problems with losses of groups, evaluated in 113-bit arithmetic, and a slow minimum.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "run/fit_groups.h"
#include "support/problems.h"
#include "support/quad.h"

namespace seesaw::test {

inline constexpr const char* group_methods[] = {"auto", "sdca", "spdc", "adaspdc", "spdhg", "bpd"};

inline Quad quad_root(Quad s) {
  if (s == 0) return 0;
  Quad r = std::sqrt(static_cast<double>(s));
  for (int round = 0; round < 3; ++round) r = (r + s / r) / 2;
  return r;
}

struct GroupCase {
  Matrix A;
  std::vector<double> b;  // as labels; -1 and +1 for the hinge
  RowGroups groups;
  bool hinge = false;
  double lambda = 0.1, l1 = 0;
  Intercept intercept = Intercept::none;
  std::vector<double> weights = {};  // of the groups; empty: all 1

  double weight(std::size_t group) const { return weights.empty() ? 1 : weights[group]; }
  Dataset data(Storage storage = Storage::sparse) const {
    Dataset result = table(A, storage);
    result.labels = b;
    result.labelled = true;
    if (!weights.empty())
      for (const std::uint32_t g : groups.of_row) result.weights.push_back(weights[g]);
    return result;
  }
  FitSpec spec(const char* method, double gap_abs) const {
    FitSpec spec;
    spec.objective.loss = hinge ? "group-max-hinge" : "group-norm";
    spec.objective.lambda = lambda;
    if (l1 > 0) spec.objective.l1 = l1;
    spec.objective.intercept = intercept;
    spec.solver.name = method;
    spec.criteria.gap = 0;
    spec.criteria.gap_abs = gap_abs;
    spec.criteria.max_passes = 200000;
    return spec;
  }
  Quad primal(const std::vector<double>& x, double b0 = 0) const {
    std::vector<Quad> of_group(groups.count);
    for (std::size_t i = 0; i < A.size(); ++i) {
      Quad z = b0;
      for (std::size_t j = 0; j < x.size(); ++j) z += Quad(A[i][j]) * x[j];
      Quad& sum = of_group[groups.of_row[i]];
      if (hinge) sum = std::max(sum, 1 - b[i] * z);
      else sum += (z - b[i]) * (z - b[i]);
    }
    Quad sum = 0, penalty = 0, total = 0;
    for (std::size_t g = 0; g < groups.count; ++g) {
      sum += weight(g) * (hinge ? of_group[g] : quad_root(of_group[g]));
      total += weight(g);
    }
    for (const double xj : x) penalty += Quad(lambda) / 2 * xj * xj + Quad(l1) * std::abs(xj);
    return sum / total + penalty;
  }
};

inline GroupCase random_groups(std::size_t n, std::size_t d, std::size_t groups, bool hinge, std::uint64_t seed) {
  GroupCase result{.A = random_matrix(n, d, seed), .b = {}, .groups = {groups, {}}, .hinge = hinge};
  result.b = random_labels(result.A, hinge ? Target::sign : Target::number, seed);
  if (hinge)
    for (double& b : result.b) b = b == 5 ? 1 : -1;
  Rng rng(seed + 7);
  for (std::size_t i = 0; i < n; ++i)
    result.groups.of_row.push_back(static_cast<std::uint32_t>(
        i < groups ? i : static_cast<std::size_t>(rng.uniform() * static_cast<double>(groups))));
  return result;
}

// The minimum over one coordinate after the other, by golden sections: P is convex, so the inner minimum is too.
inline double slow_minimum(const GroupCase& of, std::vector<double>& x, std::size_t coordinate) {
  if (coordinate == x.size() && of.intercept == Intercept::free)  // the last coordinate of x
    return static_cast<double>(of.primal({x.begin(), x.end() - 1}, x.back()));
  if (coordinate == x.size()) return static_cast<double>(of.primal(x));
  const double ratio = 0.6180339887498949;
  double low = -8, high = 8;
  const auto at = [&](double value) {
    x[coordinate] = value;
    return slow_minimum(of, x, coordinate + 1);
  };
  double a = high - ratio * (high - low), b = low + ratio * (high - low), of_a = at(a), of_b = at(b);
  for (int round = 0; round < 60; ++round) {
    if (of_a < of_b) {
      high = b;
      b = a;
      of_b = of_a;
      of_a = at(a = high - ratio * (high - low));
    } else {
      low = a;
      a = b;
      of_a = of_b;
      of_b = at(b = low + ratio * (high - low));
    }
  }
  return std::min(of_a, of_b);
}

}  // namespace seesaw::test
