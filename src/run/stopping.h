// What ends a run before its gap is small enough, as a request that methods poll (base/stop.h): the time, and whoever
// else requests it.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>

#include "base/stop.h"

namespace seesaw {

using StopAsked = std::function<bool()>;

class Stopping final : public StopRequest {
 public:
  // `seconds` from now on; infinity: no limit.
  Stopping(double seconds, const StopAsked& stop_asked) : seconds_(seconds), stop_asked_(stop_asked) {}

  bool requested() override { return interrupted_ || late_ || out_of_time() || interrupted(); }

  bool out_of_time() {  // once true it stays true
    if (!late_ && seconds_ < std::chrono::duration<double>(Clock::now() - begun_).count()) late_ = true;
    return late_;
  }
  bool interrupted() {
    if (interrupted_ || !stop_asked_) return interrupted_;
    const std::lock_guard lock(one_at_a_time_);
    if (!interrupted_ && stop_asked_()) interrupted_ = true;
    return interrupted_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begun_ = Clock::now();
  const double seconds_;
  const StopAsked& stop_asked_;
  std::mutex one_at_a_time_;
  std::atomic<bool> late_ = false, interrupted_ = false;
};

}  // namespace seesaw
