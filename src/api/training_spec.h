// What train() and train_path() share: the fields of Training for the run, and its observer and stop token.
#pragma once

#include <chrono>
#include <exception>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "run/fit.h"
#include "run/observer.h"
#include "seesaw/training.h"

namespace seesaw {

FitSpec spec_of(const Training& training, std::size_t features);

// Between the run and the user's observer and stop token. Called by one thread at a time. An exception of the observer
// is kept and ends the run like `false`, as a cancellation does: methods may not be unwound within an epoch.
class Reporter final : public Observer {
 public:
  explicit Reporter(const Training& training) : training_(training) {}

  void check(const TraceRow& row) override {
    last_ = {.passes = row.passes, .primal = row.primal, .dual = row.dual, .gap = row.gap};
    if (row.of_class) last_.class_label = row.of_class->label;
    report(true);
  }
  void message(const std::string& sentence) override { messages.push_back(sentence); }

  bool stop() {  // polled within epochs
    if (!stopped_ && training_.observer && seconds() - reported_ >= training_.progress_interval) report(false);
    return stopped_ || training_.stop.stop_requested() || cancel_.requested();
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

  std::vector<std::string> messages;
  std::exception_ptr thrown;

 private:
  using Clock = std::chrono::steady_clock;

  void report(bool is_check) {
    if (!training_.observer || stopped_) return;
    last_.seconds = reported_ = seconds();
    last_.is_check = is_check;
    try {
      stopped_ = !training_.observer(last_);
    } catch (...) {
      thrown = std::current_exception();
      stopped_ = true;
    }
  }

  const Training& training_;
  const CancelPoll cancel_;
  const Clock::time_point begun_ = Clock::now();
  Progress last_ = {.primal = infinity, .dual = -infinity, .gap = infinity};
  double reported_ = 0;
  bool stopped_ = false;
};

}  // namespace seesaw
