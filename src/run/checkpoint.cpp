#include "run/checkpoint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/first_rank.h"
#include "base/shared_archive.h"
#include "seesaw/error.h"
#include "seesaw/version.h"
#include "solvers/catalog.h"

namespace seesaw {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".ckpt";
constexpr double seconds_between = 60, writes_between = 20;  // at most 5 % of the time for checkpoints

std::vector<fs::path> checkpoints_in(const std::string& folder) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == extension) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

void serialize(Archive& archive, RunIdentity& identity) {
  archive.text("version", identity.version);
  archive.text("data", identity.data);
  archive.text("objective", identity.objective);
  archive.text("method", identity.method);
}

// After the state: a state with more entries than were restored is that of another run.
void serialize_end(Archive& archive) {
  std::string nothing;
  archive.text("end of state", nothing);
}

// Reads the identity; throws Error if it is that of another run.
void require_same(Archive& archive, const RunIdentity& expected, const std::string& path) {
  RunIdentity found;
  archive.text("version", found.version);
  if (found.version != expected.version)  // what follows may be different
    throw Error(
        fmt::format("the checkpoint {} is of Seesaw {}, and this is {}; continue it with that version, or "
                    "choose another folder for `checkpoint`.",
                    path, found.version, expected.version));
  archive.text("data", found.data);
  archive.text("objective", found.objective);
  archive.text("method", found.method);
  const auto compare = [&](const char* what, const std::string& of_file, const std::string& of_run) {
    if (of_file != of_run)
      throw Error(fmt::format(
          "the checkpoint {} is of {} ({}; this run: {}); continue it with its own options, or choose another folder "
          "for `checkpoint`.",
          path, what, of_file, of_run));
  };
  compare("other data", found.data, expected.data);
  compare("another objective", found.objective, expected.objective);
  compare("another method, seed or tolerance", found.method, expected.method);
}

[[noreturn]] void refuse_method(const std::string& method) {
  std::vector<std::string_view> names;
  for (const Recipe& recipe : catalog())
    if (recipe.resumable && recipe.name != "auto") names.push_back(recipe.name);
  throw Unsupported(fmt::format("the state of {} cannot be saved; choose `solver` {}, or leave out `checkpoint`.",
                                method, fmt::join(names, ", ")));
}

std::uint64_t hash_of(const std::vector<double>& numbers) {
  return XXH3_64bits(numbers.data(), numbers.size() * sizeof(double));
}

}  // namespace

void validate(const CheckpointSpec& spec, const std::string& method) {
  if (!recipe_named(method).resumable) refuse_method(method);
  if (!(spec.every_passes >= 0))
    throw InvalidOption("checkpoint_every", fmt::format("{}", spec.every_passes),
                        "it must be a number that is not negative");
  std::error_code ignored;
  if (fs::exists(spec.folder, ignored) && !fs::is_directory(spec.folder, ignored))
    throw Error(fmt::format("{} is a file, and `checkpoint` needs a folder.", spec.folder));
  if (!spec.resume && !checkpoints_in(spec.folder).empty())
    throw Error(fmt::format(
        "{} contains the checkpoints of a run; add `resume` to continue it, or choose another folder for `checkpoint`.",
        spec.folder));
}

