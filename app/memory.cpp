#include "memory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/threads.h"
#include "data/cache.h"
#include "data/extents.h"
#include "disk_memory.h"
#include "model/losses/loss.h"
#include "seesaw/error.h"

namespace seesaw::app {

std::size_t memory_of(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  double factor = 0;
  if (unit.empty() || unit == "B") factor = 1;
  else if (unit == "K" || unit == "KB") factor = 0x1p10;
  else if (unit == "M" || unit == "MB") factor = 0x1p20;
  else if (unit == "G" || unit == "GB") factor = 0x1p30;
  else if (unit == "T" || unit == "TB") factor = 0x1p40;
  if (error != std::errc() || factor == 0 || !(number > 0) || !(number * factor < 0x1p60))
    throw InvalidOption("memory", text, "give a size such as 512M or 2G");
  return static_cast<std::size_t>(number * factor);
}

std::string in_words(std::size_t bytes) {
  const auto size = static_cast<double>(bytes);
  const auto number = [](double value) {
    return value < 10 ? fmt::format("{:.1f}", std::ceil(10 * value) / 10) : fmt::format("{:.0f}", std::ceil(value));
  };
  if (size >= 0x1p30) return number(size / 0x1p30) + " GB";
  return number(size / 0x1p20) + " MB";
}

std::size_t resident_memory() {
  std::size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

namespace {

// Several processes: what they send each other, the rows of a node of the tree of sums that move to one of them (at most
// 8 d per matrix of d columns), and the dual point of all rows where it is a part of the model.
std::size_t memory_for_joining(const DataShape& shape, const std::string& solver, std::size_t outputs,
                               std::size_t classes) {
  if (shape.ranks == 1) return 0;
  constexpr std::size_t messages = std::size_t{16} << 20, most_in_model = 1000000;
  const std::size_t unknowns = (shape.width + 1) * outputs;
  std::size_t bytes = messages + 64 * unknowns + 40 * std::min(most_in_model, shape.all_rows * outputs * classes);
  if (solver != "lbfgs" && shape.width <= 2500) bytes += 12 * unknowns * (shape.width + 1) * sizeof(double);
  else if (solver == "ws" || solver == "auto") bytes += std::size_t{192} << 20;  // columns of its matrix (SetGram)
  return bytes;
}

}  // namespace

std::size_t vectors_for_training(const DataShape& shape, const std::string& solver, const std::string& loss,
                                 std::size_t threads) {
  const bool joint = loss == "softmax" || loss == "multiclass-hinge";
  const std::size_t K = joint ? std::max<std::size_t>(shape.labels, 2) : 1;
  const std::size_t classes =
      !joint && shape.labels > 2 && shape.labels <= 1000 && loss != "squared" ? shape.labels : 1;
  const std::size_t unknowns = (shape.width + 1) * K;
  std::size_t per_row = 160 * K + 24 * classes, per_unknown = 250 + 40 * threads;
  if (solver == "ssn" || solver == "auto") per_row += 160;
  if (solver == "lbfgs" || solver == "auto") {
    const std::size_t pairs = std::clamp<std::size_t>((std::size_t{1} << 25) / unknowns, 10, 50);
    per_unknown += 16 * pairs;
  }
  std::size_t bytes = shape.rows * per_row + unknowns * per_unknown;
  if (solver != "lbfgs" && solver != "sdca" && shape.width <= 2500)
    bytes += (4 + 2 * threads) * unknowns * (shape.width + 1) * sizeof(double);
  // ssn: matrices of the features, or of the rows where the loss is curved if these are fewer
  constexpr std::size_t most_unknowns = 4000;
  const std::size_t side = std::min({most_unknowns, shape.width + shape.width / 4 + 1, shape.rows});
  if (solver == "ssn" || (solver == "auto" && !loss.empty() && loss_kind(loss).gamma() == 0))
    bytes += (4 + 2 * threads) * side * side * sizeof(double);
  return bytes + (std::size_t{4} << 20) + memory_for_joining(shape, solver, K, classes);
}

std::size_t memory_for_training(const DataShape& shape, const std::string& solver, const std::string& loss) {
  return vectors_for_training(shape, solver, loss, available_threads());
}

void set_nominal_memory(const Dataset& data, const std::string& memory, const std::string& solver,
                        const std::string& loss) {
  constexpr std::size_t program = std::size_t{24} << 20, threads = 8;
  constexpr double for_extents = 0.75;  // the rest is for copies of some of the rows
  const Extents* const extents = extents_of(data.rows);
  if (extents == nullptr) return;
  const std::size_t bytes_per_row = 1 + sizeof(double) * (1 + (data.weights.empty() ? 0 : 1) +
                                                          (data.dense() ? 0 : 1)),  // and its hashes
      fixed = program + data.n() * bytes_per_row +
              vectors_for_training({data.n(), data.d(), count_labels(data).size(), 0}, solver, loss, threads),
                    limit = memory_of(memory);
  extents->budget()->nominal =
      limit > fixed ? static_cast<std::size_t>(for_extents * static_cast<double>(limit - fixed)) : 0;
}

std::size_t memory_for_factors(const DataShape& shape) { return shape.rows * 64 + shape.width * 64; }

std::size_t memory_for_rows_of(const std::string& path) {
  constexpr std::size_t per_row = 80, of_text = 3, of_compressed = 16;
  if (is_cache(path)) {
    const CacheSize size = cache_size(path);
    return size.bytes() + size.rows * per_row;
  }
  std::error_code unknown;
  const bool regular = std::filesystem::is_regular_file(path, unknown);
  const auto bytes = regular ? static_cast<std::size_t>(std::filesystem::file_size(path, unknown)) : 0;
  return bytes * (path.ends_with("z") || path.ends_with("2") || path.ends_with(".zst") ? of_compressed : of_text);
}

// Sums of 40 bytes per feature and score, of which one per thread and level of the tree exists at a time.
std::size_t memory_for_verifying(const DataShape& shape, std::size_t outputs) {
  const std::size_t levels = static_cast<std::size_t>(std::bit_width(shape.entries / (4 * shape.width + 1))),
                    sums = 40 * (levels + available_threads());
  return shape.rows * (60 + 40 * outputs) + shape.width * outputs * (160 + sums) + (std::size_t{4} << 20) +
         memory_for_joining(shape, "lbfgs", outputs, 0);
}

// Intervals: three numbers of text per score, up to 25 bytes each, in a text that grows, and the ends of the interval.
std::size_t memory_for_predicting(const DataShape& shape, std::size_t outputs, bool intervals) {
  return shape.rows * (30 + (intervals ? 280 : 40) * outputs) + shape.width * outputs * 50 + (std::size_t{4} << 20) +
         memory_for_joining(shape, "lbfgs", outputs, 0);
}

}  // namespace seesaw::app
