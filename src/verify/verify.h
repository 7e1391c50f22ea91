// The independent verifier: recomputes a model's certificate from the data and the model file, in double-double
// arithmetic with rigorous error bounds (ball.h), with its own losses, conjugates, sums, exp and log. It shares with
// training the readers, the scaling of the rows (which defines the problem) and the model's plain structs. A claim
// holds if and only if the recomputed bounds prove each of its numbers; there are no tolerances.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "model/linear_model.h"

namespace seesaw {

struct Verification {
  bool holds = false;
  double primal = 0, dual = 0, gap = 0;   // recomputed: upper bound of P, lower bound of D, upper bound of P - D
  std::vector<ClassCertificate> classes;  // one-versus-rest: recomputed, per class
  std::vector<std::string> problems;      // the reasons why it does not hold: whole sentences
};

// The dual variables of the rows of this process, given the leaves of the transformed rows.
using DualPart = std::function<std::vector<double>(const Leaves&)>;

// `data` as read from the file (with weights if the model was trained with them), before any scaling.
// Throws Error if the model has no certificate, is older than version 3, or was trained on other data.
// `data_hash`: content_hash(data), where it is known.
//
// Several processes (data/share_rows.h): each has its rows, all have the result, with the bits of one process. `data_hash`
// and `dual` are required.
Verification verify(const Dataset& data, const LinearModel& model, std::optional<std::uint64_t> data_hash = {},
                    const DualPart& dual = {});
// The same with less memory: the rows are transformed in place where they can be (data/transform.h), and `data` has no
// entries afterwards.
Verification verify_taking_rows(Dataset& data, const LinearModel& model, std::optional<std::uint64_t> data_hash,
                                const DualPart& dual);
// Whether the rows may be on several processes: not for models without a penalty or with penalty factors of 0, whose bounds
// use all rows at once.
bool verifies_shares(const LinearModel& model);

}  // namespace seesaw
