#include "output_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "base/atomic_file.h"
#include "base/output_path.h"
#include "seesaw/error.h"

namespace seesaw::app {

void refuse_overwriting(const std::string& output, const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::is_regular_file(output, ignored)) return;
  for (const std::string& input : inputs)
    if (!input.empty() && fs::equivalent(output, input, ignored))
      throw Error(fmt::format(
          "{} is read by this command and would be overwritten by it; give another name to write to.", output));
}

void refuse_sharing(const std::vector<std::string>& outputs) {
  namespace fs = std::filesystem;
  std::set<fs::path> taken;
  for (const std::string& output : outputs) {
    std::error_code ignored;
    if (output.empty() || (fs::exists(output, ignored) && !fs::is_regular_file(output, ignored))) continue;
    if (!taken.insert(fs::weakly_canonical(fs::absolute(output, ignored), ignored)).second)
      throw Error(
          fmt::format("{} would be written twice by this command; give each output a name of its own.", output));
  }
}

void refuse_unwritable(const std::string& output) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::exists(output, ignored) || fs::is_regular_file(output, ignored) || fs::is_directory(output, ignored))
    const AtomicFile writable(output);
}

std::FILE* words_beside(const std::string& output) { return is_standard_output(output) ? stderr : stdout; }

}  // namespace seesaw::app
