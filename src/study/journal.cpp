#include "study/journal.h"

#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/nesting.h"
#include "base/output_path.h"
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
           const auto json = nlohmann::json::parse(line, nullptr, false);
           return json.is_object() && (json.contains("experiment") || json.contains("refused"));
         });
}

}  // namespace

std::vector<std::string> read_lines(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw Error(fmt::format("cannot read {}: it is a directory.", path));
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(fmt::format("cannot read {}: {}.", path, std::strerror(errno)));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(std::move(line));
  return lines;
}

Journal::Journal(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  std::error_code ignored;
  const bool exists = std::filesystem::exists(path_, ignored);
  created_ = !exists;
  const bool readable = exists && (std::filesystem::is_regular_file(path_, ignored) ||
                                   std::filesystem::is_directory(path_, ignored));  // a device has no runs
  if (readable) read_lines(path_);  // throws before the file is opened for writing
  open();
  if (readable) resume(read_lines(path_));
}

void Journal::open() {
  file_.reset(open_output(OutputPath::of(path_), "ab"));
  if (file_ == nullptr) throw Error(fmt::format("cannot write {}: {}.", path_, std::strerror(errno)));
  if (flock(fileno(file_.get()), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw Error(
        fmt::format("{} is being written by another seesaw process; wait for it, or choose another name.", path_));
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
  std::uintmax_t length = 0;
  for (std::size_t k = 0; k < kept; ++k) length += lines[k].size() + 1;
  const std::uintmax_t size = std::filesystem::file_size(path_);
  if (length < size) std::filesystem::resize_file(path_, length);
  if (length > size) std::fputc('\n', file_.get());  // after its last line
  other_lines_.insert(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(kept));

  for (RunRecord& record : records) {
    if (!record.finished() || record.key.empty()) continue;
    const std::string key = record.key;
    finished_.insert_or_assign(key, std::move(record));
  }
}

Journal::~Journal() {
  if (file_ == nullptr) return;
  file_.reset();
  if (created_ && !written_) std::remove(path_.c_str());
}

const RunRecord* Journal::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = finished_.find(key);
  return found == finished_.end() ? nullptr : &found->second;
}

void Journal::write(const std::string& text) {
  if (file_ == nullptr) return;
  std::error_code no_size;  // devices have no size
  const std::uintmax_t before = std::filesystem::file_size(path_, no_size);
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0) {
    const std::string why = std::strerror(errno);
    if (!no_size) std::filesystem::resize_file(path_, before, no_size);  // no partial run
    throw Error(fmt::format("cannot write {}: {}; earlier runs are kept.", path_, why));
  }
  written_ = true;
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
  if (file_ == nullptr) return;
  const std::lock_guard lock(mutex_);
  AtomicFile file(path_);
  for (const std::string& line : lines) file.write(line + "\n");
  file.commit();
  written_ = true;
  file_.reset();
  open();
}

}  // namespace seesaw
