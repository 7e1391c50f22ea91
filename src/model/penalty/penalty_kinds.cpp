#include "model/penalty/penalty_kinds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "model/registry.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

Registry<PenaltyKind>& penalty_registry() {
  static Registry<PenaltyKind> kinds({{.name = "l2", .l2 = true},
                                      {.name = "l1", .l1 = true},
                                      {.name = "elastic-net", .l2 = true, .l1 = true},
                                      {.name = "none"}});
  return kinds;
}

}  // namespace

const std::vector<PenaltyKind>& penalty_kinds() { return penalty_registry().entries(); }
void register_penalty(const PenaltyKind& kind) { penalty_registry().add(kind); }

const PenaltyKind& penalty_kind(std::string_view name) {
  std::vector<std::string_view> names;
  for (const PenaltyKind& kind : penalty_kinds()) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  throw InvalidOption("penalty", std::string(name), fmt::format("choose one of {}", fmt::join(names, ", ")));
}

}  // namespace seesaw
