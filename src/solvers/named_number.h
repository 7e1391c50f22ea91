// Options whose value is one of several names or a number above 0, "lambda|data|NUMBER": described as a choice whose last
// name is NUMBER. The text of a number is read here and replaced by that name before the options are read.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "solvers/options.h"
#include "solvers/recipe.h"

namespace seesaw {

inline constexpr std::string_view number_name = "NUMBER";

// The number given for the option; nullopt if it is not given or is a name.
std::optional<double> given_number(const SolverSpec& spec, const std::string& option);

// The spec with NUMBER in place of the numbers above 0 of these options. Throws InvalidOption for the text NUMBER itself.
SolverSpec name_numbers(SolverSpec spec, std::initializer_list<const char*> options);

inline constexpr OptionReader::Allowed from_zero = {"a number of at least 0", [](double v) { return v >= 0; }};

}  // namespace seesaw
