#include "study/papers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "seesaw/error.h"
#include "study/built_in.h"
#include "study/names.h"

namespace seesaw {
namespace {

namespace fs = std::filesystem;

bool names_sets(std::string_view name) { return name.starts_with("sets"); }

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code ignored;
  if (!file || fs::is_directory(path, ignored))
    throw Error(fmt::format("cannot read {}: {}.", path.string(), file ? "it is a directory" : std::strerror(errno)));
  return {std::istreambuf_iterator<char>(file), {}};
}

void add_sets_in_folder_of(PaperSets& sets, const fs::path& file) {
  std::vector<fs::path> found;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (names_sets(entry.path().filename().string()) && entry.path().extension() == ".toml")
      found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  for (const fs::path& path : found) sets.add(text_of(path), path.string());
}

}  // namespace

Papers built_in() {
  Papers papers;
  for (const BuiltInFile& file : built_in_papers()) {
    const std::string name(file.name), path = name + ".toml";
    if (names_sets(name)) papers.sets.add(file.text, path);
    else papers.experiments.push_back(read_experiment(file.text, name, path));
  }
  return papers;
}

Papers papers_named(const std::vector<std::string>& names) {
  Papers all = built_in();
  if (names.empty()) return all;
  Papers chosen{{}, all.sets};
  std::vector<std::string> seen;
  for (const std::string& name : names) {
    if (contains(seen, name)) continue;
    seen.push_back(name);
    if (name.ends_with(".toml")) {
      const std::string text = text_of(name);
      add_sets_in_folder_of(chosen.sets, name);
      chosen.experiments.push_back(read_experiment(text, fs::path(name).stem().string(), name));
      chosen.experiments.back().called = name;
      continue;
    }
    const auto found = std::find_if(all.experiments.begin(), all.experiments.end(),
                                    [&](const Experiment& one) { return one.name == name; });
    if (found == all.experiments.end()) {
      std::vector<std::string> known;
      for (const Experiment& one : all.experiments) known.push_back(one.name);
      throw Error(fmt::format("there is no experiment '{}'; choose one of {}, or a file that ends in .toml.", name,
                              fmt::join(known, ", ")));
    }
    chosen.experiments.push_back(*found);
  }
  return chosen;
}

}  // namespace seesaw