RunIdentity identity_of(const RunInfo& info, std::uint64_t data_hash, bool single_precision) {
  const Problem& problem = info.problem;
  RunIdentity identity;
  identity.version = version();
  identity.data =
      fmt::format("{} rows, hash {:016x}{}", problem.all_rows(), data_hash, single_precision ? ", float32" : "");
  std::string& objective = identity.objective;
  objective = std::string(problem.kind->name);
  if (!problem.kind->parameter.name.empty())
    objective += fmt::format(", {} {}", problem.kind->parameter.name, problem.loss_parameter);
  objective += fmt::format(", lambda {}, l1 {}, intercept {}, scale {}", problem.penalty.l2(), problem.penalty.l1(),
                           name_of(problem.intercept), name_of(info.scaling));
  if (problem.intercept == Intercept::penalized) objective += fmt::format(" {}", problem.intercept_scaling);
  if (!problem.class_weights.empty())
    objective += fmt::format(", class weights {}", fmt::join(problem.class_weights, " "));
  if (!problem.penalty.uniform()) {
    const PenaltyFeatures& features = problem.penalty.features();
    objective +=
        fmt::format(", factors and bounds {:016x}", hash_of(features.l2_factor) ^ 3 * hash_of(features.l1_factor) ^
                                                        5 * hash_of(features.lower) ^ 7 * hash_of(features.upper));
  }
  std::string& method = identity.method;
  const Criteria& criteria = info.criteria;
  method = fmt::format("{}, seed {}, gap {}, gap-abs {}, check-every {}", info.solver.name, info.solver.seed,
                       criteria.gap, criteria.gap_abs, criteria.check_every);
  for (const auto& [name, value] : info.solver.options) method += fmt::format(", {} {}", name, value);
  const Costs &costs = info.solver.costs, built_in;
  if (costs.product != built_in.product || costs.pair != built_in.pair || costs.multiply_add != built_in.multiply_add)
    method += fmt::format(" ({}, {}, {})", costs.product, costs.pair, costs.multiply_add);
  return identity;
}

Checkpoints::Checkpoints(const CheckpointSpec& spec, RunIdentity identity, const Shares* shares)
    : spec_(spec), identity_(std::move(identity)), shares_(shares) {
  empty_ = on_first(ranks(), [&] {
    std::error_code failed;
    fs::create_directories(spec_.folder, failed);
    if (failed) throw Error(fmt::format("cannot create the folder {}: {}.", spec_.folder, failed.message()));
    const std::vector<fs::path> found = checkpoints_in(spec_.folder);
    for (const fs::path& path : found) {
      std::optional<ArchiveReader> file;
      try {
        file.emplace(path.string());
      } catch (const Error&) {
        continue;  // damaged: reported by restore()
      }
      require_same(*file, identity_, path.string());
      break;
    }
    return found.empty();
  });
}

std::string Checkpoints::message() const {
  if (!spec_.resume || !empty_) return {};
  return fmt::format("started from the beginning: {} has no checkpoints.", spec_.folder);
}

CheckpointSeries::CheckpointSeries(const Checkpoints& all, std::string name) : all_(all), name_(std::move(name)) {}

std::string CheckpointSeries::path_of(std::uint64_t number) const {
  return fmt::format("{}/{}-{:06}{}", all_.spec().folder, name_, number, extension);
}
std::string CheckpointSeries::finished_path() const {
  return fmt::format("{}/{}-finished{}", all_.spec().folder, name_, extension);
}

std::vector<std::uint64_t> CheckpointSeries::numbers() const {
  std::vector<std::uint64_t> found;
  for (const fs::path& path : checkpoints_in(all_.spec().folder)) {
    const std::string stem = path.stem().string();
    if (!stem.starts_with(name_ + "-")) continue;
    const char* const first = stem.data() + name_.size() + 1;
    std::uint64_t number = 0;
    const auto [end, code] = std::from_chars(first, stem.data() + stem.size(), number);
    if (code == std::errc() && end == stem.data() + stem.size() && path == path_of(number)) found.push_back(number);
  }
  std::sort(found.begin(), found.end());
  return found;
}

void CheckpointSeries::read(std::optional<ArchiveReader>& file, const Serialize& serialize_state) const {
  const auto restore_from = [&](Archive& archive) {
    serialize_state(archive);
    serialize_end(archive);
  };
  if (all_.shares() == nullptr) return restore_from(*file);
  SharedArchiveReader shared(*all_.shares(), file ? &*file : nullptr);
  restore_from(shared);
}

