// The number of passes of a method, as counted in the tables of the papers, and whether it agrees with a figure.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/scalar.h"

namespace seesaw::test {

// Passes of the first check that reached the goal; nullopt if none did within the limit, written `-` in tables.
using Passes = std::optional<double>;

inline std::string in_words(const Passes& passes) { return passes ? fmt::format("{:g}", *passes) : std::string("-"); }

inline Passes passes_in(const std::string& text) { return text == "-" ? Passes() : Passes(std::stod(text)); }

// The figures come from other random numbers, other data of the same kind and another grid of checks. They agree if they
// are within the range of several seeds, or outside of it by at most 20 % or 3 passes. `fewer`: how much ours may be
// below, instead of 20 %.
inline bool agree(const std::vector<Passes>& seeds, const Passes& figure, double fewer = 0.2) {
  if (!figure) return std::none_of(seeds.begin(), seeds.end(), [](const Passes& p) { return p.has_value(); });
  double least = infinity, most = 0;
  for (const Passes& passes : seeds) {
    if (!passes) return false;
    least = std::min(least, *passes);
    most = std::max(most, *passes);
  }
  return least <= *figure + std::max(0.2 * *figure, 3.0) && most >= *figure - std::max(fewer * *figure, 3.0);
}

inline std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// job(k) for k < count, as many in parallel as there are cores, each on one thread.
template <class Job>
void side_by_side(std::size_t count, const Job& job) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> workers;
  for (unsigned w = 0; w < std::max(1U, std::thread::hardware_concurrency()); ++w)
    workers.emplace_back([&] {
      tbb::task_arena(1).execute([&] {
        for (std::size_t k = next++; k < count; k = next++) job(k);
      });
    });
}

}  // namespace seesaw::test
