// Which entries of A a step on single entries touches: a_ij, another row i' for column j, another column j' for row i,
// drawn as EntrySampling says. Among the non-zeros a draw is O(1); of rows and columns on their own most pairs are
// zeros where the data is sparse, and the entries have to be searched for.
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
  virtual void fill(std::span<EntryDraw> block) = 0;  // the same draws however blocks are cut
};

// Problem and probabilities must outlive it; changes of the probabilities count from the next draw on. Non-zeros: sparse storage only.
std::unique_ptr<EntryDraws> make_entry_draws(const Problem& problem, const EntryProbabilities& probabilities,
                                             EntrySampling sampling, double bias_entry, std::uint64_t seed);

}  // namespace seesaw
