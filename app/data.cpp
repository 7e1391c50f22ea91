// seesaw data: the data sets of the papers, which are available here, and where they are published.
#include <fmt/format.h>

#include <memory>

#include "command.h"
#include "study/papers.h"

namespace seesaw::app {
namespace {

std::string location_of(const PaperSets& sets, const PaperSet& set, const std::string& folder) {
  if (std::string path = path_of(set, folder); !path.empty()) return path;
  const SetChoice choice = choose_set(sets, set.name, folder);
  if (choice.set == nullptr) return "not here, no substitute";
  if (choice.substitute.empty()) return "generated, as in the paper";
  return choice.path.empty() ? "not here; substitute: generated"
                             : fmt::format("not here; substitute: {} ({})", choice.set->name, choice.path);
}

int list_sets(const std::string& given) {
  const Papers papers = built_in();
  const std::string folder = data_folder(given);
  fmt::print("data folder: {}\n",
             folder.empty() ? "none (give one by --data DIR or SEESAW_DATA, or put it at ./data)" : folder);
  for (const auto& [name, set] : papers.sets.all()) {
    fmt::print("\n{}", name);
    if (set.n > 0 && set.d > 0) fmt::print(": {} rows x {} features", set.n, set.d);
    fmt::print("\n  {}\n", location_of(papers.sets, set, folder));
    if (!set.published.empty()) fmt::print("  published: {}\n", set.published);
  }
  return success;
}

}  // namespace

void add_data(Program& program) {
  auto folder = std::make_shared<std::string>();
  Command& command = program.add_command("data", "list the data sets of the papers, and where each is published");
  command.add_option("--data", *folder, "folder with the data sets")
      .placeholder("DIR")
      .standard("$SEESAW_DATA, then ./data")
      .common();
  command.on_run([folder] { return list_sets(*folder); });
}

}  // namespace seesaw::app
