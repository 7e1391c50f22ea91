// Stopping work early: after a signal, when the time limit is reached, or when a test requests it.
//
// `run` puts a StopRequest into force on its thread (StopScope) while it constructs a method and while an epoch runs;
// long loops poll it (StopPoll, stop_requested) and return early, in a state that can be read. So solvers use neither
// clocks nor signals, and a run that is not stopped takes the same steps as without polls. What must be complete, such
// as a certificate, runs under StopScope(nullptr).
#pragma once

#include <cstddef>
#include <limits>

namespace seesaw {

class StopRequest {
 public:
  // Work is counted in entries read, about 1 ns per entry: 2^20 entries take a few milliseconds.
  explicit StopRequest(double work_between_polls = 0x1p20) : work_between_polls_(work_between_polls) {}
  virtual ~StopRequest() = default;
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  virtual bool requested() = 0;  // called from any thread that works on the run; once true it stays true
  double work_between_polls() const { return work_between_polls_; }

 private:
  double work_between_polls_;
};

namespace detail {
inline thread_local StopRequest* stop_in_force = nullptr;
}

// The request in force on this thread, or nullptr. Bodies of parallel loops may run on other threads: pass a StopPoll
// to them.
inline StopRequest* stop_in_force() { return detail::stop_in_force; }
inline bool stop_requested() { return detail::stop_in_force != nullptr && detail::stop_in_force->requested(); }

class StopScope {
 public:
  explicit StopScope(StopRequest* request) : before_(detail::stop_in_force) { detail::stop_in_force = request; }
  ~StopScope() { detail::stop_in_force = before_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  StopRequest* before_;
};

// Polls the request in force where this was constructed, every `every_` steps. Costs one decrement per step.
class StopPoll {
 public:
  explicit StopPoll(double work_per_step) : request_(stop_in_force()), every_(steps(work_per_step)), left_(every_) {}

  [[gnu::always_inline]] bool requested() {  // call once per step; true: leave the loop
    if (--left_ != 0) [[likely]]
      return false;
    left_ = every_;
    return request_ != nullptr && request_->requested();
  }

 private:
  std::size_t steps(double work_per_step) const {
    if (request_ == nullptr) return std::numeric_limits<std::size_t>::max();
    const double fit = request_->work_between_polls() / (work_per_step > 1 ? work_per_step : 1);
    return fit > 1 ? static_cast<std::size_t>(fit) : 1;
  }

  StopRequest* request_;
  std::size_t every_, left_;
};

}  // namespace seesaw
