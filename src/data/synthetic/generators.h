// One function per generator, described above its definition. `given`: by the user, before the defaults of the generator.
#pragma once

#include "data/synthetic.h"

namespace seesaw::synthetic {

Dataset decay(const SynthOptions& given);
Dataset spread(const SynthOptions& given);
Dataset correlated(const SynthOptions& given);
Dataset text(const SynthOptions& given);
Dataset factors(const SynthOptions& given);

}  // namespace seesaw::synthetic
