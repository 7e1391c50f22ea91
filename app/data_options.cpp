#include "data_options.h"

#include <tbb/global_control.h>
#include <tbb/info.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/threads.h"
#include "data/cache.h"
#include "data/cache_stream.h"
#include "data/readers/read_share.h"
#include "data/write_libsvm.h"
#include "ranks.h"
#include "seesaw/error.h"
#include "study/command_line.h"

namespace seesaw::app {

void DataOptions::declare(Command& command) {
  command
      .add_option(
          "DATA", path,
          "LIBSVM text, CSV, .npy, .npz or .ssw cache; text may be compressed (gz, bz2, xz, zst); - is standard "
          "input")
      .required();
  declare_reading(command);
}

void DataOptions::declare_reading(Command& command) {
  command.add_option("--input", format, "format of DATA")
      .one_of({"guess", "libsvm", "csv", "ssw", "numpy"})
      .standard(format)
      .group("Data");
  command.add_option("--index-base", index_base, "number of the first feature in LIBSVM text")
      .completes({"0", "1"})
      .standard("1")
      .group("Data");
  command.add_option("--label-column", label_column, "label column of a CSV: name, number or none")
      .placeholder("NAME")
      .standard("1")
      .group("Data")
      .common();
  command.add_option("--label", label, "the same as --label-column").placeholder("NAME").group("Data");
  command.add_option("--labels", labels, ".npy file with one label per row, for DATA that is .npy or .npz")
      .placeholder("FILE")
      .group("Data");
  command.add_option("--separator", separator, "separator of a CSV")
      .one_of({"comma", "semicolon", "tab", "pipe"})
      .standard("found from the file")
      .group("Data");
  command.add_flag("--float32", float32, "store values as float even if that rounds them; arithmetic stays double")
      .group("Data");
  declare_threads(command);
}

void DataOptions::declare_threads(Command& command) {
  command.add_option("--threads", threads, "threads; the result is the same")
      .standard("all cores")
      .group("Data")
      .common();
}

void DataOptions::declare_weights(Command& command) {
  command.add_option("--weights", weights, "file with one weight >= 0 per row")
      .placeholder("FILE")
      .standard("all 1")
      .group("Data")
      .common();
}

void DataOptions::declare_memory(Command& command) {
  command
      .add_option("--memory", memory, "most memory to use; a larger cache (.ssw) stays on disk; the result is the same")
      .placeholder("SIZE")
      .standard("no limit")
      .group("Data")
      .common();
}

std::string DataOptions::as_typed() const {
  std::string text;
  if (format != "guess") text += " --input " + format;
  if (index_base != 1) text += fmt::format(" --index-base {}", index_base);
  if (const std::string& name = label_column.empty() ? label : label_column; !name.empty())
    text += " --label-column " + shell_quoted(name);
  if (!labels.empty()) text += " --labels " + shell_quoted(labels);
  if (!separator.empty()) text += " --separator " + separator;
  if (!weights.empty()) text += " --weights " + shell_quoted(weights);
  if (!targets.empty()) text += " --targets " + shell_quoted(targets);
  if (!pairs.empty()) text += " --pairs " + shell_quoted(pairs);
  if (float32) text += " --float32";
  return text + table.as_typed();
}

ReadOptions DataOptions::read_options() const {
  ReadOptions options;
  if (format == "libsvm") options.format = Format::libsvm;
  else if (format == "csv") options.format = Format::csv;
  else if (format == "ssw") options.format = Format::cache;
  else if (format == "numpy") options.format = Format::numpy;
  else if (format != "guess") throw InvalidOption("input", format, "choose one of guess, libsvm, csv, ssw, numpy");
  if (index_base != 0 && index_base != 1) throw InvalidOption("index_base", std::to_string(index_base), "it is 0 or 1");
  options.index_base = static_cast<std::size_t>(index_base);
  if (!label.empty() && !label_column.empty() && label != label_column)
    throw Error("--label and --label-column are the same option; give one of them.");
  options.label_column = label_column.empty() ? label : label_column;
  if (!targets.empty() && !options.label_column.empty() && options.label_column != "none")
    throw Error("--targets has the numbers to predict; leave out --label-column, or give --label-column none.");
  if (has_targets()) {
    const bool csv = format_of(path, options) == Format::csv;
    if (!label_columns().empty() && !csv) throw Error("several label columns are for CSV; use --targets FILE instead.");
    if (csv) options.label_column = "none";
  }
  options.labels = labels;
  options.label_optional = label_optional;
  options.precision = float32 ? Precision::single : Precision::exact;
  return options;
}

namespace {

// Of the rows of all processes.
std::size_t different_labels(std::span<const double> labels, const Ranks* several) {
  const Dataset only{.rows = SparseRows<double>(0, {}, {}, {}, nullptr), .labels = {labels.begin(), labels.end()}};
  std::vector<double> found;
  for (const LabelCount& one : count_labels(only)) found.push_back(one.label);
  if (several == nullptr) return found.size();
  found = ranks()->concatenate<double>(found);
  std::sort(found.begin(), found.end());
  return static_cast<std::size_t>(std::unique(found.begin(), found.end()) - found.begin());
}

[[noreturn]] void refuse_text(const std::string& path, std::size_t needed, std::size_t limit) {
  throw Error(
      fmt::format("{} needs {} of memory and --memory allows {}: convert it first (seesaw convert {} DATA.ssw --memory "
                  "...), and give "
                  "the cache instead.",
                  path, in_words(needed), in_words(limit), path));
}

// Throws Error on all processes if one of them has rows on disk that need more than the limit. True: all rows fit into
// the memory of their process.
struct MemoryNeed {
  std::size_t rows, fixed, least, all;  // all: with all entries in memory
};
bool all_fit(const MemoryNeed& own, const Ranks* several, std::size_t limit, const CacheSize& size,
             const std::string& path) {
  bool fit = true;
  MemoryNeed most = own;
  for (const MemoryNeed& one : several == nullptr ? std::vector{own} : ranks()->gather(own)) {
    fit = fit && one.all <= limit;
    if (one.fixed + one.least > most.fixed + most.least) most = one;
  }
  constexpr std::size_t varies = std::size_t{1} << 20;  // the memory of the program itself, from run to run
  if (!fit && most.fixed + most.least > limit)
    throw Error(fmt::format(
        "{} needs at least --memory {}M{}: {} for vectors of {} {} rows and {} features, and {} for the "
        "rows that are in use.",
        path, ((most.fixed + most.least + varies) >> 20) + 1, several == nullptr ? "" : " per process",
        in_words(most.fixed), several == nullptr ? "its" : "up to", most.rows, size.width, in_words(most.least)));
  return fit;
}

}  // namespace

LoadedData DataOptions::within_memory(const ReadOptions& options, const std::function<LoadedData()>& in_memory,
                                      std::optional<std::uint64_t>* hash) const {
  if (memory.empty()) return in_memory();
  if (!pairs.empty()) throw Error("--memory does not make pairs of rows; leave out --memory or --pairs.");
  if (has_targets()) throw Error("--memory needs one number to predict per row; leave out --memory or --targets.");
  Ranks* const several = hash == nullptr ? nullptr : ranks();  // each within its own memory
  const std::size_t limit = memory_of(memory),
                    processes = several == nullptr ? 1 : static_cast<std::size_t>(several->size());
  const auto beside = [&](DataShape shape, std::size_t all_rows) {
    shape.ranks = processes;
    shape.all_rows = all_rows;
    return working_memory ? working_memory(shape) : 0;
  };
  const bool cache = options.format == Format::cache || (options.format == Format::guess && is_cache(path));
  if (!cache || path == "-") {
    std::error_code unknown;
    const auto size = std::filesystem::is_regular_file(path, unknown) ? std::filesystem::file_size(path, unknown) : 0;
    if (size / processes > limit) refuse_text(path, size / processes, limit);
    LoadedData loaded = in_memory();
    const Dataset& data = loaded.data;
    const std::size_t classes = different_labels(data.labels, several),
                      entries = std::visit([](const auto&rows) { return rows.entries(); }, data.rows),
                      needed = resident_memory() + beside({data.n(), data.d(), classes, entries}, data.all_rows());
    if (const auto most = static_cast<std::size_t>(largest_of_ranks(data.leaves(), static_cast<double>(needed)));
        most > limit)
      refuse_text(path, most, limit);
    return loaded;
  }
  const CacheSize size = cache_size(path);
  if (several != nullptr && !weights.empty())
    throw Error(fmt::format("--memory on several processes uses the weights of the cache: give {} to seesaw convert.",
                            weights));
  bool fits = false;
  const auto budget = [&](const OpenedCache& opened) {
    const auto [rows, width, entries, weighted, sparse, version] = opened.size;
    const EntryBytes scaled{entries.entries, entries.column, sizeof(double)};  // floats may become doubles
    MemoryNeed own{rows, 0, 0, 0};
    own.fixed = beside({rows, width, different_labels(opened.labels, several), entries.entries}, size.rows);
    own.fixed += resident_memory();
    own.least =  // a third more, for copies; at most the size of all entries
        std::min(Extents::least_bytes(scaled, opened.longest_row) * 4 / 3, entries.total());
    own.all = own.fixed + entries.total();
    fits = all_fit(own, several, limit, size, path);
    // Data that fits: an extent may be larger than all entries.
    return own.all <= limit ? std::max(entries.total(), Extents::least_bytes(scaled, opened.longest_row))
                            : limit - own.fixed;
  };
  if (size.format == 1) {
    const std::size_t needed =
        resident_memory() + size.bytes() + beside({size.rows, size.width, 2, size.entries.entries}, size.rows);
    if (needed <= limit) return in_memory();
    throw Error(fmt::format(
        "{} is a cache of format 1, which is used in memory only, and needs {}: convert it again from the text.", path,
        in_words(needed)));
  }
  std::optional<DiskCache> opened =
      several == nullptr ? open_cache(path, budget, 0.25) : open_cache_share(path, *several, budget, 0.25);
  if (fits) {
    opened.reset();
    return in_memory();
  }
  if (options.precision == Precision::single && !opened->data.single_precision())
    throw Error(fmt::format("--float32 cannot change rows on disk: give it to seesaw convert when {} is made.", path));
  if (hash != nullptr) *hash = opened->hash;
  return {with_width(std::move(opened->data), options)};
}

LoadedData DataOptions::load() const {
  const ReadOptions options = read_options();
  return completed(
      within_memory(options, [&] { return load_data(path, options, table.options(separator_named(separator))); }));
}

LoadedData DataOptions::load_share(std::optional<std::uint64_t>& hash) const {
  if (ranks() == nullptr) return load();
  if (path == "-") throw Error("standard input cannot be read by several processes; give a file that all can read.");
  if (has_targets()) throw Error("several targets per row need one process.");
  if (!pairs.empty()) throw Error("--pairs needs one process.");
  if (table.options(separator_named(separator)).given())
    throw Error("options for tables need one process; seesaw convert writes the encoded table as a cache (.ssw).");
  return share_within_memory(read_options(), hash);
}

LoadedData DataOptions::share_within_memory(const ReadOptions& options, std::optional<std::uint64_t>& hash) const {
  return within_memory(
      options,
      [&]() -> LoadedData {
        SharedData shared = read_share(path, options, weights, *ranks());
        hash = shared.hash;
        return {std::move(shared.data)};
      },
      &hash);
}

bool DataOptions::can_be_shared(bool encoded) const {
  return ranks() != nullptr && path != "-" && !encoded && !has_targets() &&
         !table.options(separator_named(separator)).given();
}

LoadedData DataOptions::load_share_for(const LinearModel& model, const std::string& model_path, bool predicting,
                                       std::optional<std::uint64_t>& hash) const {
  const auto width = predicting ? std::optional(model.features()) : std::nullopt;
  return share_within_memory(options_for(false, width, "the model " + model_path), hash);
}

LoadedData DataOptions::load_for(const LinearModel& model, const std::string& model_path, bool predicting) const {
  return load_like(model.table, predicting ? std::optional(model.features()) : std::nullopt, "the model " + model_path);
}

ReadOptions DataOptions::options_for(bool encoded, std::optional<std::size_t> width, const std::string& whose) const {
  ReadOptions options = read_options();
  options.width_of = whose;
  if (!encoded && !separator.empty())
    throw Error("--separator is for tables, and " + whose + " was not trained on one.");
  if (!encoded && width && label_columns().empty()) options.width = *width;
  return options;
}

LoadedData DataOptions::load_like(const std::optional<TableEncoding>& encoding, std::optional<std::size_t> width,
                                  const std::string& whose) const {
  const ReadOptions options = options_for(encoding.has_value(), width, whose);
  return completed(within_memory(options, [&]() -> LoadedData {
    if (encoding) return load_data(path, options, *encoding, separator_named(separator), !width);
    return {read_dataset(path, options)};
  }));
}

bool DataOptions::is_text() const {
  const Format found = format_of(path, read_options());
  return found == Format::libsvm || found == Format::csv;
}

void DataOptions::stream(const std::string& out) const {
  const ReadOptions options = read_options();
  if (table.options(separator_named(separator)).given())
    throw Error("--memory converts LIBSVM text and CSV of numbers; leave out the options for tables.");
  constexpr std::size_t per_row = 32, reserve = std::size_t{8} << 20;
  const std::size_t limit = memory_of(memory), fixed = resident_memory() + reserve;
  if (limit < fixed)
    throw Error(
        fmt::format("seesaw convert needs at least --memory {}M, and {} bytes per row.", (fixed >> 20) + 1, per_row));
  CacheStream cache(out, options.precision, weights.empty() ? std::vector<double>() : read_weights(weights),
                    (limit - fixed) / per_row);
  const Dataset read = stream_dataset(path, options, cache);
  const CacheSize size = cache.finish(read.d(), read.feature_names);
  fmt::print(words_beside(out), "{}: {} rows x {} features, {} entries, {} {}\n", read.source, size.rows, size.width,
             size.entries.entries, size.sparse ? "sparse" : "dense", size.entries.value == 4 ? "float" : "double");
}

std::string memory_line(const Dataset& data, const std::string& memory) {
  const Extents* const extents = extents_of(data.rows);
  if (extents == nullptr) return {};
  const ExtentBudget& budget = *extents->budget();
  const std::size_t limit = memory_of(memory), of_rows = std::min(limit, budget.bytes + budget.copies);
  return fmt::format(
      "memory: {} for the program and its vectors of {} rows and {} features, {} for the rows, {} of {} extents at a "
      "time: they are read from disk",
      in_words(limit - of_rows), data.n(), data.d(), in_words(of_rows), budget.bytes / extents->bytes().per_extent(),
      extents->bytes().extents());
}

void write_data(const Dataset& data, const std::string& path) {
  if (path.ends_with(".ssw")) return write_cache(data, path);
  for (const char* ending : {".csv", ".tsv", ".gz", ".bz2", ".xz", ".zst"})
    if (path.ends_with(ending))
      throw Error(
          fmt::format("{} cannot be written: the formats here are a cache (.ssw) and plain LIBSVM text.", path));
  if (!data.weights.empty())
    throw Error("LIBSVM text has no place for the weights of the rows; write a cache (.ssw) instead.");
  write_libsvm(data, path);
}

void refuse_unlabelled(const Dataset& data) {
  if (!data.labelled)
    throw Error(fmt::format(
        "{}: has no labels; name their column with --label-column, or their file with --labels (.npy).", data.source));
}

std::vector<std::string> inputs_of(const DataOptions& data, const std::vector<std::string>& others) {
  std::vector<std::string> all = data.files();
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

struct ThreadLimit::Control {
  tbb::global_control limit;
};

ThreadLimit::ThreadLimit(int threads) : count_(threads > 0 ? threads : tbb::info::default_concurrency()) {
  if (threads < 0 || threads > most_threads)
    throw InvalidOption("threads", std::to_string(threads),
                        fmt::format("it must be from 1 to {}, or 0 for all cores", most_threads));
  // NOLINTNEXTLINE(modernize-make-unique): an aggregate
  control_.reset(new Control{{tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count_)}});
}

ThreadLimit::~ThreadLimit() = default;

}  // namespace seesaw::app
