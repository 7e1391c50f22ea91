// An experiment of a paper, as its TOML file defines it (bench/papers/*.toml, docs/reproduce.md): methods, data, settings,
// the claims of the paper, and the test of each claim.
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

// The part that is run: a reduced form for tests, what takes minutes, or everything.
enum class Mode { test, quick, full };
std::string_view name_of(Mode mode);

// Settings of the experiment, of a panel or of a method; the latter override the former.
struct Settings {
  std::optional<std::string> loss, reg, intercept, scale;
  std::optional<double> loss_parameter, lambda, l1, C;
  std::optional<double> gap, gap_abs, max_passes, time, check_every;
  std::optional<std::size_t> seeds, rows;

  bool changes_problem() const;  // and not only the limits
  Objective objective() const;   // default: no intercept
  Criteria criteria() const;     // defaults: absolute gap 1e-12, 100 passes, one check per pass
};
Settings overlaid(Settings base, const Settings& overrides);

// The reduction of a mode: limits are replaced by smaller ones, everything else is replaced.
struct Reduction {
  Settings settings;
  std::vector<std::string> panels, methods;  // only these; empty: all
};

struct Panel {
  std::string name, data;  // data: a name in sets.toml
  Settings settings;
  bool ours = false;  // on data of our choice, where the paper has others or none
};

struct Method {
  std::string label, solver;
  OptionValues options;
  std::map<std::string, std::vector<std::string>> tries;  // option -> values; the best is shown
  std::vector<std::string> panels;                        // empty: all
  Settings settings;
};

// A number computed from the runs of a method in a panel: see study/measures.h.
struct Measure {
  std::string name;  // passes, seconds, entries: to reach `to`; suboptimality, gap: `after` that many passes
  std::string of;    // suboptimality or gap: the quantity that reaches `to`
  std::optional<double> to, after;
  bool relative = false;  // `to` is multiplied by P
  bool to_end = false;    // of passes, compared with another method: `to` is the higher of their heights at the end
};

struct Claim {
  std::string says, untestable;
  bool ours = false;  // not a claim of the paper
  Measure measure;
  std::string series;  // for bound, share-below and minimum
  std::vector<std::string> methods, against, panels;
  std::optional<double> at_most, at_least, within, against_number;
};

struct PrintedRow {
  std::string name, panel;
  std::map<std::string, std::string> values;  // method -> as printed
};
struct PrintedTable {
  std::string caption;
  Measure measure;
  std::vector<std::string> columns;  // methods
  std::vector<PrintedRow> rows;
};

// A curve that is not a run: see study/series.h.
struct SeriesSpec {
  std::string name, kind, style;
  OptionValues options;
  std::map<Mode, OptionValues> smaller;  // options replaced by a mode
  std::vector<std::string> panels;
};

struct Experiment {
  std::string name, paper, figure, title, about, x = "passes", y = "suboptimality";
  std::string called;  // its argument on the command line: `name`, or its file
  std::vector<std::string> differences;
  std::size_t columns = 2;
  bool alone = false, reference = false;
  Settings settings;
  std::map<Mode, Reduction> reductions;
  std::vector<Panel> panels;
  std::vector<Method> methods;
  std::vector<Claim> claims;
  std::vector<PrintedTable> printed;
  std::vector<PrintedTable> sweeps;  // without printed values: settings that the paper leaves open
  std::vector<SeriesSpec> series;

  std::vector<Panel> panels_in(Mode mode) const;
  std::vector<Method> methods_in(Mode mode, const Panel& panel) const;
  Settings settings_of(Mode mode, const Panel& panel, const Method* method = nullptr) const;
};

// `name`: the file's name without .toml; `file`: its name in messages. Throws ParseError.
Experiment read_experiment(std::string_view text, const std::string& name, const std::string& file);

}  // namespace seesaw
