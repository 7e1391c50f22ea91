// Adds a loss of one score to loss_kinds(), before that list is first read.
#pragma once

#include "model/losses/loss.h"

namespace seesaw {

void register_loss(const LossKind& kind);

}  // namespace seesaw
