// The entries of A that a step on single entries uses: a_ij, another row i' for column j, another column j' for row i,
// drawn according to EntrySampling. A draw among the non-zeros costs O(1). With rows and columns drawn independently,
// most pairs of sparse data are zeros and the entries have to be searched for.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "solvers/parts/sampling/entry_probabilities.h"

namespace seesaw {

struct EntryDraw {
  std::uint32_t i, j;
  std::uint32_t other_i, other_j;  // i', j'
  double a;                        // a_ij
  double above;                    // a_i'j
  double beside;                   // a_ij'
};

class EntryDraws {
 public:
  virtual ~EntryDraws() = default;
  virtual void begin_period() {}                      // after the probabilities have changed
  virtual void fill(std::span<EntryDraw> block) = 0;  // the draws do not depend on the block size
};

// Pools (Liu, Wang & So, Algorithm 3): at the beginning of a period nd/log(nd) rows and as many columns are drawn with
// their probabilities; steps draw from these uniformly. Memory: 8 bytes per row and column of a pool.
std::size_t pool_size(const EntryFacts& facts);

// Problem and probabilities must outlive it; changed probabilities apply from the next draw. EntrySampling::nonzeros
// needs sparse storage, and has no pools. `pool`: their size, or 0.
std::unique_ptr<EntryDraws> make_entry_draws(const Problem& problem, const EntryProbabilities& probabilities,
                                             EntrySampling sampling, double bias_entry, std::uint64_t seed,
                                             std::size_t pool = 0);

}  // namespace seesaw
