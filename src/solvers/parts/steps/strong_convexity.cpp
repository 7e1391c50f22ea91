#include "solvers/parts/steps/strong_convexity.h"

#include <fmt/format.h>

#include "seesaw/error.h"
#include "solvers/named_number.h"
#include "solvers/parts/steps/data_curvature.h"
#include "solvers/parts/steps/step_rule.h"

namespace seesaw {

void StrongConvexity::describe(OptionReader& reader, std::string_view use) {
  reader.choice("mu", mu, {"lambda", "data", number_name},
                fmt::format("the strong convexity of P that determines the {}: lambda, lambda plus that of the squared "
                            "loss on the data, or this number",
                            use));
}

double StrongConvexity::value(const Problem& problem, const SolverSpec& spec, double bias_entry) const {
  const double lambda = problem.penalty.l2();
  if (mu == Mu::lambda) return lambda;
  if (mu == Mu::number) {
    const double number = *given_number(spec, "mu");
    if (number < lambda)
      throw InvalidOption("mu", spec.options.at("mu"), fmt::format("it must be at least lambda, which is {}", lambda));
    return number;
  }
  const double delta = problem.is_scalar() ? delta_of(problem.scalar().loss) : 0;
  if (delta == 0)
    throw InvalidOption(
        "mu", "data",
        fmt::format("the loss {} is not strongly convex, so the data adds nothing; omit it", problem.kind->name));
  if (const auto reason = data_curvature_unsupported(problem))
    throw InvalidOption("mu", "data", "it needs " + *reason + "; omit it");
  return lambda + delta * data_curvature(problem, bias_entry);
}

double positive_strong_convexity(const StrongConvexity& options, const Problem& problem, const SolverSpec& spec,
                                 double bias_entry) {
  StrongConvexity chosen = options;
  if (chosen.mu == Mu::lambda && problem.penalty.l2() == 0) {
    if (spec.options.contains("mu")) throw InvalidOption("mu", "lambda", "lambda is 0; use data or a number above 0");
    chosen.mu = Mu::data;
  }
  return chosen.value(problem, spec, bias_entry);
}

std::optional<std::string> strong_convexity_unsupported(const Problem& problem) {
  if (problem.penalty.l2() > 0) return std::nullopt;
  if (auto reason = data_curvature_unsupported(problem)) return reason;
  if (data_curvature(problem, RowFacts(problem).bias_entry) > 0) return std::nullopt;
  return "lambda > 0 or linearly independent columns, and here lambda = 0 and the columns are dependent";
}

}  // namespace seesaw
