// One function a generator; the comment above each says what it makes. options: as the user gave them.
#pragma once

#include "data/synthetic.h"

namespace seesaw::synthetic {

Dataset decay(const SynthOptions& options);
Dataset spread(const SynthOptions& options);
Dataset correlated(const SynthOptions& options);
Dataset text(const SynthOptions& options);
Dataset factors(const SynthOptions& options);

}  // namespace seesaw::synthetic
