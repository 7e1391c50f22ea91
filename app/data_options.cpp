#include "data_options.h"

#include <tbb/global_control.h>
#include <tbb/info.h>

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <string>

#include "base/atomic_file.h"
#include "base/output_path.h"
#include "base/threads.h"
#include "data/cache.h"
#include "data/write_libsvm.h"
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

std::string DataOptions::as_typed() const {
  std::string text;
  if (format != "guess") text += " --input " + format;
  if (index_base != 1) text += fmt::format(" --index-base {}", index_base);
  if (const std::string& name = label_column.empty() ? label : label_column; !name.empty())
    text += " --label-column " + shell_quoted(name);
  if (!labels.empty()) text += " --labels " + shell_quoted(labels);
  if (!separator.empty()) text += " --separator " + separator;
  if (!weights.empty()) text += " --weights " + shell_quoted(weights);
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
  options.labels = labels;
  options.precision = float32 ? Precision::single : Precision::exact;
  return options;
}

LoadedData DataOptions::weighted(LoadedData loaded) const {
  if (!weights.empty()) loaded.data = with_weights(std::move(loaded.data), weights);
  return loaded;
}

LoadedData DataOptions::load() const {
  return weighted(load_data(path, read_options(), table.options(separator_named(separator))));
}

LoadedData DataOptions::load_for(const LinearModel& model, const std::string& model_path, bool predicting) const {
  return load_like(model.table, predicting ? std::optional(model.features()) : std::nullopt, "the model " + model_path);
}

LoadedData DataOptions::load_like(const std::optional<TableEncoding>& encoding, std::optional<std::size_t> width,
                                  const std::string& whose) const {
  ReadOptions options = read_options();
  options.width_of = whose;
  if (encoding) return weighted(load_data(path, options, *encoding, separator_named(separator), !width));
  if (!separator.empty()) throw Error("--separator is for tables, and " + whose + " was not trained on one.");
  if (width) options.width = *width;
  return weighted({read_dataset(path, options)});
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

void refuse_overwriting(const std::string& output, const std::vector<std::string>& inputs) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::is_regular_file(output, ignored)) return;
  for (const std::string& input : inputs)
    if (!input.empty() && fs::equivalent(output, input, ignored))
      throw Error(fmt::format(
          "{} is read by this command and would be overwritten by it; give another name to write to.", output));
}

void refuse_sharing(const std::vector<std::string>& outputs) {
  namespace fs = std::filesystem;
  std::set<fs::path> taken;
  for (const std::string& output : outputs) {
    std::error_code ignored;
    if (output.empty() || (fs::exists(output, ignored) && !fs::is_regular_file(output, ignored))) continue;
    if (!taken.insert(fs::weakly_canonical(fs::absolute(output, ignored), ignored)).second)
      throw Error(
          fmt::format("{} would be written twice by this command; give each output a name of its own.", output));
  }
}

void refuse_unwritable(const std::string& output) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::exists(output, ignored) || fs::is_regular_file(output, ignored) || fs::is_directory(output, ignored))
    const AtomicFile writable(output);
}

std::FILE* words_beside(const std::string& output) { return is_standard_output(output) ? stderr : stdout; }

struct ThreadLimit::Control {
  tbb::global_control limit;
};

ThreadLimit::ThreadLimit(int threads) : count_(threads > 0 ? threads : tbb::info::default_concurrency()) {
  if (threads < 0 || threads > most_threads)
    throw InvalidOption("threads", std::to_string(threads),
                        fmt::format("it must be from 1 to {}, or 0 for all cores", most_threads));
  control_.reset(new Control{{tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count_)}});
}

ThreadLimit::~ThreadLimit() = default;

}  // namespace seesaw::app
