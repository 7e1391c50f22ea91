// Rows drawn uniformly: a random permutation per pass, with replacement, or in batches of distinct rows.
#pragma once

#include <memory>
#include <string>

#include "sampling/shuffled.h"
#include "sampling/subset.h"
#include "sampling/uniform.h"
#include "seesaw/error.h"
#include "solvers/options.h"
#include "solvers/parts/steps/step_rule.h"
#include "solvers/recipe.h"

namespace seesaw {

enum class Draw { permutation, iid };

inline void describe_draw(OptionReader& reader, Draw& draw) {
  reader.choice("draw", draw, {"permutation", "iid"},
                "how rows are drawn: a random permutation per pass, or with replacement");
}

inline std::unique_ptr<Sampler> uniform_sampler(const RowFacts& facts, Draw draw, std::size_t batch, Rng rng) {
  if (batch > 1) return std::make_unique<SubsetSampler>(facts.drawable, rng);
  if (draw == Draw::iid) return std::make_unique<UniformSampler>(facts.drawable, rng);
  return std::make_unique<ShuffledSampler>(facts.drawable, rng);
}

// A batch is a new set of b distinct rows per step: --draw does not apply.
inline void refuse_draw_of_batches(const SolverSpec& spec, std::size_t batch) {
  if (batch > 1) refuse_given(spec, {"draw"}, "it needs `batch` 1: a batch is a new set of distinct rows per step");
}

inline void refuse_large_batch(std::size_t batch, std::size_t rows) {
  if (batch > 1 && batch > rows)
    throw InvalidOption("batch", std::to_string(batch), "only " + std::to_string(rows) + " rows are not empty");
}

// w_i = c_i / (p_i b)
inline std::vector<double> uniform_weights(const RowFacts& facts, std::size_t batch) {
  std::vector<double> weight = facts.normalized_weight;
  const double p = 1 / facts.m;
  for (double& w : weight) w = w / p / static_cast<double>(batch);
  return weight;
}

}  // namespace seesaw
