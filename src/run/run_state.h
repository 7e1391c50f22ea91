// What a run has found so far, saved and restored (base/archive.h).
#pragma once

#include "base/archive.h"
#include "run/observer.h"

namespace seesaw {

void serialize(Archive& archive, Bounds& bounds);
void serialize(Archive& archive, Certificate& certificate);
void serialize(Archive& archive, Point& point, std::size_t outputs);
void serialize(Archive& archive, std::vector<TraceRow>& trace);  // without classes
void serialize(Archive& archive, Outcome& outcome, std::size_t outputs);

}  // namespace seesaw
