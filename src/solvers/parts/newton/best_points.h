// The points with the lowest P and the highest D of all rows that a method has computed, by plain sums.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <vector>

#include "base/parallel_elements.h"
#include "base/scalar.h"

namespace seesaw {

struct BestPoints {
  Eigen::VectorXd x;
  std::vector<double> y;
  double primal = infinity, dual = -infinity;
  double gap = infinity;  // the smallest one, of a pair or of both

  void forget_bounds() { gap = primal = infinity, dual = -infinity; }
  // A pair with P = `at_x` and D = at_x - of_pair.
  void keep(const Eigen::VectorXd& new_x, const std::vector<double>& new_y, double at_x, double of_pair) {
    if (at_x < primal) {
      primal = at_x;
      x = new_x;
    }
    if (at_x - of_pair > dual) {
      dual = at_x - of_pair;
      parallel_copy(new_y, y);
    }
    gap = std::min({gap, of_pair, std::max(0.0, primal - dual)});
  }
};

}  // namespace seesaw
