// Where the lines of a run go: to a file as they come, to memory, or both.
#pragma once

#include <cstdio>
#include <functional>
#include <string>

#include "run/lines.h"
#include "run/observer.h"

namespace seesaw {

// Listens to runs, one after another, and hands on a line for everything that is told.
class TraceWriter final : public Observer {
 public:
  using Put = std::function<void(const std::string& line)>;
  // Fields for the header that the run does not know, asked for when it begins.
  using About = std::function<Json(const RunInfo&)>;
  explicit TraceWriter(Put put, About about = {}) : put_(std::move(put)), about_(std::move(about)) {}

  void begin(const RunInfo& info) override { put_(header_line(info, about_ ? about_(info) : Json::object())); }
  void check(const TraceRow& row) override { put_(check_line(row)); }
  void news(const std::string& sentence) override { put_(news_line(sentence)); }
  // The closing line is left to whoever started the run, who may know more of its outcome.
  void finish(const Outcome& outcome, const Json& more = Json::object()) { put_(end_line(outcome, more)); }

 private:
  Put put_;
  About about_;
};

// A file that grows line by line, so that an interrupted run leaves what it had. It is opened by its first line, when
// nothing else can be refused any more.
class LineFile {
 public:
  explicit LineFile(std::string path) : path_(std::move(path)) {}
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;
  void put(const std::string& line);           // throws Error where the first line cannot be written
  bool complete() const { return complete_; }  // false: the disk was full later on; the run is worth more

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
  bool complete_ = true;
};

}  // namespace seesaw
