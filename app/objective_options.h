// Options of the objective: the same for every command that trains.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/transform.h"
#include "model/objective.h"
#include "options.h"

namespace seesaw::app {

struct ObjectiveOptions {
  std::string intercept = "free", scale = "none";
  std::map<std::string, double> loss_parameters;  // gamma, epsilon, ...: only those given
  std::vector<std::string> class_weights;

  // --loss with its parameters, --reg; `multiclass`: what more than two labels mean, for the help
  // of_groups: losses of groups of rows as well
  void declare_loss(Command& command, const char* multiclass = "binary losses: one-versus-rest if multiclass",
                    bool of_groups = false);

  // The same with several losses and penalties
  void declare_losses(Command& command, std::vector<std::string>& losses, std::vector<std::string>& penalties);

  void declare_coefficients(Command& command);  // --lambda, --C, --l1, one of each
  void declare_treatment(Command& command);     // --intercept, --class-weight, --scale

  // --penalty-factors, --nonnegative, --box: per feature, so they are read when the data is known
  void declare_feature_penalties(Command& command);
  void read_feature_penalties(const Dataset& data, std::size_t first_index, Objective& objective) const;
  std::string feature_penalties_as_typed() const;  // each option preceded by a space
  std::string penalty_factors_path, box_path;
  bool nonnegative = false;

  Objective objective() const;                                        // throws for options that exclude each other
  Objective treatment() const;                                        // without the loss and its parameter
  std::optional<double> parameter_of(const std::string& loss) const;  // if it was given
  Scaling scaling() const { return scaling_of(scale); }

 private:
  void declare_parameters(Command& command);  // of losses

  Objective given_;  // as set by options directly
};

}  // namespace seesaw::app
