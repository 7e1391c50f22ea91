// seesaw reproduce [NAME|FILE ...]: the experiments of the papers, and whether their claims hold.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "base/atomic_file.h"
#include "base/interrupt.h"
#include "base/threads.h"
#include "command.h"
#include "data_options.h"
#include "progress.h"
#include "report/page.h"
#include "seesaw/error.h"
#include "standard_streams.h"
#include "study/papers.h"
#include "study/reproduce.h"
#include "study/verdicts_markdown.h"
#include "study_progress.h"
#include "summary.h"
#include "verdict_table.h"

namespace seesaw::app {
namespace {

constexpr std::size_t checks_of_a_line = 150;  // on the page; the file has all of them

struct ReproduceOptions {
  std::vector<std::string> names;
  std::string data, report_path = "reproduction.html", jsonl_path, markdown_path;
  bool list = false, quick = false, full = false, test = false, quiet = false;
  unsigned jobs = 0;

  Mode mode() const {
    if (quick + full + test > 1) throw Error("--quick, --full and --test exclude each other; give one of them.");
    return full ? Mode::full : test ? Mode::test : Mode::quick;
  }
};

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::localtime(std::time(nullptr))); }

// The progress line: a bar, the current run, and the estimated time left.
class ReproduceProgress final : public StudyObserver {
 public:
  explicit ReproduceProgress(std::size_t runs) : total_(runs) {}

  void stage(const ExperimentPlan& stage, std::size_t expected, std::size_t kept) {
    name_ = stage.experiment.name;
    done_before_ += expected_;
    expected_ = expected;
    done_ = kept;
    kept_ += kept;
    show("");
  }
  void check(const PlannedRun& run, const TraceRow& row) override {
    const auto now = std::chrono::steady_clock::now();
    if (now - shown_ < std::chrono::milliseconds(100)) return;
    shown_ = now;
    show(fmt::format(": {}, {}, pass {:.4g}", run.panel, run.label, row.passes));
  }
  void end(const PlannedRun&, const RunRecord&) override { ++done_; }
  void refused(const PlannedRun&, const Refused&) override { ++done_; }

 private:
  void show(const std::string& what) const {
    const std::size_t done = std::min(done_before_ + done_, total_);
    const double fraction = total_ == 0 ? 0 : static_cast<double>(done) / static_cast<double>(total_);
    const auto filled = static_cast<std::size_t>(std::lround(20 * fraction));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
    const double worked = static_cast<double>(done) - static_cast<double>(kept_);
    std::string left;
    if (worked >= 5 && fraction > 0.02)
      left = fmt::format(", about {} left", duration(seconds * static_cast<double>(total_ - done) / worked));
    write_over(
        fmt::format("[{:#<{}}{:.<{}}] {} of {}{} {}{}", "", filled, "", 20 - filled, done, total_, left, name_, what));
  }
  std::size_t total_, done_before_ = 0, expected_ = 0, done_ = 0, kept_ = 0;
  std::string name_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now(), shown_{};
};

int list(const Papers& papers) {
  std::size_t width = 0;
  for (const Experiment& e : papers.experiments) width = std::max(width, e.name.size() + 2);
  for (const Experiment& e : papers.experiments)
    fmt::print("{:<{}}{}, {}: {}\n", e.name, width, e.paper, e.figure, e.title);
  return success;
}

