#include "model/problem_kind.h"

namespace seesaw {

void set_penalty(Problem& problem, double lambda, double l1) {
  problem.lambda = lambda;
  problem.l1 = l1;
  problem.regularizer = make_regularizer(lambda, l1);
}

Problem problem_of_kind(const LossKind& kind, double lambda, double l1, std::size_t classes) {
  Problem problem{.data = nullptr, .kind = &kind, .loss = {}, .regularizer = None{}};
  problem.loss_parameter = kind.parameter.standard;
  if (kind.make_block != nullptr) problem.block_loss = kind.make_block(classes);
  else problem.loss = kind.make(kind.parameter.standard);
  set_penalty(problem, lambda, l1);
  return problem;
}

}  // namespace seesaw
