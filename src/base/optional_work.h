// Work that improves a certificate and is not needed for a valid one, such as the projection of a dual point by a d x d
// matrix. Certificates are complete whatever request is in force (base/stop.h); this work alone ends early, by the request
// that `run` puts into force here on its thread:
//
//     const StopScope scope(optional_work_request());   // in the certificate, around that work
#pragma once

#include "base/stop.h"

namespace seesaw {

namespace detail {
inline thread_local StopRequest* optional_work = nullptr;
}

inline StopRequest* optional_work_request() { return detail::optional_work; }

class OptionalWorkScope {
 public:
  explicit OptionalWorkScope(StopRequest* request) : before_(detail::optional_work) { detail::optional_work = request; }
  ~OptionalWorkScope() { detail::optional_work = before_; }
  OptionalWorkScope(const OptionalWorkScope&) = delete;
  OptionalWorkScope& operator=(const OptionalWorkScope&) = delete;

 private:
  StopRequest* before_;
};

}  // namespace seesaw
