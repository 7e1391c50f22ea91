// What a user asks for: which loss, which penalty, how strong, which intercept. Words and numbers only; Problem makes
// it concrete on data.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace seesaw {

enum class Intercept { none, penalized, free };
Intercept intercept_of(std::string_view name);  // throws InvalidOption
std::string_view name_of(Intercept intercept);

struct Objective {
  std::string loss;                      // empty: logistic where there are two labels, otherwise the program asks
  std::optional<double> loss_parameter;  // gamma, epsilon, quantile or huber: whichever the loss has
  std::string regularizer;               // empty: as the coefficients say
  std::optional<double> lambda, l1, C;  // of P = sum c_i phi_i + lambda/2 |x|^2 + l1 |x|_1; C sets lambda = 1/(C sum s)
  Intercept intercept = Intercept::free;
  std::map<double, double> class_weights;  // label -> weight > 0, 1 where not named
  bool balanced = false;                   // every class weighs the same in all
  // Per feature of the problem's data, the constant feature of a penalized intercept not included; empty: all 1, or no
  // bounds. See Penalty.
  std::vector<double> penalty_factors = {};
  std::vector<double> lower = {}, upper = {};  // lo <= 0 <= hi; may be infinite
};

}  // namespace seesaw
