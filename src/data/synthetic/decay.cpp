#include "data/synthetic/generators.h"
#include "data/synthetic/parts.h"

namespace seesaw::synthetic {

// Zhu & Storkey, section 4.1: a_ij = N(0,1) / j, all true weights 1, b = sum_j a_ij + noise.
Dataset decay(const SynthOptions& given) {
  const SynthOptions options = settled(given, 1000, 1000, 1.0);
  Rng rng = row_rng(options);
  LabelledRows rows(options);
  std::vector<double> a(options.d);
  for (std::size_t i = 0; i < options.n; ++i) {
    double score = 0;
    for (std::size_t j = 0; j < options.d; ++j) {
      a[j] = normal(rng) / static_cast<double>(j + 1);
      score += a[j];
    }
    rows.add(a, score + options.noise * normal(rng));
  }
  return std::move(rows).finish("decay");
}

}  // namespace seesaw::synthetic
