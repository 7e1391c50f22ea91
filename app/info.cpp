// seesaw info DATA: what the data looks like, and what that means for training.
#include <fmt/format.h>

#include <memory>

#include "base/stopwatch.h"
#include "command.h"
#include "data_options.h"
#include "describe_facts.h"
#include "summary.h"

namespace seesaw::app {
namespace {

struct InfoOptions {
  DataOptions data;
  std::optional<double> lambda;
  bool json = false;
};

int info(const InfoOptions& o) {
  const ThreadLimit threads(o.data.threads);
  Stopwatch reading;
  const Dataset data = timed(reading, [&] { return o.data.read(); });
  const Facts f = measure(data);
  if (o.json) {
    Json json = facts_as_json(f, data);
    json["read_seconds"] = reading.seconds();
    fmt::print("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
    return success;
  }
  fmt::print("{}\n", describe_data(data, reading.seconds()));
  fmt::print("  memory        {:.1f} MB\n  density       {:.3g} %, longest row {} entries\n",
             static_cast<double>(data.bytes()) / 1e6, 100 * f.density, f.longest_row);
  fmt::print("  labels        {}\n  row norms     {}\n  column norms  {}\n\n", describe_labels(f),
             in_words(f.row_norms), in_words(f.column_norms));
  for (const std::string& sentence : advice(f, {.lambda = o.lambda})) fmt::print("- {}\n", sentence);
  return success;
}

}  // namespace

void add_info(CLI::App& program, Run& chosen) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = program.add_subcommand("info", "what the data looks like, and what that means for training");
  options->data.declare(*command);
  options->data.declare_weights(*command);
  command->add_option("--lambda", options->lambda, "say what this lambda means for training; default: 1/n");
  command->add_flag("--json", options->json, "one line of JSON")->group("Output");
  command->callback([options, &chosen] { chosen = [options] { return info(*options); }; });
}

}  // namespace seesaw::app
