// The steps of SPDC (Zhang & Xiao, Theorem 1) for rows of norm R, m of them, drawn b at a time:
//
//     tau = sqrt(b gamma/(m lambda))/(c R)    sigma = sqrt(m lambda/(b gamma))/(c R)    c = 2
//     theta = 1 - 1/(m/b + (c/2) R sqrt((m/b)/(lambda gamma)))
//
// Valid: tau sigma_i |a_i|^2 <= (1/4) p_i/c_i. Row weights are already contained in the norms of RowFacts.
#pragma once

#include <cmath>

namespace seesaw {

struct SpdcSteps {
  double tau, sigma, theta;
};

inline SpdcSteps spdc_steps(double R, double m, double batch, double lambda, double gamma, double c = 2) {
  const double rows = m / batch;
  return {.tau = std::sqrt(gamma / (rows * lambda)) / (c * R),
          .sigma = std::sqrt(rows * lambda / gamma) / (c * R),
          .theta = 1 - 1 / (rows + 0.5 * c * R * std::sqrt(rows / (lambda * gamma)))};
}

}  // namespace seesaw
