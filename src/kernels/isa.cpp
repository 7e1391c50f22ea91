#include "kernels/isa.h"

#include <cstdlib>
#include <string_view>

#include "kernels/table.h"

namespace seesaw {
namespace {

constexpr Isa levels[] = {Isa::baseline, Isa::avx2, Isa::avx512};

std::string_view wanted() {
  const char* word = std::getenv("SEESAW_ISA");
  return word == nullptr ? std::string_view() : std::string_view(word);
}

// Where SEESAW_ISA is wrong, the best level that there is: isa_problem() says so.
const Kernels* choose() {
  const Isa* best = &levels[0];
  for (const Isa& level : levels)
    if (available(level)) best = &level;
  for (const Isa& level : levels)
    if (wanted() == name_of(level) && available(level)) best = &level;
  return &kernels_of(*best);
}

}  // namespace

const char* name_of(Isa isa) { return isa == Isa::avx512 ? "avx512" : isa == Isa::avx2 ? "avx2" : "baseline"; }

bool available(Isa isa) {
#if defined(__x86_64__)
  __builtin_cpu_init();  // this may run before the constructors of the C library
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
  const std::string word(wanted());
  if (word.empty()) return {};
  for (const Isa level : levels)
    if (word == name_of(level))
      return available(level) ? std::string()
                              : "SEESAW_ISA: this processor does not have the instructions of " + word + ".";
  return "SEESAW_ISA: '" + word + "' is not baseline, avx2 or avx512.";
}

constinit const Kernels* kernels_in_use::chosen = &baseline_kernels;

namespace {

// Before the constructors of static objects, which may use kernels.
[[gnu::constructor(101)]] void choose_at_start() { kernels_in_use::chosen = choose(); }

}  // namespace
}  // namespace seesaw