CheckpointSeries::Restored CheckpointSeries::restore(const Serialize& serialize_state) {
  if (!all_.spec().resume) return {};
  std::string damaged;
  std::optional<ArchiveReader> file;
  const std::uint64_t number = on_first(all_.ranks(), [&]() -> std::uint64_t {  // 0: no valid one
    std::vector<std::uint64_t> candidates = numbers();
    for (; !candidates.empty(); candidates.pop_back()) {
      const std::string path = path_of(candidates.back());
      try {
        file.emplace(path);
      } catch (const Error& error) {
        damaged += std::string(" ") + error.what();
        continue;
      }
      require_same(*file, all_.identity(), path);
      return candidates.back();
    }
    return 0;
  });
  damaged = on_first(all_.ranks(), [&] { return damaged; });
  if (number > 0) {
    read(file, [&](Archive& archive) {
      archive.numbers("passes", passes_);
      serialize_state(archive);
    });
    last_valid_ = number;
    return {true, fmt::format("continued from {}, after {:.4g} passes.{}", path_of(number), passes_, damaged)};
  }
  if (damaged.empty()) return {};
  return {false, fmt::format("started from the beginning: no checkpoint is valid.{}", damaged)};
}

bool CheckpointSeries::due(double passes) const {
  if (all_.spec().every_passes > 0) return passes >= passes_ + all_.spec().every_passes;
  const double seconds = std::chrono::duration<double>(Clock::now() - time_).count();
  return seconds >= std::max(seconds_between, writes_between * seconds_of_write_);
}

std::optional<std::string> CheckpointSeries::write(const std::string& path, const Serialize& serialize_state) const {
  const auto save_to = [&](auto&& file) {
    RunIdentity identity = all_.identity();
    serialize(file, identity);
    serialize_state(file);
    serialize_end(file);
    file.commit();
  };
  try {
    if (all_.shares() == nullptr) save_to(ArchiveWriter(path));
    else save_to(SharedArchiveWriter(*all_.shares(), path));
    return std::nullopt;
  } catch (const Error& error) {
    return fmt::format("no checkpoint: {}", error.what());
  }
}

std::optional<std::string> CheckpointSeries::save(double passes, const Serialize& serialize_state) {
  const Clock::time_point begin = Clock::now();
  const bool first = all_.ranks() == nullptr || all_.ranks()->first();
  const std::vector<std::uint64_t> before = first ? numbers() : std::vector<std::uint64_t>();
  const std::uint64_t number = before.empty() ? 1 : before.back() + 1;
  passes_ = passes;
  auto problem = write(path_of(number), [&](Archive& archive) {
    archive.numbers("passes", passes_);
    serialize_state(archive);
  });
  time_ = Clock::now();
  seconds_of_write_ = std::chrono::duration<double>(time_ - begin).count();
  if (problem) return problem;
  std::error_code ignored;
  for (const std::uint64_t old : before)
    if (old != last_valid_) fs::remove(path_of(old), ignored);
  last_valid_ = number;
  return std::nullopt;
}

bool CheckpointSeries::restore_finished(const Serialize& serialize_state) {
  if (!all_.spec().resume) return false;
  std::optional<ArchiveReader> file;
  const bool found = on_first(all_.ranks(), [&] {
    std::error_code ignored;
    if (!fs::exists(finished_path(), ignored)) return false;
    try {
      file.emplace(finished_path());
    } catch (const Error&) {
      return false;
    }
    require_same(*file, all_.identity(), finished_path());
    return true;
  });
  if (found) read(file, serialize_state);
  return found;
}

std::optional<std::string> CheckpointSeries::save_finished(const Serialize& serialize_state) {
  auto problem = write(finished_path(), serialize_state);
  if (problem) return problem;
  on_first(all_.ranks(), [&] {
    std::error_code ignored;
    for (const std::uint64_t old : numbers()) fs::remove(path_of(old), ignored);
  });
  return std::nullopt;
}

void require_resumable(const Solver& solver, const std::string& method) {
  if (solver.resumable()) return;
  const std::string selected = solver.diagnostics().methods;
  refuse_method(selected.empty() ? method : fmt::format("{}, selected by {},", selected, method));
}

}  // namespace seesaw
