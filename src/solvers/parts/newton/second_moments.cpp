#include "solvers/parts/newton/second_moments.h"

#include <numeric>
#include <vector>

#include "model/rigorous/row_weights.h"
#include "solvers/engines/working_set_settings.h"
#include "solvers/parts/newton/weighted_gram.h"

namespace seesaw {

bool worth_second_moments(const Problem& problem, double products) {
  return GramCertifier::applies(problem) && working_set_settings::worth_whole_set(problem, products);
}

SecondMoments second_moments(const Problem& problem) {
  std::vector<std::uint32_t> all(problem.n());
  std::iota(all.begin(), all.end(), 0u);
  SecondMoments moments;
  moments.additions =
      weighted_gram_with(problem.scalar().target, problem.data->rows, all, problem.normalized_weight,
                         rigorous::RowWeights(problem).all_one(), problem.free_intercept(), moments.matrix);
  return moments;
}

}  // namespace seesaw
