// What ends a run before its gap reaches the tolerance, as a request that methods poll (base/stop.h): the time limit and
// the caller's predicate.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>

#include "base/stop.h"

namespace seesaw {

using StopPredicate = std::function<bool()>;  // true: stop; empty: never

class Stopping final : public StopRequest {
 public:
  // `seconds` from now; infinity: no limit. `whole_epochs`: the predicate does not stop work that has begun, so that the
  // state after it can be saved.
  Stopping(double seconds, const StopPredicate& should_stop, bool whole_epochs = false)
      : seconds_(seconds), should_stop_(should_stop), whole_epochs_(whole_epochs) {}

  bool requested() override {
    if (!pending()) return false;
    stopped_ = true;
    return true;
  }
  bool pending() { return late_ || out_of_time() || (!whole_epochs_ && interrupted()); }  // as requested(), unmarked
  bool stopped() const { return stopped_; }          // some work received the request, and may be incomplete
  void use(double seconds) { seconds_ -= seconds; }  // of the limit

  bool out_of_time() {  // once true it stays true
    if (!late_ && seconds_ < std::chrono::duration<double>(Clock::now() - start_).count()) late_ = true;
    return late_;
  }
  bool interrupted() {  // once true it stays true; the predicate is called by one thread at a time
    if (interrupted_ || !should_stop_) return interrupted_;
    const std::lock_guard lock(mutex_);
    if (!interrupted_ && should_stop_()) interrupted_ = true;
    return interrupted_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start_ = Clock::now();
  double seconds_;
  const StopPredicate& should_stop_;
  const bool whole_epochs_;
  std::mutex mutex_;
  std::atomic<bool> late_ = false, interrupted_ = false, stopped_ = false;
};

// The same some time later: what makes a certificate better (base/optional_work.h) is completed where that is soon done.
class StopAfterGrace final : public StopRequest {
 public:
  StopAfterGrace(Stopping& stopping, double seconds) : stopping_(stopping), seconds_(seconds) {}

  bool requested() override {
    if (!stopping_.pending()) return false;
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    if (!since_) since_ = now;
    return std::chrono::duration<double>(now - *since_).count() >= seconds_ && stopping_.requested();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Stopping& stopping_;
  const double seconds_;
  std::mutex mutex_;
  std::optional<Clock::time_point> since_;  // the first poll that found a request
};

}  // namespace seesaw
