// The instructions that kernels use: chosen once, at start, by what the processor has, or by
// SEESAW_ISA=baseline|avx2|avx512. Results do not depend on it: every level does the same operations in the same order.
#pragma once

#include <string>

namespace seesaw {

enum class Isa {
  baseline,  // what every processor of the architecture has
  avx2,      // AVX2 and FMA
  avx512     // AVX-512 F, DQ, VL and FMA
};

const char* name_of(Isa isa);
bool available(Isa isa);  // on this processor

// What is wrong with SEESAW_ISA, a sentence; empty where nothing is.
std::string isa_problem();

// isa_in_use(): kernels/table.h

}  // namespace seesaw
