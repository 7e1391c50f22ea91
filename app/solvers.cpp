// seesaw solvers: the catalog, for people, programs (--json) and the docs (--markdown).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.h"
#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "solvers/supported.h"

namespace seesaw::app {
namespace {

std::vector<const Recipe*> first_of_families() {  // in the order of the catalog
  std::vector<const Recipe*> firsts;
  for (const Recipe& r : catalog())
    if (std::none_of(firsts.begin(), firsts.end(), [&](const Recipe* first) { return first->engine == r.engine; }))
      firsts.push_back(&r);
  return firsts;
}

struct SolversOptions {
  std::vector<std::string> names;
  bool json = false, markdown = false, families = false;
};

void print_json(const std::vector<Recipe>& recipes) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Recipe& r : recipes) {
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
  struct Coefficients {
    double lambda, l1;
  };
  const std::vector<Coefficients> penalties = {{1, 0}, {1, 1}, {0, 1}, {0, 0}};
  fmt::print("\n| loss |");
  for (const auto& [lambda, l1] : penalties) fmt::print(" {} |", Penalty(lambda, l1).name());
  fmt::print("\n|---|---|---|---|---|\n");
  for (const auto* kinds : {&loss_kinds(), &block_loss_kinds()})
    for (const LossKind& kind : *kinds) {
      fmt::print("| `{}` |", kind.name);
      for (const auto& [lambda, l1] : penalties) fmt::print(" {} |", in_words(methods_for(kind, lambda, l1)));
      fmt::print("\n");
    }
}

// For the README: a row a family.
void print_families() {
  fmt::print("| family | methods |\n|---|---|\n");
  for (const Recipe* first : first_of_families()) {
    std::vector<std::string> names;
    for (const Recipe& r : catalog())
      if (r.engine == first->engine)
        names.push_back(fmt::format("`{}`{}", r.name, r.name == default_solver ? " (default)" : ""));
    fmt::print("| [{}](docs/solvers/{}.md) | {} |\n", family_of(*first), first->engine, fmt::join(names, ", "));
  }
}

// All methods, family by family: three lines each.
void print_list() {
  for (const Recipe* first : first_of_families()) {
    fmt::print("{}\n", family_of(*first));
    for (const Recipe& r : catalog())
      if (r.engine == first->engine)
        fmt::print("  {:<14} {}{}\n  {:<14} {}\n  {:<14} needs {}; {} a step\n", r.name, r.summary,
                   r.name == default_solver ? " (default)" : "", "", r.paper, "", describe(r.needs), r.cost);
  }
  fmt::print("\n`seesaw solvers NAME ...` explains the options of a method.\n");
}

void print_one(const Recipe& r) {
  fmt::print("{}{}\n  {}\n  paper   {}\n  needs   {}\n  cost    {} a step\n  family  {}\n", r.name,
             r.name == default_solver ? " (default)" : "", r.summary, r.paper, describe(r.needs), r.cost, family_of(r));
  fmt::print("  kinks   {}\n", r.needs.smooth_loss ? "refused"
                               : r.exact_nonsmooth ? "losses with kinks are taken as they are"
                                                   : "losses with kinks are smoothed, more and more");
  if (!r.instead.empty()) fmt::print("  where it fails, use {}\n", r.instead);
  for (const OptionInfo& o : r.options)
    fmt::print("  --{} {}: {} (default {})\n", o.name, o.allowed, o.meaning, o.standard);
}

}  // namespace

void add_solvers(Command& program, Run& chosen) {
  auto options = std::make_shared<SolversOptions>();
  Command* command = program.add_subcommand("solvers", "the methods: what each needs, costs, and where it comes from");
  command->add_option("name", options->names, "methods to explain, with their options; default: a list of all")
      ->option_text("[NAME ...]");
  command->add_flag("--json", options->json, "an array of objects");
  command->add_flag("--markdown", options->markdown, "the tables of the docs");
  command->add_flag("--families", options->families, "the table of the README");
  command->callback([options, &chosen] {
    chosen = [options] {
      std::vector<Recipe> named;
      for (const std::string& name : options->names) named.push_back(recipe_named(name));
      if (!named.empty() && (options->markdown || options->families))
        throw Error("the tables of the docs are of all methods; leave the names out.");
      if (options->json) print_json(named.empty() ? catalog() : named);
      else if (options->markdown) print_markdown();
      else if (options->families) print_families();
      else if (named.empty()) print_list();
      else
        for (const Recipe& recipe : named) print_one(recipe);
      return int{success};
    };
  });
}

}  // namespace seesaw::app
