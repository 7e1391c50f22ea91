// One function per generator, described above its definition. options: as given by the user.
#pragma once

#include "data/synthetic.h"

namespace seesaw::synthetic {

Dataset decay(const SynthOptions& options);
Dataset spread(const SynthOptions& options);
Dataset correlated(const SynthOptions& options);
Dataset text(const SynthOptions& options);
Dataset factors(const SynthOptions& options);

}  // namespace seesaw::synthetic
