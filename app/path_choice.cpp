#include "path_choice.h"

#include <fmt/format.h>

#include <cmath>

#include "model/model_file.h"
#include "seesaw/error.h"
#include "select/path_file.h"

namespace seesaw::app {

void PathChoice::declare(Command& command) {
  const char* group = "Model of a path";
  command.add_option("--C", C, "use the model that covers this C").group(group).common();
  command.add_option("--lambda", lambda, "use the model that covers this lambda").group(group).common();
  command.add_option("--l1", l1, "use the model that covers this l1").group(group).common();
}

ChosenModel choose_model(const Path& path, const PathChoice& choice, const std::string& name) {
  if (!choice.given())
    throw Error(fmt::format("{} is a path of {} models over {} in {}: choose one by --{} NUMBER.", name,
                            path.points.size(), shown_parameter(path), shown(path, path.range), shown_parameter(path)));
  if (choice.C.has_value() + choice.lambda.has_value() + choice.l1.has_value() > 1)
    throw Error("choose the model of a path by one of --C, --lambda, --l1.");
  const bool by_lambda = path.line.lambda_per > 0;
  if ((choice.lambda && !by_lambda) || (choice.l1 && by_lambda))
    throw Error(fmt::format("{} is a path over {}: choose by --{} or --C.", name, path.line.parameter(),
                            path.line.parameter()));
  const double value = choice.C ? *choice.C : choice.lambda ? *choice.lambda : *choice.l1;
  const char* option = choice.C ? "C" : choice.lambda ? "lambda" : "l1";
  if (!(value > 0 && std::isfinite(value)))
    throw InvalidOption(option, fmt::format("{}", value), "it must be a number above 0");
  const double t = choice.C ? t_of_C(path, value) : value;
  const auto found = covering(path, t);
  if (!found)
    throw Error(fmt::format("no model of {} covers {} = {:.6g}: the path is over {} in {}{}.", name, option, value,
                            shown_parameter(path), shown(path, path.range),
                            path.range.contains(t) ? ", and not all of it is covered" : ""));
  ChosenModel result{model_of(path, *found->point, found->point->certificate), ""};
  const double above = found->bounds.gap / found->bounds.dual;
  result.sentence =
      fmt::format("model of {}; at {} = {:.6g} its objective is at most {:.3g} ({:.2g} %) above the optimum",
                  shown(path, found->point->t()), option, value, found->bounds.gap, 100 * above);
  return result;
}

ChosenModel read_model_or_path(const std::string& name, const PathChoice& choice) {
  if (is_path_file(name)) return choose_model(read_path(name, false), choice, name);
  if (choice.given()) throw Error(fmt::format("{} is one model, not a path: leave out --C, --lambda and --l1.", name));
  return {read_model(name, false), ""};
}

}  // namespace seesaw::app
