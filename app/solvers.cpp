// seesaw solvers: the catalog, for people, programs (--json) and the docs (--markdown).
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.h"
#include "grid.h"
#include "help.h"
#include "progress.h"
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

// "all", "all but spdc-adaptive", or a list.
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
  fmt::print("| method | what it is | paper | needs | cost per step | options |\n|---|---|---|---|---|---|\n");
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

// For the README: one row per family.
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

// The text, or its beginning where it is too long: up to a colon or semicolon in its second half, else between words.
std::string cut(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  if (const std::size_t end = text.find_last_of(":;", most); end != std::string::npos && end > most / 2)
    return text.substr(0, end);
  return text.substr(0, text.rfind(' ', most > 4 ? most - 4 : 0)) + " ...";
}

// One line per method; whole where standard output is neither a terminal nor given a width.
void print_list() {
  constexpr std::size_t at = 16;
  const std::size_t columns = std::max<std::size_t>(terminal_columns(STDOUT_FILENO, 1000), at + 20);
  for (const Recipe& r : catalog()) {
    const std::string end = r.name == default_solver ? " (default)" : "";
    fmt::print("  {:<{}}{}{}\n", r.name, at - 2, cut(r.summary, columns - at - end.size()), end);
  }
  fmt::print("\n{}", wrapped("seesaw solvers NAME shows paper, requirements, cost and options of a method.",
                             help_columns(), 0));
}

void print_one(const Recipe& r) {
  const std::size_t columns = help_columns();
  const auto line = [&](const char* what, const std::string& text) {
    fmt::print("{}", two_columns(what, text, 20, columns));
  };
  fmt::print("{}{}\n  {}\n", r.name, r.name == default_solver ? " (default)" : "", wrapped(r.summary, columns, 2, 2));
  line("paper", r.paper);
  line("family", family_of(r));
  line("requires", describe(r.needs));
  line("cost per step", r.cost);
  line("nonsmooth loss", r.needs.smooth_loss ? "not supported"
                         : r.exact_nonsmooth ? "solved as given"
                                             : "smoothed; the smoothing decreases while it runs");
  if (!r.instead.empty()) line("if it fails", "use " + r.instead);
  if (!r.options.empty()) fmt::print("\n  Options: seesaw train --solver {} ...\n", r.name);
  for (const OptionInfo& o : r.options)
    fmt::print("{}",
               two_columns("--" + o.name, fmt::format("{}: {} (default {})", spaced(o.allowed), o.meaning, o.standard),
                           20, columns));
}

}  // namespace

void add_solvers(Program& program) {
  auto options = std::make_shared<SolversOptions>();
  Command& command = program.add_command("solvers", "list the methods; with NAME: paper, requirements, cost, options");
  std::vector<std::string> names;
  for (const Recipe& recipe : catalog()) names.push_back(recipe.name);
  Option methods =
      command.add_option("NAME", options->names, "methods to describe, with their options").standard("a list");
  methods.completes(names);
  command.add_flag("--json", options->json, "an array of objects").group("Output").common();
  command.add_flag("--markdown", options->markdown, "the tables of the docs").group("Output");
  command.add_flag("--families", options->families, "the table of the README").group("Output");
  command.example("seesaw solvers sdca", "");
  command.on_run([options] {
    std::vector<Recipe> named;
    for (const std::string& name : options->names) named.push_back(recipe_named(name));
    if (!named.empty() && (options->markdown || options->families))
      throw Error("the tables of the docs list all methods; leave the names out.");
    if (options->json) print_json(named.empty() ? catalog() : named);
    else if (options->markdown) print_markdown();
    else if (options->families) print_families();
    else if (named.empty()) print_list();
    else
      for (const Recipe& recipe : named) {
        if (&recipe != &named.front()) fmt::print("\n");
        print_one(recipe);
      }
    return int{success};
  });
}

}  // namespace seesaw::app
