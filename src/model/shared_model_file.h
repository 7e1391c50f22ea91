// The model file of a run on several ranks (model/model_file.h): the same bytes as those of one process.
#pragma once

#include <string>
#include <vector>

#include "base/leaves.h"
#include "base/ranks.h"
#include "model/linear_model.h"
#include "model/model_file.h"

namespace seesaw {

// model.y: of the rows of this rank, in the order of the ranks. All ranks call it. The first one writes the model; a dual point beside the model is
// written by all, each its rows at their position (base/shared_file.h), and is on no rank as a whole. Returns whether it is
// beside the model. An error of one rank is thrown on all.
bool write_shared_model(const LinearModel& model, Ranks& ranks, const std::string& path, DualPlace place);

// The dual variables of the rows of this rank; of a dual point beside the model, it reads these alone. All ranks call it.
std::vector<double> read_dual(const StoredModel& stored, const Shares& shares);

}  // namespace seesaw
