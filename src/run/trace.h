// Writes the lines of runs: to a file as they are produced, to memory, or both.
#pragma once

#include <cstdio>
#include <functional>
#include <string>

#include "run/lines.h"
#include "run/observer.h"

namespace seesaw {

// Observes runs, one after another, and passes on one line per call.
class TraceWriter final : public Observer {
 public:
  using Write = std::function<void(const std::string& line)>;
  using HeaderFields = std::function<Json(const RunInfo&)>;  // further fields of the header, computed when a run begins
  explicit TraceWriter(Write write, HeaderFields fields = {}) : write_(std::move(write)), fields_(std::move(fields)) {}

  void begin(const RunInfo& info) override { write_(header_line(info, fields_ ? fields_(info) : Json::object())); }
  void check(const TraceRow& row) override { write_(check_line(row)); }
  void message(const std::string& sentence) override { write_(message_line(sentence)); }
  // The last line is written by the caller, who may add to it.
  void finish(const Outcome& outcome, const Json& more = Json::object()) { write_(end_line(outcome, more)); }

 private:
  Write write_;
  HeaderFields fields_;
};

// A file written line by line, so that a run that is killed leaves the lines so far. It is opened by the first line, after
// all input has been checked.
class LineFile {
 public:
  explicit LineFile(std::string path) : path_(std::move(path)) {}
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;
  void put(const std::string& line);           // throws Error if the first line cannot be written
  bool complete() const { return complete_; }  // false: a later line could not be written, which does not end the run

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
  bool complete_ = true;
};

}  // namespace seesaw
