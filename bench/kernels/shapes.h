// Data and timing for the kernel benchmarks.
#pragma once

#include <algorithm>
#include <ctime>
#include <functional>
#include <vector>

#include "base/rng.h"
#include "base/stopwatch.h"
#include "data/rows_builder.h"
#include "data/synthetic.h"

namespace seesaw::bench {

// One-hot groups, as in a9a: 32561 rows, 123 columns in 14 groups, one entry of 1 in each.
inline Dataset a9a_shaped() {
  Rng rng(1);
  RowsBuilder builder;
  std::vector<double> labels;
  for (int i = 0; i < 32561; ++i) {
    std::vector<std::uint32_t> columns;
    double score = rng.normal();
    for (std::uint32_t group = 0; group < 14; ++group) {
      const double u = rng.uniform();
      const std::uint32_t first = group * 123 / 14, size = (group + 1) * 123 / 14 - first;
      const auto choice = static_cast<std::uint32_t>(size * u * u);  // some values are common, some rare
      columns.push_back(first + choice);
      score += choice % 2 == 0 ? 0.3 : -0.5;
    }
    builder.add_row(columns, std::vector<double>(columns.size(), 1.0));
    labels.push_back(score > 0 ? 1 : -1);
  }
  Dataset data{.rows = DenseRows<double>(0, 0, {}, nullptr), .labels = std::move(labels)};
  data.nnz = builder.entries();
  data.rows = std::move(builder).finish(123, Precision::exact);
  return data;
}

inline Dataset text_shaped() {
  SynthOptions options;
  options.n = 50000;
  options.d = 40000;
  return synthesize("text", options);
}

inline Dataset dense_shaped() {
  SynthOptions options;
  options.n = 20000;
  options.d = 200;
  return synthesize("factors", options);
}

inline double median_seconds(std::vector<double> seconds) {
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2), seconds.end());
  return seconds[seconds.size() / 2];
}

inline double seconds_of(const std::function<void()>& work) {
  Stopwatch watch;
  timed(watch, work);
  return watch.seconds();
}

// The least of several, in seconds of this thread's processor: other work on the machine hardly counts.
inline double least_cpu_seconds(const std::function<void()>& work, int repetitions = 25) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  double least = infinity;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    const double from = now();
    work();
    least = std::min(least, now() - from);
  }
  return least;
}

}  // namespace seesaw::bench
