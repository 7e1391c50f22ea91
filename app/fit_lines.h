// The lines of a fit: those of its run, and what only the command has (options, file names, facts). They are written to
// a trace at once, and kept for a page.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/facts.h"
#include "run/fit.h"
#include "run/trace.h"
#include "summary.h"

namespace seesaw::app {

struct FitCommand {
  std::string line;  // as typed
  Json deviations;
  std::size_t first_feature = 1;  // its number in the data
  std::string model_path;
  std::string trace_path, report_path;  // empty: not requested
  bool writes = true;                   // false: a rank that leaves the files to the first one
};

class FitLines {
 public:
  FitLines(FitCommand command, const Dataset& data);  // the data must outlive it
  bool wanted() const { return !command_.trace_path.empty() || !command_.report_path.empty(); }
  Observer* observer() { return &writer_; }
  void add(const Json& line) { put(line.dump()); }  // before finish()

  // The closing line, and the page. False, with a sentence on standard error, where something could not be written: the
  // model is worth more.
  bool finish(const Fit& fit, const Timing& timing);

 private:
  void put(const std::string& line);
  Json about(const RunInfo& info) const;

  FitCommand command_;
  const Dataset& data_;
  std::optional<Facts> facts_;  // for the page, of the data as it was given
  Json facts_json_;
  std::optional<LineFile> trace_;
  std::string kept_;  // for the page
  TraceWriter writer_;
};

}  // namespace seesaw::app
