#include "busy.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "data/extents.h"
#include "summary.h"

namespace seesaw::app {
namespace {

// "tid (name) state ..." of proc(5): user and system time are the 12th and 13th field after the name, in ticks.
ThreadTime read_stat(const std::string& text, bool main) {
  const std::size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos) return {"", 0};
  std::istringstream fields(text.substr(close + 1));
  std::string skipped;
  for (int k = 0; k < 11; ++k) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  const bool reads = text.compare(open + 1, close - open - 1, disk_thread_name) == 0;
  return {main ? "main" : reads ? "disk" : "worker", (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK))};
}

}  // namespace

std::vector<ThreadTime> thread_times() {
  constexpr double least = 0.01;
  std::vector<ThreadTime> times;
  std::error_code none;
  const std::string main = std::to_string(getpid());
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", none)) {
    std::ifstream file(task.path() / "stat");
    std::string text;
    if (!std::getline(file, text)) continue;
    const ThreadTime time = read_stat(text, task.path().filename() == main);
    if (time.role == "main" || time.cpu >= least) times.push_back(time);
  }
  const auto rank = [](const ThreadTime& time) { return time.role == "main" ? 0 : time.role == "worker" ? 1 : 2; };
  std::stable_sort(times.begin(), times.end(), [&](const ThreadTime& a, const ThreadTime& b) {
    return rank(a) != rank(b) ? rank(a) < rank(b) : a.cpu > b.cpu;
  });
  return times;
}

Json disk_of(const Dataset& data) {
  const Extents* const extents = extents_of(data.rows);
  if (extents == nullptr) return nullptr;
  return {{"reads", reads_of(*extents)},
          {"bytes", extents->budget()->bytes_read.load()},
          {"seconds", static_cast<double>(extents->budget()->read_nanoseconds) * 1e-9},
          {"waited", static_cast<double>(extents->budget()->wait_nanoseconds) * 1e-9}};
}

}  // namespace seesaw::app
