#include "model/problem_kind.h"

namespace seesaw {

Problem problem_of_kind(const LossKind& kind, double lambda, double l1, std::size_t classes) {
  Problem problem{.data = nullptr, .kind = &kind};
  problem.loss_parameter = kind.parameter.standard;
  if (kind.make_block != nullptr) problem.form = BlockForm{kind.make_block(classes), {}};
  else problem.form = ScalarForm{kind.make(kind.parameter.standard), {}};
  problem.penalty = Penalty(lambda, l1);
  return problem;
}

}  // namespace seesaw
