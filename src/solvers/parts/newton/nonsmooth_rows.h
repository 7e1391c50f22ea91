// Rows with a nonsmooth loss (hinge, absolute, quantile, epsilon-insensitive: phi*(y) = b y + e|y| on [lo, hi]) that is
// smoothed around a center y0:
//
//     psi_i(z) = max_y  y z - phi_i*(y) - (gamma/2) (y - y0_i)^2
//     y_i(z)   = psi_i'(z) = clip( S(r_i, e)/gamma ),        r_i = z - b_i + gamma y0_i
//
// with second derivative 1/gamma where y_i is free: inside (lo, hi), and nonzero if e > 0. Stored as one array per
// letter, so that the loops over rows are vectorized.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/leaves.h"
#include "model/losses/piecewise_quadratic.h"

namespace seesaw {

class Archive;
struct Problem;

struct NonsmoothRows {
  explicit NonsmoothRows(const PiecewiseQuadratic& nonsmooth) : loss(nonsmooth) {}

  PiecewiseQuadratic loss;
  double gamma = 1;
  std::vector<std::uint32_t> which;    // rows of the data
  std::vector<double> b, c, y0, z, y;  // label, normalized weight, center, score, dual point
  std::vector<double> q;               // change of the scores along a direction
  Leaves leaves;                       // of these rows: positions in `which`

  std::size_t size() const { return which.size(); }
  void resize(std::size_t rows);      // one leaf
  void load(const Problem& problem);  // the rows `which` of the problem: sizes, b, c and leaves
  // The rows at these places of another list, q excepted.
  void take(const Problem& problem, const NonsmoothRows& from, std::span<const std::uint32_t> places);

  void serialize(Archive& archive, const Problem& problem);  // q excepted

  void move(double t);  // z += t q

  // y = y(z). Lists the rows whose y has changed, with the change of c y.
  void follow_scores(std::vector<std::uint32_t>& changed, std::vector<double>& change);

  // The free rows and their normalized weights.
  void free_rows(std::vector<std::uint32_t>& free, std::vector<double>& normalized_weight) const;

  // The number of rows outside `places` whose y would be different at these scores.
  std::size_t crossings(std::span<const double> scores, std::span<const std::uint32_t> places) const;

  // The distance of each score from the interval where its row is curved.
  void distances(std::vector<float>& distance) const;

  // The positions of about factor max(curved rows, least) rows, at least 256, in ascending order: those with the smallest
  // distances at the last find_distances(), which include all curved rows.
  void find_distances();
  void nearest(double factor, std::size_t least, std::vector<std::uint32_t>& places) const;

  // Whether sum c y can become smaller by `excess`, or larger if that is negative, with every y in its domain. Otherwise
  // Psi of these rows, with y of all others constant, is unbounded in a free intercept.
  bool can_balance(double excess) const;

  // Of the original loss: sum c phi(z), and the gap due to the smoothing, sum c [phi(z) + phi*(y) - y z] >= 0.
  struct Losses {
    double primal = 0, excess = 0;
    Losses& operator+=(const Losses& other);
  };
  Losses losses() const;

  // First and second derivative of sum c psi(z + t q) by t.
  struct Derivatives {
    double first = 0, second = 0;
    Derivatives& operator+=(const Derivatives& other);
  };
  Derivatives along(double t) const;

  // The zero of the derivative of sum c psi(z + t q) + (curvature/2) t^2 + constant t, an increasing piecewise linear
  // function with the value `derivative` at 0: safeguarded Newton in a bracket. `derivative` < 0 may include rows outside
  // of these, whose y and so whose part is constant.
  double exact_step(double derivative, double curvature) const;

 private:
  std::vector<double> next_;  // the new y, before it replaces y
  std::vector<float> distance_;
  std::vector<std::uint32_t> histogram_;  // of distance_
};

// The y in the middle of their domains; of empty rows without a free intercept the optimal y.
std::vector<double> middle_of_domain(const Problem& problem, const PiecewiseQuadratic& loss);

}  // namespace seesaw
