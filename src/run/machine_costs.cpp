#include "run/machine_costs.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <system_error>
#include <vector>

#include "base/atomic_file.h"
#include "base/rng.h"
#include "base/scalar.h"
#include "base/stopwatch.h"
#include "data/dataset.h"
#include "data/rows_builder.h"
#include "seesaw/version.h"
#include "solvers/parts/newton/weighted_gram.h"

namespace seesaw {
namespace {

// Rows with one entry per `spacing` columns on average.
Rows random_rows(std::size_t count, std::size_t width, std::uint32_t spacing) {
  Rng rng(1);
  RowsBuilder builder;
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    columns.clear();
    values.clear();
    for (std::size_t j = rng.below(spacing); j < width; j += 1 + rng.below(2 * spacing - 1)) {
      columns.push_back(static_cast<std::uint32_t>(j));
      values.push_back(rng.normal());
    }
    builder.add_row(columns, values);
  }
  return std::move(builder).finish(width, Precision::exact);
}

template <class Work>
double nanoseconds(std::size_t repeats, const Work& work) {  // the minimum: longer times include interruptions
  double best = infinity;
  for (std::size_t k = 0; k < repeats; ++k) {
    Stopwatch watch;
    timed(watch, work);
    best = std::min(best, watch.seconds());
  }
  return 1e9 * best;
}

double entries_of(const Rows& rows) {
  return std::visit([](const auto& a) { return static_cast<double>(a.entries()); }, rows);
}

// The result of the measurement below on the machine on which the estimates of `auto` were fitted with the built-in
// costs. Small matrices cost more per entry than large ones, so only ratios carry over.
constexpr Costs reference_reading{1.72, 1.9, 0.0368};

Costs scaled_to_reference(const Costs& reading) {
  const Costs standard;
  return {standard.product * reading.product / reference_reading.product,
          standard.pair * reading.pair / reference_reading.pair,
          standard.multiply_add * reading.multiply_add / reference_reading.multiply_add};
}

bool plausible(double ns) { return std::isfinite(ns) && ns > 1e-4 && ns < 1e4; }

// Opens small regular files only: a pipe would block until there is a writer.
std::optional<Costs> read_costs(const std::string& path) {
  constexpr std::uintmax_t largest = 4096;
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed) || std::filesystem::file_size(path, failed) > largest)
    return std::nullopt;
  std::ifstream file(path);
  const auto json = nlohmann::json::parse(file, nullptr, false);
  const auto field = [&](const char* name) -> const nlohmann::json& {
    static const nlohmann::json nothing;
    return json.is_object() && json.contains(name) ? json[name] : nothing;
  };
  const auto number = [&](const char* name) { return field(name).is_number() ? field(name).get<double>() : 0.0; };
  if (field("cpu") != cpu() || field("version") != version()) return std::nullopt;
  const Costs costs{number("product"), number("pair"), number("multiply_add")};
  if (!plausible(costs.product) || !plausible(costs.pair) || !plausible(costs.multiply_add)) return std::nullopt;
  return costs;
}

// Costs can be stored at a path that does not exist or is a regular file, which is replaced.
bool can_store(const std::string& path) {
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

bool write_costs(const Costs& costs, const std::string& path) {
  try {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    AtomicFile file(path);
    const nlohmann::ordered_json json = {{"version", version()}, {"cpu", cpu()},
                                         {"unit", "ns"},         {"product", costs.product},
                                         {"pair", costs.pair},   {"multiply_add", costs.multiply_add}};
    file.write(json.dump(1) + "\n");
    file.commit();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

Costs measure_costs() {
  Costs costs;  // the reading
  tbb::task_arena one(1);
  one.execute([&] {
    const std::size_t rows = 4000, width = 300;
    const Rows sparse = random_rows(rows, width, 15), dense = random_rows(512, 256, 1);
    std::vector<double> x(width, 1.0), z(rows), v(width), weight(rows, 0.5);
    std::vector<std::uint32_t> which(rows);
    std::iota(which.begin(), which.end(), 0u);
    Eigen::MatrixXd h;
    const double entries = entries_of(sparse);
    costs.product = nanoseconds(5,
                                [&] {
                                  multiply(sparse, x.data(), z.data());
                                  multiply_transposed(sparse, z.data(), v.data());
                                }) /
                    entries;
    const double pairs = entries * entries / static_cast<double>(rows) / 2;
    costs.pair = nanoseconds(3, [&] { weighted_gram(sparse, which, weight, false, h); }) / pairs;
    costs.multiply_add =
        nanoseconds(
            3, [&] { weighted_gram(dense, std::span(which).first(512), std::span(weight).first(512), false, h); }) /
        (512.0 * 256 * 256 / 2);
  });
  return scaled_to_reference(costs);
}

std::string user_cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    return std::string(cache) + "/seesaw";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::string(home) + "/.cache/seesaw";
  return {};
}

Costs stored_costs(const std::string& cache_folder) {
  if (cache_folder.empty()) return {};
  const std::string path = cache_folder + "/costs.json";
  if (const auto stored = read_costs(path)) return *stored;
  if (!can_store(path)) return {};
  const Costs measured = measure_costs();
  if (!plausible(measured.product) || !plausible(measured.pair) || !plausible(measured.multiply_add)) return {};
  return write_costs(measured, path) ? read_costs(path).value_or(Costs{}) : Costs{};
}

Costs machine_costs() {
  static const Costs costs = stored_costs(user_cache_folder());
  return costs;
}

}  // namespace seesaw
