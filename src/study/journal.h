// The lines of a study: in memory, and in a file to which each finished run is appended. Runs that are in the file are not
// repeated, so a study that was stopped resumes there.
#pragma once

#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "study/record.h"

namespace seesaw {

class Journal {
 public:
  // An empty path: memory only. Of an existing file an incomplete run at its end is removed, nothing else; throws Error if
  // the file was not written by a study, or another one is writing to it.
  explicit Journal(std::string path = {});
  ~Journal();  // removes a file that was created here and never written to
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const RunRecord* find(const std::string& key) const;  // a finished run, or null
  void add(RunRecord record);                           // from any thread
  void add_line(const std::string& line);               // a line outside of runs, unless the file has it
  std::vector<RunRecord> finished() const;
  // Replaces the content of the file by these lines; other runs remain in memory only.
  void rewrite(const std::vector<std::string>& lines);

  const std::string& path() const { return path_; }

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  void open();
  void resume(const std::vector<std::string>& lines);
  void write(const std::string& text);

  std::string path_;
  File file_{nullptr, &std::fclose};
  bool created_ = false, written_ = false;
  std::map<std::string, RunRecord> finished_;
  std::set<std::string> other_lines_;
  mutable std::mutex mutex_;
};

// The lines of a text file without line ends, including empty ones. Throws Error if it cannot be read.
std::vector<std::string> read_lines(const std::string& path);

}  // namespace seesaw
