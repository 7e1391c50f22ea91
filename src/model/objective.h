// The objective as requested by a user: loss, penalty, coefficients, intercept, independent of data. make_problem()
// applies it to data.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seesaw/types.h"

namespace seesaw {

struct Objective {
  std::string loss;                      // empty: logistic if there are two labels, otherwise an error
  std::optional<double> loss_parameter;  // gamma, epsilon, quantile or huber: whichever the loss has
  std::string regularizer;               // empty: by the coefficients
  std::optional<double> lambda, l1, C;  // of P = sum c_i phi_i + lambda/2 |x|^2 + l1 |x|_1; C sets lambda = 1/(C sum s)
  Intercept intercept = Intercept::free;
  double intercept_scaling = 1;            // of a penalized intercept: the value of its constant feature, > 0
  std::map<double, double> class_weights;  // label -> weight > 0, 1 where not named
  bool balanced = false;                   // all classes have the same total weight
  // Per feature of the problem's data, the constant feature of a penalized intercept not included; empty: all 1, or no
  // bounds. See Penalty.
  std::vector<double> penalty_factors = {};
  std::vector<double> lower = {}, upper = {};  // lo <= 0 <= hi; may be infinite

  double constant_feature() const { return intercept == Intercept::penalized ? intercept_scaling : 0; }  // 0: none
};

// Throws InvalidOption if intercept_scaling is not a number above 0, or given without a penalized intercept.
void validate_intercept(const Objective& objective);

}  // namespace seesaw
