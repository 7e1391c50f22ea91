#include "study/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "seesaw/error.h"

namespace seesaw {

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(fmt::format("cannot read {}: {}.", path, std::strerror(errno)));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

namespace {

// A reproduction may consist of curves that are no runs.
bool has_experiment(const std::vector<std::string>& lines) {
  return std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
    return nlohmann::json::parse(line, nullptr, false).contains("experiment");
  });
}

}  // namespace

Journal::Journal(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  if (std::filesystem::exists(path_)) {
    const std::vector<std::string> lines = read_lines(path_);
    std::vector<RunRecord> records = read_records(lines, path_);
    if (records.empty() && !lines.empty() && !has_experiment(lines))
      throw Error(fmt::format("{} is there already and has no runs in it; choose another name for --jsonl.", path_));
    std::size_t kept = 0;
    AtomicFile cleaned(path_);
    for (RunRecord& record : records) {
      if (!record.finished() || record.key.empty()) continue;
      for (const std::string& line : record.lines) cleaned.write(line + "\n");
      kept += record.lines.size();
      const std::string key = record.key;
      finished_.insert_or_assign(key, std::move(record));
    }
    if (kept != lines.size()) cleaned.commit();
  }
  file_ = std::fopen(path_.c_str(), "ab");
  if (file_ == nullptr) throw Error(fmt::format("cannot write {}: {}.", path_, std::strerror(errno)));
}

Journal::~Journal() {
  if (file_ != nullptr) std::fclose(file_);
}

std::vector<RunRecord> Journal::finished() const {
  const std::lock_guard lock(mutex_);
  std::vector<RunRecord> all;
  for (const auto& one : finished_) all.push_back(one.second);
  return all;
}

void Journal::rewrite(const std::vector<std::string>& lines) {
  if (file_ == nullptr) return;
  const std::lock_guard lock(mutex_);
  AtomicFile file(path_);
  for (const std::string& line : lines) file.write(line + "\n");
  file.commit();
  std::fclose(file_);
  file_ = std::fopen(path_.c_str(), "ab");
  if (file_ == nullptr) throw Error(fmt::format("cannot write {}: {}.", path_, std::strerror(errno)));
}

const RunRecord* Journal::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = finished_.find(key);
  return found == finished_.end() ? nullptr : &found->second;
}

void Journal::add(RunRecord record) {
  const std::lock_guard lock(mutex_);
  if (file_ != nullptr) {
    std::string text;
    for (const std::string& line : record.lines) text += line + "\n";
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0)
      throw Error(fmt::format("cannot write {}: {}; the runs before are kept.", path_, std::strerror(errno)));
  }
  const std::string key = record.key;
  finished_.insert_or_assign(key, std::move(record));
}

}  // namespace seesaw
