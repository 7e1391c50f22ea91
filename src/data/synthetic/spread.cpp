#include <algorithm>

#include "data/synthetic/generators.h"
#include "data/synthetic/parts.h"

namespace seesaw::synthetic {

// Log-normal row norms: entries N(0,1) at a density that falls linearly from 8 % to 0 over the columns, each row times
// exp(spread N(0,1)), b = a.x_true + noise with x_true ~ N(0,1). A row without entries is drawn again.
Dataset spread(const SynthOptions& given) {
  const SynthOptions options = with_defaults(given, 1000, 200, 0.5);
  require(options.spread >= 0 && options.spread <= 50, "spread", options.spread, "it is between 0 and 50");
  Rng truth = truth_rng(options);
  const std::vector<double> x_true = normals(truth, options.d * scores_of(options));
  Rng rng = row_rng(options);
  LabelledRows rows(options);
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (std::size_t i = 0; i < options.n; ++i) {
    const double scale = exponential(options.spread * normal(rng));
    columns.clear();
    values.clear();
    while (columns.empty()) {
      for (std::size_t j = 0; j < options.d; ++j) {
        const double place = (static_cast<double>(j) + 0.5) / static_cast<double>(options.d);
        if (rng.uniform() >= 0.08 * (1 - place)) continue;
        columns.push_back(static_cast<std::uint32_t>(j));
        values.push_back(scale * normal(rng));
      }
    }
    rows.add_linear(columns, values, x_true, rng);
  }
  return std::move(rows).finish("spread");
}

}  // namespace seesaw::synthetic
