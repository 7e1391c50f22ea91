// The progress line on a terminal while training: pass, P, D, gap, time, and the estimated time left; with several
// processes what the first rank has sent, of rows on disk the reads of the file and their rate.
#pragma once

#include <string>

#include "data/extents.h"
#include "run/observer.h"

namespace seesaw::app {

// Of the terminal of a file descriptor; if it is none, the environment variable COLUMNS, else `otherwise`.
std::size_t terminal_columns(int descriptor, std::size_t otherwise);

// Replaces the line that the cursor is on, cut to the width of the terminal; empty text clears it.
void write_over(std::string line);

class Progress final : public Observer {
 public:
  // data: of rows on disk the reads are shown.
  explicit Progress(const Dataset* data = nullptr) : data_(data) {}
  void begin(const RunInfo& info) override;
  void check(const TraceRow& row) override;
  void end(const Outcome& outcome) override;

  static bool wanted();  // standard error is a terminal

 private:
  std::string reads() const;  // and what was sent

  const Dataset* data_;
  double target_ = 0;  // relative gap
  double target_abs_ = 0;
  double shown_at_ = -1;  // seconds
  double reference_log_gap_ = 0, reference_seconds_ = 0;
  bool has_reference_ = false;
  std::size_t class_number_ = 0;  // one-versus-rest: of the class that runs
};

// "about 12 s left", for a gap that falls geometrically; empty while there is no estimate.
std::string time_left(double seconds, double log_gap_then, double log_gap_now, double log_target);

}  // namespace seesaw::app
