// What was measured, one row a check; one JSON line each after a header line. Reports read only these.
#pragma once

#include <cstdio>
#include <string>

#include "run/observer.h"

namespace seesaw {

// Writes the trace as it grows, so that an interrupted run leaves what it had.
class TraceWriter final : public Observer {
 public:
  explicit TraceWriter(std::string path);  // opened by begin(), when nothing else can be refused any more
  ~TraceWriter() override;
  void begin(const RunInfo& info) override;
  void check(const TraceRow& row) override;
  void news(const std::string& sentence) override;
  void end(const Outcome& outcome) override;
  bool complete() const {
    return complete_;
  }  // false: the disk was full later on; the run is worth more than its trace

 private:
  void line(const std::string& text);
  std::string path_;
  std::FILE* file_ = nullptr;
  bool complete_ = true;
};

}  // namespace seesaw
