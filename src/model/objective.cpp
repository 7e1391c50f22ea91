#include "model/objective.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "seesaw/error.h"

namespace seesaw {
namespace {

constexpr std::array<std::string_view, 3> intercept_names = {"none", "penalized", "free"};

}  // namespace

Intercept intercept_of(std::string_view name) {
  for (std::size_t k = 0; k < intercept_names.size(); ++k)
    if (intercept_names[k] == name) return static_cast<Intercept>(k);
  throw InvalidOption("intercept", std::string(name), "choose one of none, penalized, free");
}

std::string_view name_of(Intercept intercept) { return intercept_names[static_cast<std::size_t>(intercept)]; }

void validate_intercept(const Objective& objective) {
  const double B = objective.intercept_scaling;
  if (!(std::isfinite(B) && B > 0))
    throw InvalidOption("intercept_scaling", fmt::format("{}", B), "it must be a number above 0");
  if (B != 1 && objective.intercept != Intercept::penalized)
    throw InvalidOption("intercept_scaling", fmt::format("{}", B), "it needs `intercept` penalized");
}

}  // namespace seesaw
