// Ctrl-C, and other signals whose handlers raise, during calls of the library.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <utility>

namespace seesaw::python {

// Runs body() without the GIL in another thread, while this one (the main thread of Python, the only one that may) handles
// signals. After a signal whose handler raises, body() is cancelled (seesaw/cancel.h), and the exception is raised.
void with_signals(const std::function<void()>& body);

// The limit of _core.with_threads that is in force on this thread; 0: none. with_signals keeps it.
inline thread_local unsigned thread_limit = 0;

class ThreadLimit {
 public:
  explicit ThreadLimit(unsigned threads) : before_(std::exchange(thread_limit, threads)) {}
  ~ThreadLimit() { thread_limit = before_; }
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  unsigned before_;
};

// Whether this is the main thread of Python. The GIL is held.
bool on_main_thread();

inline constexpr std::size_t of_a_file = std::size_t{1} << 60;  // entries: they are not known before it is read

// The result of body(), called without the GIL: with signals if it reads many entries and this is the main thread. Handing
// work to another thread and back takes 0.07 ms.
template <class Body>
auto interruptible(std::size_t entries, const Body& body) {
  constexpr std::size_t many = std::size_t{1} << 20;
  if (entries < many || !on_main_thread()) {
    const pybind11::gil_scoped_release release;
    return body();
  }
  std::optional<decltype(body())> result;
  with_signals([&] { result.emplace(body()); });
  return *std::move(result);
}

}  // namespace seesaw::python
