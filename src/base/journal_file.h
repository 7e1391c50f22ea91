// A text file to which finished work is appended, so that work that was stopped resumes. One process writes at a time.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace seesaw {

class JournalFile {
 public:
  // Opens the file for appending and locks it; throws Error if that is not possible, or another process writes to it.
  explicit JournalFile(std::string path);
  ~JournalFile();  // removes a file that was created here and never written to
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;

  const std::vector<std::string>& lines() const { return lines_; }  // when it was opened; none of a device
  // Only the first `count` of these lines stay, the last of them with a line end.
  void keep(std::size_t count);
  void append(const std::string& text);  // all of it or nothing; throws Error
  void rewrite(const std::vector<std::string>& lines);

 private:
  void open();

  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, &std::fclose};
  bool created_ = false, written_ = false;
  std::vector<std::string> lines_;
};

// The lines of a text file without line ends, including empty ones. Throws Error if it cannot be read.
std::vector<std::string> read_lines(const std::string& path);

}  // namespace seesaw
