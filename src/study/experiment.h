// An experiment of a paper as its TOML file tells it (bench/papers/*.toml, docs/reproduce.md): what is run on what,
// with which settings, what the paper claims, and the test that decides.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/objective.h"
#include "run/criteria.h"
#include "solvers/options.h"

namespace seesaw {

// How much of it is run: the reduced form of the tests, what fits into minutes, or all.
enum class Mode { test, quick, full };
std::string_view name_of(Mode mode);

// What may be said for the whole experiment, for a panel and for a method; the last of them wins.
struct Settings {
  std::optional<std::string> loss, reg, intercept, scale;
  std::optional<double> loss_parameter, lambda, l1, C;
  std::optional<double> gap, gap_abs, max_passes, time, check_every;
  std::optional<std::size_t> seeds, rows;

  bool changes_problem() const;  // and not only how far it is solved
  Objective objective() const;   // without an intercept where nothing is said
  Criteria criteria() const;     // 1e-12 as absolute gap, 100 passes, a check a pass where nothing is said
};
Settings overlaid(Settings below, const Settings& above);

// What a mode makes smaller: numbers that are limits are taken where they are less, everything else is replaced.
struct Reduction {
  Settings settings;
  std::vector<std::string> panels, methods;  // only these; empty: all
};

struct Panel {
  std::string name, data;  // data: a name of sets.toml
  Settings settings;
};

struct Method {
  std::string label, solver;
  OptionValues options;
  std::map<std::string, std::vector<std::string>> tries;  // option -> values of which the best is kept
  std::vector<std::string> panels;                        // only there; empty: everywhere
  Settings settings;
};

// A number that is taken of the runs of a method in a panel: see study/measures.h.
struct Measure {
  std::string name;  // passes, seconds, entries: needed to reach `to`; suboptimality, gap: `after` passes
  std::string of;    // suboptimality or gap: what `to` is of
  std::optional<double> to, after;
  bool relative = false;  // `to` is to be multiplied by P
};

struct Claim {
  std::string says, untestable;
  Measure measure;
  std::string series;  // of a bound, a share or a minimum
  std::vector<std::string> methods, against, panels;
  std::optional<double> at_most, at_least, within, against_number;
};

struct PrintedRow {
  std::string name, panel;
  std::map<std::string, std::string> values;  // method -> as the paper prints it
};
struct PrintedTable {
  std::string caption;
  Measure measure;
  std::vector<std::string> columns;  // methods
  std::vector<PrintedRow> rows;
};

// A curve that is not a run: a formula or a probe of study/series.h.
struct SeriesSpec {
  std::string name, kind, style;
  OptionValues options;
  std::map<Mode, OptionValues> smaller;  // what the modes replace
  std::vector<std::string> panels;
};

struct Experiment {
  std::string name, paper, figure, title, about, x = "passes", y = "suboptimality";
  std::string called;  // how a command names it: as `name`, or by its file
  std::vector<std::string> differences;
  std::size_t columns = 2;
  bool alone = false, reference = false;
  Settings settings;
  std::map<Mode, Reduction> reductions;
  std::vector<Panel> panels;
  std::vector<Method> methods;
  std::vector<Claim> claims;
  std::vector<PrintedTable> printed;
  std::vector<SeriesSpec> series;

  std::vector<Panel> panels_in(Mode mode) const;
  std::vector<Method> methods_in(Mode mode, const Panel& panel) const;
  Settings settings_of(Mode mode, const Panel& panel, const Method* method = nullptr) const;
};

// `name`: of the experiment, the file's name without .toml; `file`: for messages. Throws ParseError.
Experiment read_experiment(std::string_view text, const std::string& name, const std::string& file);

}  // namespace seesaw
