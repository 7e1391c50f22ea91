// A reference to a callable, for functions that call it before they return: they need not be templates.
#pragma once

#include <type_traits>
#include <utility>

namespace seesaw {

template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <class Body>
  requires(!std::is_same_v<Body, FunctionRef> && std::is_invocable_r_v<Result, const Body&, Arguments...>)
      FunctionRef(const Body& body)  // NOLINT(google-explicit-constructor): a lambda is passed where this is expected
      : body_(&body), call_([](const void* of, Arguments... arguments) -> Result {
          return (*static_cast<const Body*>(of))(std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(body_, std::forward<Arguments>(arguments)...); }

 private:
  const void* body_;
  Result (*call_)(const void*, Arguments...);
};

}  // namespace seesaw
