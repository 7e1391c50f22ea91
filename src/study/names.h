// Lists of names as experiments have them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace seesaw {

inline bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
// A list that is empty means all.
inline bool chosen_by(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || contains(names, name);
}

}  // namespace seesaw
