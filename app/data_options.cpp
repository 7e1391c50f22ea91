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
#include "data/readers/read_share.h"
#include "data/write_libsvm.h"
#include "ranks.h"
#include "seesaw/error.h"
#include "study/command_line.h"

namespace seesaw::app {

void DataOptions::declare(Command& command) {
  command
      .add_option("DATA", path,
                  "LIBSVM text, CSV or .ssw cache, plain or compressed (gz, bz2, xz, zst); - is standard input")
      .required();
  command.add_option("--input", format, "format of DATA")
      .one_of({"guess", "libsvm", "csv", "ssw"})
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
  if (!label_column.empty()) text += " --label-column " + shell_quoted(label_column);
  if (!weights.empty()) text += " --weights " + shell_quoted(weights);
  if (float32) text += " --float32";
  return text;
}

ReadOptions DataOptions::reading() const {
  ReadOptions options;
  if (format == "libsvm") options.format = Format::libsvm;
  else if (format == "csv") options.format = Format::csv;
  else if (format == "ssw") options.format = Format::cache;
  else if (format != "guess") throw InvalidOption("input", format, "choose one of guess, libsvm, csv, ssw");
  if (index_base != 0 && index_base != 1) throw InvalidOption("index_base", std::to_string(index_base), "it is 0 or 1");
  options.index_base = static_cast<std::size_t>(index_base);
  options.label_column = label_column;
  options.precision = float32 ? Precision::single : Precision::exact;
  return options;
}

Dataset DataOptions::read_share(std::optional<std::uint64_t>& hash) const {
  if (ranks() == nullptr) return read();
  if (path == "-") throw Error("standard input cannot be read by several processes; give a file that all can read.");
  SharedData shared = seesaw::read_share(path, reading(), weights, *ranks());
  hash = shared.hash;
  return std::move(shared.data);
}

Dataset DataOptions::read(std::optional<std::size_t> width, const std::string& whose) const {
  ReadOptions options = reading();
  options.width = width;
  options.width_of = whose;
  Dataset data = read_dataset(path, options);
  return weights.empty() ? std::move(data) : with_weights(std::move(data), weights);
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
