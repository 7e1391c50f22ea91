// The strong convexity of P that step sizes are computed from, as the option `mu`: lambda alone, lambda plus that of the
// data (delta times the smallest eigenvalue of A^T C A, for a delta-strongly convex loss), or a given number.
#pragma once

#include <optional>
#include <string>

#include "solvers/options.h"
#include "solvers/recipe.h"

namespace seesaw {

enum class Mu { lambda, data, number };

struct StrongConvexity {
  Mu mu = Mu::lambda;

  void describe(OptionReader& reader, std::string_view use);  // use: "momentum". Read by name_numbers(spec, {"mu"})

  // At least lambda. Throws InvalidOption for `data` without a strongly convex loss or with too many features, and for a
  // number below lambda.
  double value(const Problem& problem, const SolverSpec& spec, double bias_entry) const;
};

// For methods that need lambda > 0 or a strongly convex loss: `data` if lambda is 0 and `mu` is not given. Throws for
// `mu` lambda where lambda is 0.
double positive_strong_convexity(const StrongConvexity& options, const Problem& problem, const SolverSpec& spec,
                                 double bias_entry);

// Why lambda plus the strong convexity of the data is not available or not positive: the end of "NAME needs ...". With a
// strongly convex loss the smallest eigenvalue of A^T C A must be computable if lambda = 0, and positive.
std::optional<std::string> strong_convexity_unsupported(const Problem& problem);

}  // namespace seesaw
