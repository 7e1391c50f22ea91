// Lists of names in experiments.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace seesaw {

inline bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
// An empty list means all.
inline bool chosen_by(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || contains(names, name);
}

}  // namespace seesaw
