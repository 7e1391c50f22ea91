#include "study/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/nesting.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

bool is_json(const std::string& line) { return !nested_deeper(line) && nlohmann::json::accept(line); }

// A truncated header: the first line of a study that was killed while writing it. Version 2 began with "trace".
bool truncated_header(std::string_view line) {
  if (is_json(std::string(line))) return false;
  for (const std::string_view beginning : {"{\"type\":\"header\"", "{\"trace\":"})
    if (line.starts_with(beginning) || beginning.starts_with(line)) return true;
  return false;
}

// Whether a study wrote these lines: runs with keys, or the other lines of a reproduction.
bool written_by_study(const std::vector<std::string>& lines, const std::vector<RunRecord>& records) {
  return std::any_of(records.begin(), records.end(), [](const RunRecord& r) { return !r.key.empty(); }) ||
         std::all_of(lines.begin(), lines.end(), [](const std::string& line) { return line.empty(); }) ||
         (lines.size() == 1 && truncated_header(lines.front())) ||
         std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
           if (nested_deeper(line)) return false;
           const auto value = nlohmann::json::parse(line, nullptr, false);
           return value.is_object() && (value.contains("experiment") || value.contains("refused"));
         });
}

}  // namespace

Journal::Journal(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  file_.emplace(path_);
  resume(file_->lines());
}

void Journal::resume(const std::vector<std::string>& lines) {
  std::vector<RunRecord> records = read_records(lines, path_);
  if (!written_by_study(lines, records))
    throw Error(fmt::format("{} exists and was not written by a comparison; choose another name.", path_));
  // An incomplete end of the file: a line that is not JSON, or a run without its last line.
  std::size_t kept = lines.size();
  if (kept > 0 && !lines.back().empty() && !is_json(lines.back())) --kept;
  if (!records.empty() && records.back().status.empty() && !records.back().key.empty()) {
    const RunRecord& last = records.back();
    if (last.first_line + last.lines.size() == kept) kept = last.first_line;
  }
  file_->keep(kept);
  other_lines_.insert(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(kept));

  for (RunRecord& record : records) {
    if (!record.finished() || record.key.empty()) continue;
    const std::string key = record.key;
    finished_.insert_or_assign(key, std::move(record));
  }
}

const RunRecord* Journal::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = finished_.find(key);
  return found == finished_.end() ? nullptr : &found->second;
}

void Journal::write(const std::string& text) {
  if (file_) file_->append(text);
}

void Journal::add(RunRecord record) {
  std::string text;
  for (const std::string& line : record.lines) text += line + "\n";
  const std::lock_guard lock(mutex_);
  write(text);
  const std::string key = record.key;
  finished_.insert_or_assign(key, std::move(record));
}

void Journal::add_line(const std::string& line) {
  const std::lock_guard lock(mutex_);
  if (other_lines_.insert(line).second) write(line + "\n");
}

std::vector<RunRecord> Journal::finished() const {
  const std::lock_guard lock(mutex_);
  std::vector<RunRecord> all;
  for (const auto& one : finished_) all.push_back(one.second);
  return all;
}

void Journal::rewrite(const std::vector<std::string>& lines) {
  if (!file_) return;
  const std::lock_guard lock(mutex_);
  file_->rewrite(lines);
}

}  // namespace seesaw
