#include "study/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "seesaw/error.h"

namespace seesaw {

std::string shell_quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789@%+=:,./_-") == std::string::npos;
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string with_options(const std::string& message) {
  static const std::map<std::string, std::string> renamed = {{"penalty", "--reg"},
                                                             {"seconds", "--time"},
                                                             {"scaling", "--scale"},
                                                             {"class_weights", "--class-weight"},
                                                             {"factors", "--penalty-factors"},
                                                             {"lower", "--box"},
                                                             {"upper", "--box"},
                                                             {"generator", "the generator"}};
  return replace_fields(message, [](std::string field) {
    if (const auto known = renamed.find(field); known != renamed.end()) return known->second;
    std::replace(field.begin(), field.end(), '_', '-');
    return (field.starts_with('-') ? "" : "--") + field;
  });
}

std::string train_command(const StudyProblem& study_problem, const SolverSpec& solver, const Criteria& criteria) {
  const Problem& problem = study_problem.problem;
  std::string text = fmt::format("seesaw train {}{} --loss {}", shell_quoted(study_problem.prepared.source),
                                 study_problem.prepared.reading, problem.kind->name);
  if (!study_problem.groups && !problem.kind->parameter.name.empty() &&
      problem.loss_parameter != problem.kind->parameter.standard)
    text += fmt::format(" --{} {}", problem.kind->parameter.name, problem.loss_parameter);
  if (problem.penalty.l2() == 0 && problem.penalty.l1() == 0) text += " --reg none";
  if (problem.penalty.l2() > 0) text += fmt::format(" --lambda {}", problem.penalty.l2());
  if (problem.penalty.l1() > 0) text += fmt::format(" --l1 {}", problem.penalty.l1());
  if (problem.intercept != Intercept::free) text += fmt::format(" --intercept {}", name_of(problem.intercept));
  if (problem.intercept_scaling != 1) text += fmt::format(" --intercept-scaling {}", problem.intercept_scaling);
  if (study_problem.objective.balanced) text += " --class-weight balanced";
  for (const auto& [label, weight] : study_problem.objective.class_weights)
    text += fmt::format(" --class-weight {}={}", label, weight);
  if (study_problem.prepared.transform.scaling != Scaling::none)
    text += fmt::format(" --scale {}", name_of(study_problem.prepared.transform.scaling));
  text += " --solver " + solver.name;
  for (const auto& [option, value] : solver.options) text += fmt::format(" --{} {}", option, shell_quoted(value));
  text += fmt::format(" --seed {} --gap {}", solver.seed, criteria.gap);
  if (criteria.gap_abs > 0) text += fmt::format(" --gap-abs {}", criteria.gap_abs);
  if (std::isfinite(criteria.max_passes)) text += fmt::format(" --max-passes {}", criteria.max_passes);
  if (std::isfinite(criteria.seconds)) text += fmt::format(" --time {}", criteria.seconds);
  if (criteria.check_every > 0) text += fmt::format(" --check-every {}", criteria.check_every);
  return text;
}

}  // namespace seesaw
