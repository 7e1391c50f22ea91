#include "kernels/isa.h"

#include <cstdlib>
#include <string_view>

#include "kernels/table.h"

namespace seesaw {
namespace {

constexpr Isa levels[] = {Isa::baseline, Isa::avx2, Isa::avx512};

std::string_view requested_level() {
  const char* word = std::getenv("SEESAW_ISA");
  return word == nullptr ? std::string_view() : std::string_view(word);
}

// The level of SEESAW_ISA. If that is unset or invalid, the best available level; isa_problem() returns the error.
const Kernels* choose() {
  const Isa* best = &levels[0];
  for (const Isa& level : levels)
    if (available(level)) best = &level;
  for (const Isa& level : levels)
    if (requested_level() == name_of(level) && available(level)) best = &level;
  return &kernels_of(*best);
}

}  // namespace

const char* name_of(Isa isa) { return isa == Isa::avx512 ? "avx512" : isa == Isa::avx2 ? "avx2" : "baseline"; }

bool available(Isa isa) {
#if defined(__x86_64__)
  __builtin_cpu_init();  // this may run before the constructors of the C runtime
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (isa == Isa::avx2) return avx2;
  if (isa == Isa::avx512)
    return avx2 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
           __builtin_cpu_supports("avx512vl") != 0;
#endif
  return isa == Isa::baseline;
}

const Kernels& kernels_of(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::avx512) return avx512_kernels;
  if (isa == Isa::avx2) return avx2_kernels;
#endif
  static_cast<void>(isa);
  return baseline_kernels;
}

std::string isa_problem() {
  const std::string word(requested_level());
  if (word.empty()) return {};
  for (const Isa level : levels)
    if (word == name_of(level))
      return available(level) ? std::string() : "SEESAW_ISA: this processor does not support " + word + ".";
  return "SEESAW_ISA: '" + word + "' is not baseline, avx2 or avx512.";
}

constinit const Kernels* kernels_in_use::chosen = &baseline_kernels;

namespace {

// Before the constructors of static objects, which may use kernels.
[[gnu::constructor(101)]] void choose_at_start() { kernels_in_use::chosen = choose(); }

}  // namespace
}  // namespace seesaw
