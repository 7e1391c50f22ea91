// seesaw info DATA: properties of the data, and what they mean for training.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "base/stopwatch.h"
#include "command.h"
#include "data_options.h"
#include "describe_facts.h"
#include "model/losses/loss.h"
#include "ranks.h"
#include "seesaw/error.h"
#include "summary.h"

namespace seesaw::app {
namespace {

struct InfoOptions {
  DataOptions data;
  std::optional<double> lambda;
  std::string loss;
  bool json = false;
};

// The problem that `train` would solve with these options. If it would require --loss: softmax for up to 20 classes,
// else squared. Nothing if the data cannot be trained on.
std::optional<Problem> problem_of(const InfoOptions& o, const Dataset& data, const Facts& f) {
  Objective objective;
  objective.lambda = o.lambda;
  objective.loss = o.loss;
  if (o.loss.empty() && f.labels.size() != 2)
    objective.loss = f.labels.size() <= 20 && may_be_classes(f) ? "softmax" : "squared";
  try {
    return make_problem(data, objective);
  } catch (const Error&) {
    if (!o.loss.empty()) throw;
    return std::nullopt;
  }
}

int info(const InfoOptions& o) {
  const ThreadLimit threads(o.data.threads);
  Stopwatch reading;
  const bool shared = o.data.can_be_shared(false);
  if (!shared && !is_first()) return success;
  std::optional<std::uint64_t> hash;
  const LoadedData loaded = timed(reading, [&] { return shared ? o.data.load_share(hash) : o.data.load(); });
  const Dataset& data = loaded.data;
  const Facts f = measure(data);
  // Every rank has one offset more than rows.
  const std::size_t offset = data.dense() || is_first() ? 0 : sizeof(std::uint64_t);
  const std::size_t bytes = sum_of_ranks(data.leaves(), data.bytes() - offset);
  if (o.json) {
    Json json = facts_as_json(f, data);
    json["bytes"] = bytes;
    json["read_seconds"] = reading.seconds();
    fmt::print("{}\n", json.dump(-1, ' ', false, Json::error_handler_t::replace));
    return success;
  }
  fmt::print("{}\n{}", describe_data(data, reading.seconds()), table_lines(loaded.notes));
  fmt::print("  memory        {:.1f} MB\n  density       {:.3g} %, longest row {} entries\n",
             static_cast<double>(bytes) / 1e6, 100 * f.density, f.longest_row);
  fmt::print("  labels        {}\n  row norms     {}\n  column norms  {}\n\n", describe_labels(f),
             in_words(f.row_norms), in_words(f.column_norms));
  const std::optional<Problem> problem = problem_of(o, data, f);
  for (const std::string& sentence : advice(f, {.lambda = o.lambda, .problem = problem ? &*problem : nullptr}))
    fmt::print("- {}\n", sentence);
  return success;
}

}  // namespace

void add_info(Program& program) {
  auto options = std::make_shared<InfoOptions>();
  Command& command = program.add_command("info", "describe data and what it means for training");
  options->data.declare(command);
  options->data.declare_weights(command);
  options->data.declare_table(command);
  command.add_option("--lambda", options->lambda, "coefficient of |x|^2 / 2 that the advice is for")
      .standard("1/n")
      .group("Objective")
      .common();
  std::vector<std::string> losses;
  for (const auto* kinds : {&loss_kinds(), &block_loss_kinds()})
    for (const LossKind& kind : *kinds) losses.emplace_back(kind.name);
  command.add_option("--loss", options->loss, "loss for which the method of auto is shown")
      .one_of(losses)
      .standard("logistic for two labels, softmax for up to 20, else squared")
      .group("Objective")
      .common();
  command.add_flag("--json", options->json, "one line of JSON").group("Output").common();
  command.example("seesaw info train.svm", "");
  command.runs_over_ranks();
  command.on_run([options] { return info(*options); });
}

}  // namespace seesaw::app
