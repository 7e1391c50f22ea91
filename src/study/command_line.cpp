#include "study/command_line.h"

#include <fmt/format.h>

#include <cmath>

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

std::string train_command(const StudyProblem& subject, const SolverSpec& solver, const Criteria& criteria) {
  const Problem& problem = subject.problem;
  std::string text = fmt::format("seesaw train {}{} --loss {}", shell_quoted(subject.prepared.source),
                                 subject.prepared.reading, problem.kind->name);
  if (!problem.kind->parameter.name.empty() && problem.loss_parameter != problem.kind->parameter.standard)
    text += fmt::format(" --{} {}", problem.kind->parameter.name, problem.loss_parameter);
  if (problem.penalty.l2() == 0 && problem.penalty.l1() == 0) text += " --reg none";
  if (problem.penalty.l2() > 0) text += fmt::format(" --lambda {}", problem.penalty.l2());
  if (problem.penalty.l1() > 0) text += fmt::format(" --l1 {}", problem.penalty.l1());
  if (problem.intercept != Intercept::free) text += fmt::format(" --intercept {}", name_of(problem.intercept));
  if (subject.objective.balanced) text += " --class-weight balanced";
  for (const auto& [label, weight] : subject.objective.class_weights)
    text += fmt::format(" --class-weight {}={}", label, weight);
  if (subject.prepared.scaling != Scaling::none) text += fmt::format(" --scale {}", name_of(subject.prepared.scaling));
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
