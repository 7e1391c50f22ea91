// The independent check: recomputes a model's certificate from the data and the model file. It shares the readers and
// the model's plain structs with the rest, and no formula: losses, conjugates, scaling and sums are written here again,
// naively and in long double, so that an error there cannot hide an error here.
#pragma once

#include <string>
#include <vector>

#include "data/dataset.h"
#include "model/linear_model.h"

namespace seesaw {

struct Verification {
  bool holds = false;
  double primal = 0, dual = 0, gap = 0;   // recomputed
  std::vector<ClassCertificate> classes;  // one-versus-rest: recomputed of each class
  std::vector<std::string> problems;      // why it does not hold: whole sentences
};

// `data` as read from the file (with weights where the model was trained with them), before any scaling.
// Throws Error where the model carries no certificate, or belongs to other data.
Verification verify(const Dataset& data, const LinearModel& model);

}  // namespace seesaw
