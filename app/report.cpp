// seesaw report LINES... PAGE: a page from lines that were written before.
#include "report/page.h"

#include <fmt/format.h>

#include <memory>

#include "base/atomic_file.h"
#include "command.h"
#include "data_options.h"
#include "seesaw/error.h"
#include "standard_streams.h"
#include "study/journal.h"

namespace seesaw::app {
namespace {

struct ReportOptions {
  std::vector<std::string> files;  // the last one is the page
  bool quiet = false;
};

int report(const ReportOptions& o) {
  const std::vector<std::string> sources(o.files.begin(), o.files.end() - 1);
  const std::string& page = o.files.back();
  if (!page.ends_with(".html") && !page.ends_with(".htm"))
    throw Error(fmt::format("the page comes last and its name ends in .html, and {} does not.", page));
  refuse_overwriting(page, sources);
  const AtomicFile writable(page);

  std::string text;
  std::size_t runs = 0;
  for (const std::string& source : sources) {
    const std::vector<std::string> lines = read_lines(source);
    runs += read_records(lines, source).size();
    for (const std::string& line : lines) text += line + "\n";
  }
  if (runs == 0 && text.find("\"experiment\"") == std::string::npos)
    throw Error(fmt::format("{} no runs; give files that --trace or --jsonl wrote.",
                            sources.size() == 1 ? sources.front() + " has" : "these files have"));
  write_page(page, text);
  result_is_written();
  if (!o.quiet) fmt::print("page: {} ({} run{})\n", page, runs, runs == 1 ? "" : "s");
  return success;
}

}  // namespace

void add_report(Program& program) {
  auto options = std::make_shared<ReportOptions>();
  Command& command = program.add_command("report", "make an HTML page from lines written by --trace or --jsonl");
  command
      .add_option("LINES ... PAGE", options->files, "files of lines, then the page to write, whose name ends in .html")
      .required()
      .at_least(2);
  command.add_quiet(options->quiet, "print nothing");
  command.example("seesaw report fit.jsonl fit.html", "");
  command.on_run([options] { return report(*options); });
}

}  // namespace seesaw::app
