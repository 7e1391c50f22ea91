#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "ranks.h"

namespace seesaw::app {

namespace {

std::size_t columns_of_line() { return terminal_columns(STDERR_FILENO, 1000); }

}  // namespace

std::size_t terminal_columns(int descriptor, std::size_t otherwise) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= 2) return size.ws_col;
  const char* given = std::getenv("COLUMNS");
  const long columns = given == nullptr ? 0 : std::strtol(given, nullptr, 10);
  return columns >= 2 ? static_cast<std::size_t>(columns) : otherwise;
}

void write_over(std::string line) {
  // A longer line wraps and cannot be replaced.
  if (const std::size_t columns = columns_of_line(); line.size() >= columns) line.resize(columns - 1);
  fmt::print(stderr, "\r\x1b[K{}", line);
  std::fflush(stderr);
}

bool Progress::wanted() { return isatty(STDERR_FILENO) != 0; }

void Progress::begin(const RunInfo& info) {
  target_ = info.criteria.gap;
  target_abs_ = info.criteria.gap_abs;
}

std::string time_left(double seconds, double log_gap_then, double log_gap_now, double log_target) {
  const double fallen = log_gap_then - log_gap_now;
  if (!(seconds > 0) || !(fallen > 0.05) || !std::isfinite(fallen)) return {};
  const double left = seconds * std::max(0.0, log_gap_now - log_target) / fallen;
  if (left < 1) return "under 1 s left";
  if (left < 120) return fmt::format("about {:.0f} s left", left);
  if (left < 7200) return fmt::format("about {:.0f} min left", left / 60);
  return fmt::format("about {:.0f} h left", left / 3600);
}

void Progress::check(const TraceRow& row) {
  if (row.of_class && row.of_class->number != class_number_) {  // another problem: its clock begins at 0
    class_number_ = row.of_class->number;
    shown_at_ = -1;
    has_reference_ = false;
  }
  const double seconds = row.solve_seconds + row.check_seconds;
  if (shown_at_ >= 0 && seconds - shown_at_ < 0.1) return;  // at most ten lines per second
  shown_at_ = seconds;
  const double log_gap = std::log(row.gap);
  const double log_target = std::log(std::max(target_ * row.primal, target_abs_));
  std::string left;
  if (has_reference_) left = time_left(seconds - reference_seconds_, reference_log_gap_, log_gap, log_target);
  if (std::isfinite(log_gap) &&
      (!has_reference_ || seconds > 4 * reference_seconds_ + 0.5)) {  // forget the early, steep part
    has_reference_ = true;
    reference_log_gap_ = log_gap;
    reference_seconds_ = seconds;
  }
  const std::string which = row.of_class ? fmt::format("class {} ({} of {})  ", row.of_class->label,
                                                       row.of_class->number, row.of_class->count)
                                         : "";
  const std::string pass = fmt::format("{}pass {:<7.4g} ", which, row.passes);
  const std::string bounds = fmt::format("P {:.8g}  D {:.8g}  ", row.primal, row.dual);
  const std::string gap =
      fmt::format("gap {:.2e} ({:.2e} of P)  {}{:.1f} s  {}", row.gap, row.gap / row.primal, reads(), seconds, left);
  write_over(pass + (pass.size() + bounds.size() + gap.size() < columns_of_line() ? bounds : "") + gap);
}

std::string Progress::reads() const {
  std::string sent;
  if (const Ranks* const all = ranks())
    sent = fmt::format("rank {} of {}, {:.1f} MB sent  ", all->rank(), all->size(),
                       1e-6 * static_cast<double>(all->counts().bytes));
  const Extents* const extents = data_ == nullptr ? nullptr : extents_of(data_->rows);
  if (extents == nullptr) return sent;
  const auto bytes = static_cast<double>(extents->budget()->bytes_read),
             nanoseconds = static_cast<double>(extents->budget()->read_nanoseconds);
  return fmt::format("{}{:.1f} reads, {:.0f} MB/s  ", sent,
                     bytes / static_cast<double>(std::max<std::size_t>(extents->file_bytes(), 1)),
                     1e3 * bytes / std::max(nanoseconds, 1.0));
}

void Progress::end(const Outcome&) { write_over(""); }

}  // namespace seesaw::app
