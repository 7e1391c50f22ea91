// The data generators of the papers and of our benchmarks. The same parameters and seed give the same data everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/dataset.h"

namespace seesaw {

enum class Task { regression, classification };

struct SynthOptions {
  std::size_t n = 0;  // 0: the generator's own default
  std::size_t d = 0;
  Task task = Task::classification;
  std::size_t classes = 2;  // more than two: the label 1, 2, ... is the index of the largest of as many scores
  double noise = -1;        // standard deviation of the noise on a score; negative: the generator's default
  double spread = 1.0;      // `spread` only: rows are multiplied by exp(spread N(0,1))
  double correlation = 2;   // `correlated` only: cov_jk = 2^(-|j-k|/correlation)
  double row_size = 75;     // `text` only: mean number of nonzeros per row
  std::uint64_t seed = 1;
};

struct Generator {
  std::string name;
  std::string summary;  // one line for --help
  Dataset (*make)(const SynthOptions&);
};

// decay (Zhu & Storkey 4.1), spread (log-normal row norms), correlated (Wang & Xiao), text (sparse, Zipf columns,
// unit rows), factors (dense, 40 latent factors plus noise).
const std::vector<Generator>& generators();
Dataset synthesize(const std::string& generator,
                   const SynthOptions& options);  // throws InvalidOption for an unknown name

}  // namespace seesaw
