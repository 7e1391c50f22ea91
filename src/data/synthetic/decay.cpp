#include "data/synthetic/generators.h"
#include "data/synthetic/parts.h"

namespace seesaw::synthetic {

// Zhu & Storkey, section 4.1: a_ij = N(0,1) / j, all true weights 1, b = sum_j a_ij + noise.
Dataset decay(const SynthOptions& given) {
  const SynthOptions options = with_defaults(given, 1000, 1000, 1.0);
  require(options.classes == 2, "classes", static_cast<double>(options.classes),
          "decay has one true weight vector and so two classes; use text, factors, spread or correlated");
  Rng rng = row_rng(options);
  LabelledRows rows(options);
  const std::vector<double> x_true(options.d, 1.0);
  std::vector<double> a(options.d);
  for (std::size_t i = 0; i < options.n; ++i) {
    for (std::size_t j = 0; j < options.d; ++j) a[j] = normal(rng) / static_cast<double>(j + 1);
    rows.add_linear(a, x_true, rng);
  }
  return std::move(rows).finish("decay");
}

}  // namespace seesaw::synthetic
