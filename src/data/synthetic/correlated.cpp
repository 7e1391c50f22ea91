#include <cmath>
#include <numbers>

#include "data/synthetic/generators.h"
#include "data/synthetic/parts.h"

namespace seesaw::synthetic {

// Wang & Xiao, section 5: rows N(0, Sigma) with Sigma_jk = 2^(-|j-k|/correlation) (the paper prints no minus; without
// it Sigma is indefinite). That is the autoregression a_j = rho a_{j-1} + sqrt(1 - rho^2) N(0,1) with rho =
// 2^(-1/correlation). b = a.x_true + noise; the paper does not specify x_true: here N(0, 1/d), so that the variance
// of a.x_true, averaged over x_true, is 1 for any d.
Dataset correlated(const SynthOptions& given) {
  const SynthOptions options = with_defaults(given, 5000, 3000, 1.0);
  require(options.correlation >= 0.01 && options.correlation <= 1e6, "correlation", options.correlation,
          "it is between 0.01 and 1e6");
  const double rho = exponential(-std::numbers::ln2 / options.correlation);
  const double fresh = std::sqrt((1 - rho) * (1 + rho));
  Rng truth = truth_rng(options);
  std::vector<double> x_true = normals(truth, options.d * scores_of(options));
  for (double& weight : x_true) weight /= std::sqrt(static_cast<double>(options.d));
  Rng rng = row_rng(options);
  LabelledRows rows(options);
  std::vector<double> a(options.d);
  for (std::size_t i = 0; i < options.n; ++i) {
    a[0] = normal(rng);
    for (std::size_t j = 1; j < options.d; ++j) a[j] = rho * a[j - 1] + fresh * normal(rng);
    rows.add_linear(a, x_true, rng);
  }
  return std::move(rows).finish("correlated");
}

}  // namespace seesaw::synthetic
