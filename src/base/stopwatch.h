#pragma once

#include <chrono>

namespace seesaw {

// Wall time in seconds between start() and stop(), accumulated.
class Stopwatch {
 public:
  explicit Stopwatch(double already = 0) : total_(already) {}
  void start() { since_ = Clock::now(); }
  void stop() { total_ += std::chrono::duration<double>(Clock::now() - since_).count(); }
  void add(double seconds) { total_ += seconds; }
  double seconds() const { return total_; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point since_{};
  double total_;
};

// Runs `work` and adds its wall time to the watch.
template <class Work>
decltype(auto) timed(Stopwatch& watch, Work&& work) {
  struct Running {
    Stopwatch& watch;
    explicit Running(Stopwatch& w) : watch(w) { watch.start(); }
    ~Running() { watch.stop(); }
  } running(watch);
  return work();
}

}  // namespace seesaw
