// Polls for cancellation (seesaw/cancel.h): passes over the data outside of epochs, such as those of a certificate, throw
// Cancelled where their result is not needed any more. Epochs are not unwound: they return early (base/stop.h), since the
// predicate of their run includes the cancellation, and CancelScope(nullptr) is in force during them.
#pragma once

#include <stop_token>

#include "seesaw/cancel.h"

namespace seesaw {

namespace detail {
inline thread_local const std::stop_token* cancellation = nullptr;
}

// The token in force on this thread, or nullptr.
inline const std::stop_token* cancellation() { return detail::cancellation; }

class CancelScope {
 public:
  explicit CancelScope(const std::stop_token* token) : before_(detail::cancellation) { detail::cancellation = token; }
  ~CancelScope() { detail::cancellation = before_; }
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

 private:
  const std::stop_token* before_;
};

// Polls the token in force where this was constructed: construct it before a parallel loop, and call it in the body.
class CancelPoll {
 public:
  CancelPoll() : token_(cancellation()) {}

  bool requested() const { return token_ != nullptr && token_->stop_requested(); }
  void operator()() const {
    if (requested()) [[unlikely]]
      throw Cancelled();
  }

 private:
  const std::stop_token* token_;
};

}  // namespace seesaw
