#include "data/synthetic.h"

#include "data/synthetic/generators.h"
#include "seesaw/error.h"

namespace seesaw {

const std::vector<Generator>& generators() {
  static const std::vector<Generator> all = {
      {"decay", "dense, standard deviation of column j 1/j, all true weights 1 (1000 x 1000)", synthetic::decay},
      {"spread", "sparse, log-normal row norms (1000 x 200)", synthetic::spread},
      {"correlated", "dense, neighbouring columns correlated (5000 x 3000)", synthetic::correlated},
      {"text", "sparse like tf-idf of documents: Zipf columns, unit rows (20000 x 5000)", synthetic::text},
      {"factors", "dense, 40 latent factors plus noise (5000 x 500)", synthetic::factors},
  };
  return all;
}

Dataset synthesize(const std::string& generator, const SynthOptions& options) {
  std::string names;
  for (const Generator& known : generators()) {
    if (known.name == generator) return known.make(options);
    names += (names.empty() ? "" : ", ") + known.name;
  }
  throw InvalidOption("generator", generator, "it is one of " + names);
}

}  // namespace seesaw