void write_file(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

// Of an existing file; empty if there is none.
std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int reproduce(const ReproduceOptions& o) {
  const Papers papers = papers_named(o.names);
  if (o.list) return list(papers);
  const Mode mode = o.mode();
  const std::string folder = data_folder(o.data);
  for (const Experiment& e : papers.experiments)
    for (const Panel& panel : e.panels) papers.sets.named(panel.data);
  const std::string jsonl_path =
      o.jsonl_path.empty() ? std::filesystem::path(o.report_path).replace_extension(".jsonl").string() : o.jsonl_path;
  refuse_sharing({o.report_path, jsonl_path, o.markdown_path});
  for (const std::string& path : {o.report_path, jsonl_path, o.markdown_path}) refuse_overwriting(path, o.names);
  for (const std::string& path : {o.report_path, o.markdown_path})
    if (!path.empty()) refuse_unwritable(path);  // refused now, not after the work
  Journal journal(jsonl_path);

  std::size_t runs = 0;
  for (const Experiment& e : papers.experiments) runs += expected_runs(e, mode);
  if (!o.quiet)
    fmt::print(
        "{}, {}, {}; data: {}\n", counted(papers.experiments.size(), "experiment"), counted(runs, "run"), name_of(mode),
        folder.empty() ? "none here, all sets are generated (seesaw data lists where each is published)" : folder);
  std::fflush(stdout);

  catch_interrupts();
  outlive_broken_pipes();
  result_is_written();
  const bool live = !o.quiet && Progress::wanted();
  ReproduceProgress progress(runs);
  const unsigned jobs = o.jobs > 0 ? o.jobs : static_cast<unsigned>(available_threads());
  std::vector<Reproduced> done;
  std::vector<std::string> lines = {machine_line(mode, today())}, shown;
  for (const Experiment& e : papers.experiments) {
    const ExperimentPlan stage = plan_experiment(e, mode, papers.sets, folder);
    std::size_t kept = 0;
    for (const PlannedRun& run : stage.study.runs) kept += journal.find(key_of(run)) != nullptr ? 1 : 0;
    if (live) progress.stage(stage, expected_runs(e, mode), kept);
    const StudyResult result =
        carry_out(stage.study, journal, e.alone ? 1 : jobs, live ? &progress : nullptr, interrupted);
    if (result.stopped || interrupted()) {
      if (live) write_over("");
      fmt::print(stderr, "seesaw: stopped in {}; finished runs are in {}, and the same command continues from there.\n",
                 e.name, jsonl_path);
      return interrupted_by_user;
    }
    done.push_back(conclude(stage, result));
    lines.insert(lines.end(), done.back().lines.begin(), done.back().lines.end());
    shown.insert(shown.end(), done.back().keys.begin(), done.back().keys.end());
  }
  if (live) write_over("");

  journal.rewrite(lines_of_file(lines, shown, journal));
  write_page(o.report_path, fmt::format("{}", fmt::join(thinned(lines, checks_of_a_line), "\n")));
  if (!o.markdown_path.empty())
    write_file(o.markdown_path, verdicts_markdown(done, mode, today(), notes_in(text_of(o.markdown_path))));
  if (!o.quiet) {
    fmt::print("{}", verdict_table(done, terminal_columns(STDOUT_FILENO, 100), isatty(STDOUT_FILENO) != 0));
    fmt::print("\npage: {}\nlines: {}\n", o.report_path, jsonl_path);
  }
  return success;
}

}  // namespace

void add_reproduce(Program& program) {
  auto o = std::make_shared<ReproduceOptions>();
  Command& command = program.add_command("reproduce", "run the experiments of the papers and test their claims");
  Option experiments =
      command.add_option("NAME|FILE", o->names, "experiments by name (--list), or TOML files of your own")
          .standard("all");
  experiments.completes([] {
    std::vector<std::string> names;
    for (const Experiment& e : built_in().experiments) names.push_back(e.name);
    return names;
  });
  const char* input = "Experiments";
  command.add_flag("--list", o->list, "list names, papers and figures; nothing is run").group(input).common();
  command.add_option("--data", o->data, "folder with the data sets")
      .placeholder("DIR")
      .standard("$SEESAW_DATA, then ./data")
      .group(input)
      .common();
  const char* extent = "Extent";
  command.add_flag("--quick", o->quick, "fewer seeds, passes and panels: minutes (default)").group(extent).common();
  command.add_flag("--full", o->full, "everything").group(extent).common();
  command.add_flag("--test", o->test, "the smallest extent, as in the tests").group(extent);
  command.add_option("--jobs", o->jobs, "runs at a time, except where seconds are compared")
      .between(1, 256)
      .standard("all cores")
      .group(extent)
      .common();
  command.add_option("--report", o->report_path, "HTML page with verdicts and figures")
      .placeholder("FILE")
      .standard(o->report_path)
      .group("Output")
      .common();
  command.add_option("--jsonl", o->jsonl_path, "every check as a JSON line; runs finished in it are not run again")
      .placeholder("FILE")
      .standard("beside --report")
      .group("Output")
      .common();
  command.add_option("--markdown", o->markdown_path, "the table of verdicts as Markdown; its notes are kept")
      .placeholder("FILE")
      .group("Output");
  command.add_quiet(o->quiet, "no progress line and no table");
  command.example("seesaw reproduce --list", "");
  command.note(
      "Exit codes: 0 everything was run, whatever the verdicts; 2 bad input; 130 interrupted (finished runs are "
      "kept).");
  command.on_run([o] { return reproduce(*o); });
}

}  // namespace seesaw::app
