// Giving up work whose result is not needed any more.
#pragma once

#include <exception>
#include <functional>
#include <stop_token>

namespace seesaw {

// Not an Error: nothing is wrong with the input.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

// Runs body(). After a request to stop, what this library does in it - reading, training, prediction, verification - ends
// by throwing Cancelled, usually within some milliseconds of the work of one thread, and there is no result.
// Training::stop in contrast ends a training with a model and its certificate.
void with_cancellation(const std::stop_token& token, const std::function<void()>& body);

}  // namespace seesaw
