// seesaw synth GENERATOR OUT: the data of the papers and of our benchmarks.
#include "data/synthetic.h"

#include <fmt/format.h>

#include <memory>

#include "command.h"
#include "data_options.h"
#include "seesaw/error.h"
#include "standard_streams.h"
#include "summary.h"

namespace seesaw::app {
namespace {

struct SynthCommand {
  std::string generator, out, task = "classification";
  SynthOptions synth;
};

int synth(const SynthCommand& o) {
  SynthOptions options = o.synth;
  if (o.task == "regression") options.task = Task::regression;
  else if (o.task != "classification") throw InvalidOption("task", o.task, "choose regression or classification");
  Dataset data = synthesize(o.generator, options);
  write_data(data, o.out);
  result_is_written();
  fmt::print(words_beside(o.out), "{}: {} rows x {} features, {} entries\n", o.out, data.n(), data.d(), data.nnz);
  return success;
}

}  // namespace

void add_synth(Program& program) {
  auto options = std::make_shared<SynthCommand>();
  Command& command = program.add_command("synth", "generate data: the sets of the papers and of the benchmarks");
  std::string list;
  std::vector<std::string> names;
  for (const Generator& g : generators()) {
    list += fmt::format("{}{}: {}", list.empty() ? "" : "\n", g.name, g.summary);
    names.push_back(g.name);
  }
  Option generator = command.add_option("GENERATOR", options->generator, list).required();
  generator.completes(names);
  command.add_option("OUT", options->out, "file to write: a cache if the name ends in .ssw, else LIBSVM text")
      .required();
  const auto above_zero = [](const std::string& text) -> std::string {
    const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
    return digits && text.find_first_not_of('0') != std::string::npos ? "" : "it must be a whole number above 0";
  };
  const char* group = "Data";
  const std::string own = "by the generator";
  SynthOptions& o = options->synth;
  command.add_option("--n", o.n, "rows").check(above_zero).standard(own).group(group).common();
  command.add_option("--d", o.d, "features").check(above_zero).standard(own).group(group).common();
  command.add_option("--task", options->task, "task")
      .one_of({"classification", "regression"})
      .standard(options->task)
      .group(group)
      .common();
  command.add_option("--classes", o.classes, "number of classes; more than two: labels 1, 2, ... (not decay)")
      .check(above_zero)
      .standard("2")
      .group(group)
      .common();
  command.add_option("--noise", o.noise, "standard deviation of the noise of the scores")
      .standard(own)
      .group(group)
      .common();
  command.add_option("--spread", o.spread, "spread: rows are multiplied by exp(spread N(0,1))")
      .standard("1")
      .group(group)
      .common();
  command.add_option("--correlation", o.correlation, "correlated: covariance 2^(-|j-k|/correlation)")
      .standard("2")
      .group(group)
      .common();
  command.add_option("--row-size", o.row_size, "text: mean number of entries per row")
      .standard("75")
      .group(group)
      .common();
  command.add_option("--seed", o.seed, "same seed, same data").standard("1").not_negative().group(group).common();
  command.example("seesaw synth text train.svm --n 10000 --d 5000", "sparse data as of texts, two classes");
  command.on_run([options] { return synth(*options); });
}

}  // namespace seesaw::app
