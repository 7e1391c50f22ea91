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

void add_synth(Command& program, Run& chosen) {
  auto options = std::make_shared<SynthCommand>();
  Command* command = program.add_subcommand("synth", "generate data: the sets of the papers and of the benchmarks");
  std::string list;
  for (const Generator& g : generators()) list += fmt::format("{}{}: {}", list.empty() ? "" : "\n", g.name, g.summary);
  command->add_option("generator", options->generator, list)->required()->option_text("GENERATOR");
  command->add_option("out", options->out, "file to write: LIBSVM text, or a cache where the name ends in .ssw")
      ->required()
      ->option_text("OUT");
  const auto above_zero = [](const std::string& text) -> std::string {
    const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
    return digits && text.find_first_not_of('0') != std::string::npos ? "" : "it must be a whole number above 0";
  };
  command->add_option("--n", options->synth.n, "rows (default: the generator's)")->check(above_zero);
  command->add_option("--d", options->synth.d, "features (default: the generator's)")->check(above_zero);
  command->add_option("--task", options->task, "classification | regression")->capture_default_str();
  command->add_option("--classes", options->synth.classes, "labels 1, 2, ... where there are more than two; not decay")
      ->capture_default_str()
      ->check(above_zero);
  command->add_option("--noise", options->synth.noise,
                      "standard deviation of the noise on a score (default: the generator's)");
  command->add_option("--spread", options->synth.spread, "spread: rows are multiplied by exp(spread N(0,1))")
      ->capture_default_str();
  command->add_option("--correlation", options->synth.correlation, "correlated: covariance 2^(-|j-k|/correlation)")
      ->capture_default_str();
  command->add_option("--row-size", options->synth.row_size, "text: mean number of entries a row")
      ->capture_default_str();
  command->add_option("--seed", options->synth.seed, "same seed, same data")->capture_default_str()->not_negative();
  command->callback([options, &chosen] { chosen = [options] { return synth(*options); }; });
}

}  // namespace seesaw::app
