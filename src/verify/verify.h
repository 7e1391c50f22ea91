// The independent check: recomputes a model's certificate from the data and the model file, in double-double arithmetic
// whose rounding errors are all bounded (ball.h), with losses, conjugates, sums, exp and log of its own. It shares with
// training the readers, the scaling of the rows (which states the problem) and the model's plain structs. A claim holds
// if and only if the recomputed bounds prove each of its numbers; there are no tolerances.
#pragma once

#include <string>
#include <vector>

#include "data/dataset.h"
#include "model/linear_model.h"

namespace seesaw {

struct Verification {
  bool holds = false;
  double primal = 0, dual = 0, gap = 0;   // recomputed: P from above, D from below, and P - D from above
  std::vector<ClassCertificate> classes;  // one-versus-rest: recomputed of each class
  std::vector<std::string> problems;      // why it does not hold: whole sentences
};

// `data` as read from the file (with weights where the model was trained with them), before any scaling.
// Throws Error where the model carries no certificate, is older than version 3, or belongs to other data.
Verification verify(const Dataset& data, const LinearModel& model);

}  // namespace seesaw
