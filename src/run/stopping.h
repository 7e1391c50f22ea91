// What ends a run before its gap reaches the tolerance, as a request that methods poll (base/stop.h): the time limit and
// the caller's predicate.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>

#include "base/stop.h"

namespace seesaw {

using StopPredicate = std::function<bool()>;  // true: stop; empty: never

class Stopping final : public StopRequest {
 public:
  // `seconds` from now; infinity: no limit.
  Stopping(double seconds, const StopPredicate& should_stop) : seconds_(seconds), should_stop_(should_stop) {}

  bool requested() override { return interrupted_ || late_ || out_of_time() || interrupted(); }

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
  const double seconds_;
  const StopPredicate& should_stop_;
  std::mutex mutex_;
  std::atomic<bool> late_ = false, interrupted_ = false;
};

}  // namespace seesaw
