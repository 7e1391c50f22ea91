// The cost of a draw among 50,000 rows in ns, one thread: the adaptive samplers with feedback, against a uniform draw in
// the same run. Feedback sizes over twelve orders of magnitude, assigned to rows at random. Runs alternate; medians are
// reported.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "base/rng.h"
#include "base/stopwatch.h"
#include "sampling/adaptive.h"
#include "sampling/epoch.h"
#include "sampling/uniform.h"

namespace {

using namespace seesaw;

constexpr std::size_t n = 50000;

std::vector<double> spread(double orders) {
  Rng rng(3);
  std::vector<double> sizes(n);
  for (double& size : sizes) size = std::pow(10, orders * (rng.uniform() - 1));
  return sizes;
}

struct Entry {
  std::string name;
  Sampler& sampler;
  bool learns;
  std::size_t draws;  // per timing: few, so that most timings are undisturbed, but a whole pass if its end is timed too
  double allowed;
  std::vector<double> seconds = {};  // per draw
};

// Draws in blocks of the sampler's size, each with feedback, and the end of the pass.
double seconds_of_draw(Entry& one, const std::vector<double>& sizes, std::vector<std::uint32_t>& order) {
  Stopwatch watch;
  timed(watch, [&] {
    const std::size_t block = std::min(one.sampler.block(), one.draws);
    for (std::size_t begin = 0; begin < one.draws; begin += block) {
      const auto rows = std::span(order).subspan(begin, std::min(block, one.draws - begin));
      one.sampler.fill(rows);
      if (one.learns)
        for (std::size_t k = 0; k < rows.size(); ++k) one.sampler.feedback(rows[k], sizes[begin + k]);
    }
    one.sampler.end_pass();
  });
  return watch.seconds() / static_cast<double>(one.draws);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main() {
  std::vector<std::uint32_t> rows(n), order(n);
  std::iota(rows.begin(), rows.end(), 0u);
  const std::vector<double> norms = spread(2), sizes = spread(12);
  UniformSampler uniform(rows, Rng(1));
  AliasSampler importance(rows, norms, Rng(1));
  AdaptiveSampler adaptive(rows, {.delta_begin = 0.8, .delta_end = 0.8}, Rng(1));
  EpochSampler epoch(rows, norms, {}, Rng(1));
  std::vector<Entry> all = {{"uniform", uniform, false, n / 10, 0},
                            {"importance", importance, false, n / 10, 0},
                            {"adaptive (tree), with feedback", adaptive, true, n / 10, 200},
                            {"epoch, with feedback and rebuild", epoch, true, n, 45}};
  for (int repetition = 0; repetition < 220; ++repetition)
    for (Entry& one : all) {
      const double seconds = seconds_of_draw(one, sizes, order);
      if (repetition >= 20) one.seconds.push_back(seconds);  // the first passes warm up the scores
    }

  const double unit = median(all[0].seconds);
  fmt::print("draws of a pass over {} rows: ns per draw, and in units of a uniform draw\n", n);
  fmt::print("{:<33} {:>8} {:>9} {:>10}\n", "sampler", "ns", "allowed", "x uniform");
  for (const Entry& one : all)
    fmt::print("{:<33} {:>8.1f} {:>9} {:>10.1f}\n", one.name, 1e9 * median(one.seconds),
               one.allowed > 0 ? fmt::format("{:g}", one.allowed) : "-", median(one.seconds) / unit);
}
