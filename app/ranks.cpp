#include "ranks.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/mapped_files.h"
#include "seesaw/error.h"

namespace seesaw::app {
namespace {

constexpr double seconds_for_others = 2;  // to fail as well
Ranks* in_use = nullptr;
int own_stderr = STDERR_FILENO;

int started_processes() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* size = std::getenv(name)) return std::atoi(size);
  return 1;
}

Ranks* load_mpi() {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  std::string reason = "this seesaw was built without MPI";
  for (const fs::path& path : {folder / "seesaw_mpi.so", folder / SEESAW_MODULE_FOLDER / "seesaw_mpi.so"}) {
    if (!fs::exists(path, ignored)) continue;
    if (void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) {  // the parts of MPI need its symbols
      using Start = Ranks* (*)();
      if (const auto start = reinterpret_cast<Start>(dlsym(module, "seesaw_start_mpi"))) return start();
    }
    const char* const why = dlerror();
    reason = why == nullptr ? path.string() : why;
  }
  throw Error(
      fmt::format("mpirun started {} processes, but MPI cannot be used: {}. Start one process, or install "
                  "libopenmpi-dev and build again.",
                  started_processes(), reason));
}

void print(const std::string& sentence) {
  const std::string line = fmt::format("seesaw: {}\n", sentence);
  if (write(own_stderr, line.data(), line.size()) < 0) return;
}

}  // namespace

Ranks* ranks() { return in_use; }
bool is_first() { return in_use == nullptr || in_use->first(); }

void start_ranks() {
  if (started_processes() <= 1) return;
  in_use = load_mpi();
  if (in_use->first()) return;
  own_stderr = dup(STDERR_FILENO);
  report_shrunk_files_to(own_stderr);
  const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0 || dup2(nothing, STDERR_FILENO) < 0)
    throw Error("/dev/null cannot be opened.");
}

int end_ranks(int code) {
  if (in_use == nullptr) return code;
  std::fflush(nullptr);
  if (const auto codes = in_use->ends(code, 1e9)) return *std::max_element(codes->begin(), codes->end());
  return code;
}

int fail_on_ranks(const std::string& sentence, int code) {
  if (in_use == nullptr) {
    print(sentence);
    return code;
  }
  std::fflush(nullptr);
  if (const auto codes = in_use->ends(code, seconds_for_others)) {
    const auto failed = std::find(codes->begin(), codes->end(), code);
    if (failed - codes->begin() == in_use->rank()) print(sentence);
    return code;
  }
  print(sentence);
  in_use->abort(code);
  return code;
}

}  // namespace seesaw::app
