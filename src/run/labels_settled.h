// The rule of `train --until-labels-settle`: the labels that the optimal model gives to some rows are all proved.
#pragma once

#include <memory>

#include "data/transform.h"
#include "run/point_rule.h"

namespace seesaw {

// `rows`: as read; they are transformed as in training. Throws Error where no label can be settled: regression,
// one-versus-rest (its problems are solved one by one), no l2 penalty, or rows that are wider than the training data.
std::shared_ptr<const PointRule> until_labels_settle(const Problem& problem, const Transform& transform,
                                                     const Dataset& rows, Precision precision);

}  // namespace seesaw
