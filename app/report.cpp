// seesaw report LINES... OUTPUT: a page, or a table of CSV, from lines that were written before.
#include "report/page.h"

#include <fmt/format.h>

#include <memory>

#include "base/atomic_file.h"
#include "base/journal_file.h"
#include "command.h"
#include "data_options.h"
#include "seesaw/error.h"
#include "standard_streams.h"
#include "study/curve_table.h"
#include "study/record.h"

namespace seesaw::app {
namespace {

struct ReportOptions {
  std::vector<std::string> files;  // the last one is the output
  bool quiet = false;
};

int report(const ReportOptions& o) {
  const std::vector<std::string> sources(o.files.begin(), o.files.end() - 1);
  const std::string& output = o.files.back();
  const bool table = output.ends_with(".csv");
  if (!table && !output.ends_with(".html") && !output.ends_with(".htm"))
    throw Error(fmt::format("the output comes last and its name ends in .html or .csv, and {} does not.", output));
  refuse_overwriting(output, sources);
  AtomicFile writable(output);

  std::string text;
  std::vector<RunRecord> records;
  for (const std::string& source : sources) {
    const std::vector<std::string> lines = read_lines(source);
    for (RunRecord& record : read_records(lines, source)) records.push_back(std::move(record));
    for (const std::string& line : lines) text += line + "\n";
  }
  const std::size_t runs = records.size();
  if (runs == 0 && (table || text.find("\"experiment\"") == std::string::npos))
    throw Error(fmt::format("{} no runs; give files that seesaw train --trace or seesaw compare --jsonl wrote.",
                            sources.size() == 1 ? sources.front() + " has" : "these files have"));
  if (table) {
    writable.write(curves_csv(records));
    writable.commit();
  } else {
    write_page(output, text);
  }
  result_is_written();
  if (!o.quiet) fmt::print("{}: {} ({} run{})\n", table ? "table" : "page", output, runs, runs == 1 ? "" : "s");
  return success;
}

}  // namespace

void add_report(Program& program) {
  auto options = std::make_shared<ReportOptions>();
  Command& command =
      program.add_command("report", "make an HTML page or a CSV table from lines written by --trace or --jsonl");
  command
      .add_option(
          "LINES ... OUTPUT", options->files,
          "files of lines, then the output: a page if its name ends in .html; if in .csv, mean, median and quantiles "
          "over the seeds")
      .required()
      .at_least(2);
  command.add_quiet(options->quiet, "print nothing");
  command.example("seesaw report fit.jsonl fit.html", "");
  command.example("seesaw report methods.jsonl methods.csv", "");
  command.on_run([options] { return report(*options); });
}

}  // namespace seesaw::app
