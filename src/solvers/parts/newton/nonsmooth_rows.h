// Rows under a nonsmooth loss (hinge, absolute, quantile, epsilon-insensitive: phi*(y) = b y + e|y| on [lo, hi]) that is
// smoothed around a centre y0,
//
//     psi_i(z) = max_y  y z - phi_i*(y) - (gamma/2) (y - y0_i)^2,     y_i(z) = psi_i'(z) = clip( S(r_i, e)/gamma ),
//     r_i = z - b_i + gamma y0_i
//
// curved, with second derivative 1/gamma, where y_i is free: inside (lo, hi) and off the kink of phi* at 0. An array
// for each letter, so that the loops over rows run in vector registers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/losses/piecewise_quadratic.h"

namespace seesaw {

struct NonsmoothRows {
  explicit NonsmoothRows(const PiecewiseQuadratic& nonsmooth) : loss(nonsmooth) {}

  PiecewiseQuadratic loss;
  double gamma = 1;
  std::vector<std::uint32_t> which;    // rows of the data
  std::vector<double> b, c, y0, z, y;  // label, share, centre, score, dual point
  std::vector<double> q;               // change of the scores along a direction

  std::size_t size() const { return which.size(); }
  void resize(std::size_t rows);

  // y = y(z). Lists the rows whose y has changed, with the change of c y.
  void follow_scores(std::vector<std::uint32_t>& changed, std::vector<double>& change);

  // The rows that are free, and their shares.
  void free_rows(std::vector<std::uint32_t>& free, std::vector<double>& normalized_weight) const;

  // How many rows other than those at `places` would have another y at z + t q.
  std::size_t crossings(double t, std::span<const std::uint32_t> places) const;

  // How far each score is from where its row is curved.
  void distances(std::vector<float>& distance) const;

  // The places of about factor max(rows that are curved, least) rows, at least 256, in ascending order: those that are
  // nearest to where they are curved, which are all the curved ones and some more.
  void nearest(double factor, std::size_t least, std::vector<std::uint32_t>& places);

  // Of the loss as posed: sum c phi(z), and how much the smoothing costs, sum c [phi(z) + phi*(y) - y z] >= 0.
  struct Losses {
    double primal = 0, excess = 0;
    Losses& operator+=(const Losses& other);
  };
  Losses losses() const;

  // First and second derivative of sum c psi(z + t q) by t.
  struct Slopes {
    double first = 0, second = 0;
    Slopes& operator+=(const Slopes& other);
  };
  Slopes along(double t) const;

 private:
  std::vector<double> next_;  // y before it is taken over
  std::vector<float> distance_;
};

}  // namespace seesaw
