// The instruction set of the kernels: selected once, at start, by the processor's capabilities or by
// SEESAW_ISA=baseline|avx2|avx512. Results do not depend on it: every level does the same operations in the same order.
#pragma once

#include <string>

namespace seesaw {

enum class Isa {
  baseline,  // supported by every processor of the architecture
  avx2,      // AVX2 and FMA
  avx512     // AVX-512 F, DQ, VL and FMA
};

const char* name_of(Isa isa);
bool available(Isa isa);  // on this processor

// The error message for an invalid SEESAW_ISA; empty if it is valid.
std::string isa_problem();

// isa_in_use(): kernels/table.h

}  // namespace seesaw
