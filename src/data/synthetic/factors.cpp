#include <cmath>

#include "data/synthetic/generators.h"
#include "data/synthetic/parts.h"

namespace seesaw::synthetic {

// Columns with 40 common latent factors: a = F z + N(0,1)/2 with F_jk ~ N(0, 1/40) and z ~ N(0,1), b = a.x_true + noise with
// x_true ~ N(0, 1/d), a random direction of length about 1.
Dataset factors(const SynthOptions& given) {
  constexpr std::size_t latent = 40;
  const SynthOptions options = with_defaults(given, 5000, 500, 0.5);
  Rng truth = truth_rng(options);
  std::vector<double> loadings = normals(truth, latent * options.d);  // F^T, row-major: d loadings per factor
  for (double& loading : loadings) loading /= std::sqrt(static_cast<double>(latent));
  std::vector<double> x_true = normals(truth, options.d * scores_of(options));
  for (double& weight : x_true) weight /= std::sqrt(static_cast<double>(options.d));
  Rng rng = row_rng(options);
  LabelledRows rows(options);
  std::vector<double> a(options.d);
  for (std::size_t i = 0; i < options.n; ++i) {
    for (double& value : a) value = normal(rng) / 2;
    for (std::size_t k = 0; k < latent; ++k) {
      const double z = normal(rng);
      for (std::size_t j = 0; j < options.d; ++j) a[j] += z * loadings[k * options.d + j];
    }
    rows.add_linear(a, x_true, rng);
  }
  return std::move(rows).finish("factors");
}

}  // namespace seesaw::synthetic
