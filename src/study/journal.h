// The lines of a study: in memory, and in a file to which each finished run is appended. Runs that are in the file are not
// repeated, so a study that was stopped resumes there.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/journal_file.h"
#include "study/record.h"

namespace seesaw {

class Journal {
 public:
  // An empty path: memory only. Of an existing file an incomplete run at its end is removed, nothing else; throws Error if
  // the file was not written by a study, or another one is writing to it.
  explicit Journal(std::string path = {});

  const RunRecord* find(const std::string& key) const;  // a finished run, or null
  void add(RunRecord record);                           // from any thread
  void add_line(const std::string& line);               // a line outside of runs, unless the file has it
  std::vector<RunRecord> finished() const;
  // Replaces the content of the file by these lines; other runs remain in memory only.
  void rewrite(const std::vector<std::string>& lines);

  const std::string& path() const { return path_; }

 private:
  void resume(const std::vector<std::string>& lines);
  void write(const std::string& text);

  std::string path_;
  std::optional<JournalFile> file_;
  std::map<std::string, RunRecord> finished_;
  std::set<std::string> other_lines_;
  mutable std::mutex mutex_;
};

}  // namespace seesaw
