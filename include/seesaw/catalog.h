// The losses and methods that exist.
#pragma once

#include <string>
#include <vector>

namespace seesaw {

enum class TargetKind { number, two_classes, classes };  // two_classes: more are solved one-versus-rest

struct LossInfo {
  std::string name;
  std::string formula;  // in z = a.x + intercept and b
  TargetKind target = TargetKind::number;
  bool smooth = false;
  std::string parameter;  // empty: it has none
  double parameter_default = 0;
  std::string parameter_rule;  // what is allowed, in words
  bool of_groups = false;      // of all scores z_g of a group of rows: needs Training::blocks
};

struct MethodOption {
  std::string name;
  std::string allowed;
  std::string default_value;
  std::string meaning;
};

struct MethodInfo {
  std::string name;
  std::string summary;
  std::string paper;
  std::string family;
  std::string cost;    // of one step
  std::string needs;   // of the problem, in words
  bool random = true;  // the result depends on the seed
  std::vector<MethodOption> options;
};

std::vector<LossInfo> losses();
std::vector<MethodInfo> methods();

}  // namespace seesaw
