// Runs with a time limit: each is a child process with a limit of CPU seconds, since the rivals' functions (and our
// setup) cannot be interrupted. The child inherits the data by fork. Short runs are repeated and the fastest counts, for
// us and for the rivals alike.
#pragma once

#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string>

namespace seesaw::bench {

using Json = nlohmann::json;

inline double seconds_on(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Seconds {
  double cpu = 0, wall = 0;
};

// CPU seconds of this thread; all work here is single-threaded. The process clock has coarse ticks while a limit is set.

template <class Work>
Seconds seconds_of(Work&& work) {
  const Seconds from{seconds_on(CLOCK_THREAD_CPUTIME_ID), seconds_on(CLOCK_MONOTONIC)};
  work();
  return {seconds_on(CLOCK_THREAD_CPUTIME_ID) - from.cpu, seconds_on(CLOCK_MONOTONIC) - from.wall};
}

// The kernel ends this process (SIGPROF) when it has used `seconds` more of CPU time.
inline void limit_cpu(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - static_cast<double>(timer.it_value.tv_sec))) + 1;
  setitimer(ITIMER_PROF, &timer, nullptr);
}

// run() -> Json with "cpu", repeated if that is below `short_run` seconds: "least" times, and up to "most" times within
// `short_run` seconds. Returns the fastest, with "runs".
template <class Run>
Json quickest(double cap, const Json& request, Run&& run) {
  constexpr double short_run = 0.3;
  const int least = request.value("least", 3), most = request.value("most", 3);
  Json best;
  int runs = 0;
  double sum = 0;
  do {
    limit_cpu(cap);
    Json one = run();
    ++runs;
    sum += one.value("cpu", short_run);
    if (best.is_null() || one.value("cpu", 0.0) < best.value("cpu", 0.0)) best = std::move(one);
  } while (best.value("cpu", short_run) < short_run && (runs < least || (runs < most && sum < short_run)));
  limit_cpu(1e6);
  best["runs"] = runs;
  return best;
}

// The JSON that `work` returns in a child process, or {"capped": true} if the child reached its limit.
template <class Work>
Json in_child(Work&& work) {
  int ends[2];
  if (pipe(ends) != 0) return {{"error", "no pipe"}};
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) return {{"error", "no process"}};
  if (child == 0) {
    close(ends[0]);
    const std::string answer = Json(work()).dump();
    for (std::size_t at = 0; at < answer.size();) {
      const ssize_t written = write(ends[1], answer.data() + at, answer.size() - at);
      if (written <= 0) break;
      at += static_cast<std::size_t>(written);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string answer;
  char buffer[4096];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;)
    answer.append(buffer, static_cast<std::size_t>(count));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) return {{"capped", true}};
  if (answer.empty()) return {{"error", "the run ended without an answer"}};
  return Json::parse(answer, nullptr, false);
}

}  // namespace seesaw::bench
