#include "command.h"

namespace seesaw::app {

std::string base_name(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  for (const char* ending : {".gz", ".bz2", ".xz", ".zst"})
    if (const std::string e = ending; name.size() > e.size() && name.ends_with(e))
      return name.substr(0, name.size() - e.size());
  return name;
}

}  // namespace seesaw::app
