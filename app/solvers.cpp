// seesaw solvers: the catalog, for people, programs (--json) and the docs (--markdown).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.h"
#include "solvers/catalog.h"

namespace seesaw::app {
namespace {

struct SolversOptions {
  bool json = false, markdown = false;
};

void print_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Recipe& r : catalog()) {
    nlohmann::ordered_json options = nlohmann::ordered_json::array();
    for (const OptionInfo& o : r.options)
      options.push_back({{"name", o.name}, {"allowed", o.allowed}, {"default", o.standard}, {"meaning", o.meaning}});
    list.push_back({{"name", r.name},
                    {"summary", r.summary},
                    {"paper", r.paper},
                    {"needs", describe(r.needs)},
                    {"engine", r.engine},
                    {"cost", r.cost},
                    {"options", options}});
  }
  fmt::print("{}\n", list.dump());
}

// A one-row problem with this loss and penalty, to ask every method whether it could solve it.
std::vector<std::string> methods_for(const LossKind& kind, const Regularizer& penalty) {
  Problem problem{.data = nullptr, .kind = &kind, .loss = {}, .regularizer = penalty};
  if (kind.make_block != nullptr) problem.block_loss = kind.make_block(3);
  else problem.loss = kind.make(kind.parameter.standard);
  std::vector<std::string> names;
  for (const Recipe& r : catalog())
    if (!missing(r, problem)) names.push_back(r.name);
  return names;
}

// "all", "all but spdc-adaptive", or the few there are.
std::string in_words(const std::vector<std::string>& able) {
  std::vector<std::string> others;
  for (const Recipe& r : catalog())
    if (std::find(able.begin(), able.end(), r.name) == able.end()) others.push_back(r.name);
  if (able.empty()) return "certified, no method yet";
  if (others.empty()) return "all";
  if (others.size() < able.size()) return fmt::format("all but {}", fmt::join(others, ", "));
  return fmt::format("{}", fmt::join(able, ", "));
}

void print_markdown() {
  fmt::print("| method | what it is | paper | needs | cost of a step | options |\n|---|---|---|---|---|---|\n");
  for (const Recipe& r : catalog()) {
    std::vector<std::string> options;
    for (const OptionInfo& o : r.options) options.push_back("`--" + o.name + "`");
    fmt::print("| `{}` | {} | {} | {} | {} | {} |\n", r.name, r.summary, r.paper, describe(r.needs), r.cost,
               fmt::join(options, " "));
  }
  const std::vector<Regularizer> penalties = {L2{1}, ElasticNet{1, 1}, L1{1}, None{}};
  fmt::print("\n| loss |");
  for (const Regularizer& g : penalties) fmt::print(" {} |", name_of(g));
  fmt::print("\n|---|---|---|---|---|\n");
  for (const auto* kinds : {&loss_kinds(), &block_loss_kinds()})
    for (const LossKind& kind : *kinds) {
      fmt::print("| `{}` |", kind.name);
      for (const Regularizer& g : penalties) {
        fmt::print(" {} |", in_words(methods_for(kind, g)));
      }
      fmt::print("\n");
    }
}

void print_table() {
  for (const Recipe& r : catalog()) {
    fmt::print("{}{}\n  {}\n  paper  {}\n  needs  {}\n  cost   {} a step\n", r.name,
               r.name == default_solver ? " (default)" : "", r.summary, r.paper, describe(r.needs), r.cost);
    for (const OptionInfo& o : r.options)
      fmt::print("  --{} {}: {} (default {})\n", o.name, o.allowed, o.meaning, o.standard);
  }
}

}  // namespace

void add_solvers(CLI::App& program, Run& chosen) {
  auto options = std::make_shared<SolversOptions>();
  CLI::App* command = program.add_subcommand("solvers", "the methods: what each needs, costs, and where it comes from");
  command->add_flag("--json", options->json, "an array of objects");
  command->add_flag("--markdown", options->markdown, "the tables of the docs");
  command->callback([options, &chosen] {
    chosen = [options] {
      if (options->json) print_json();
      else if (options->markdown) print_markdown();
      else print_table();
      return int{success};
    };
  });
}

}  // namespace seesaw::app
