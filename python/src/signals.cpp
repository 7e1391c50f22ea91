#include "signals.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include "seesaw/cancel.h"
#include "seesaw/training.h"

namespace seesaw::python {

namespace py = pybind11;

namespace {

using std::chrono::milliseconds;

// A thread that runs until the process ends, for tasks of the main thread of Python. Starting one per training would take
// 0.1 ms, most of it in oneTBB. Where it is taken (a signal handler trains while a training waits) or gone (after a fork),
// another one is started.
class Helper {
 public:
  static void start(std::function<void()> task) {
    static Helper* helper = nullptr;  // never destroyed: its thread may wait until the process ends
    if (helper == nullptr || helper->process_ != getpid()) helper = new Helper;
    if (helper->taken_.exchange(true)) {
      std::thread(std::move(task)).detach();
      return;
    }
    const std::lock_guard lock(helper->mutex_);
    helper->task_ = std::move(task);
    helper->given_.notify_one();
  }

 private:
  Helper() {
    std::thread([this] { work(); }).detach();
  }
  void work() {
    while (true) {
      std::unique_lock lock(mutex_);
      given_.wait(lock, [this] { return task_ != nullptr; });
      const std::function<void()> task = std::exchange(task_, nullptr);
      lock.unlock();
      task();
      taken_ = false;
    }
  }

  const pid_t process_ = getpid();
  std::atomic<bool> taken_ = false;
  std::mutex mutex_;
  std::condition_variable given_;
  std::function<void()> task_;
};

// Of a task, for the thread that waits for it.
struct Ending {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::exception_ptr failed;
};

}  // namespace

void with_signals(const std::function<void()>& body) {
  std::stop_source source;
  const auto ending = std::make_shared<Ending>();
  std::optional<py::error_already_set> raised;
  {
    const py::gil_scoped_release release;
    Helper::start([&body, ending, token = source.get_token(), threads = thread_limit] {
      std::exception_ptr failed;
      try {
        with_cancellation(token, [&] {
          if (threads == 0) body();
          else with_threads(threads, body);
        });
      } catch (...) {
        failed = std::current_exception();
      }
      const std::lock_guard lock(ending->mutex);
      ending->failed = std::move(failed);
      ending->done = true;
      ending->changed.notify_one();
    });
    std::unique_lock lock(ending->mutex);
    while (!ending->changed.wait_for(lock, milliseconds(50), [&] { return ending->done; })) {
      lock.unlock();
      {
        const py::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) {
          if (raised) PyErr_Clear();  // stopping already
          else raised.emplace();
          source.request_stop();
        }
      }
      lock.lock();
    }
  }
  if (raised) throw *raised;
  if (ending->failed) std::rethrow_exception(std::exchange(ending->failed, nullptr));
}

bool on_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

}  // namespace seesaw::python
