#include <fmt/format.h>

#include <algorithm>

#include "seesaw/error.h"
#include "solvers/catalog.h"
#include "study/experiment.h"
#include "study/measures.h"
#include "study/names.h"
#include "study/series.h"
#include "study/toml_table.h"

namespace seesaw {
namespace {

Settings read_settings(TomlTable& table) {
  Settings settings;
  settings.loss = table.text("loss");
  settings.loss_parameter = table.number("loss_parameter");
  settings.reg = table.text("reg");
  settings.lambda = table.number("lambda");
  settings.l1 = table.number("l1");
  settings.C = table.number("C");
  settings.intercept = table.text("intercept");
  settings.scale = table.text("scale");
  settings.seeds = table.count("seeds");
  settings.max_passes = table.number("max_passes");
  settings.time = table.number("time");
  settings.gap = table.number("gap");
  settings.gap_abs = table.number("gap_abs");
  settings.check_every = table.number("check_every");
  settings.rows = table.count("rows");
  const auto tried = [&](const char* key, const auto& what) {
    try {
      what();
    } catch (const InvalidOption& error) {
      table.fail(key, error.what());
    }
  };
  if (settings.loss) tried("loss", [&] { loss_kind(*settings.loss); });
  if (settings.intercept) tried("intercept", [&] { intercept_of(*settings.intercept); });
  if (settings.scale) tried("scale", [&] { scaling_of(*settings.scale); });
  if (settings.reg) table.require_one_of("reg", *settings.reg, {"l2", "l1", "elastic-net", "none"});
  tried("max_passes", [&] { validate(settings.criteria()); });
  return settings;
}

OptionValues read_options_of(TomlTable table) {
  OptionValues options;
  for (const std::string& key : table.keys()) options[key] = *table.word(key);
  return options;
}

// The names that the rest of a file may refer to.
struct Names {
  std::vector<std::string> panels, methods, series;

  std::vector<std::string> read(TomlTable& table, const char* key, const std::vector<std::string>& allowed) const {
    std::vector<std::string> given = table.texts(key);
    for (const std::string& name : given) table.require_one_of(key, name, allowed);
    return given;
  }
};

Reduction read_reduction(TomlTable table, const Names& names) {
  Reduction reduction;
  reduction.settings = read_settings(table);
  reduction.panels = names.read(table, "panels", names.panels);
  reduction.methods = names.read(table, "methods", names.methods);
  table.finish();
  return reduction;
}

Panel read_panel(TomlTable table) {
  Panel panel;
  panel.name = table.required_text("name");
  panel.data = table.required_text("data");
  panel.settings = read_settings(table);
  panel.ours = table.flag("ours").value_or(false);
  table.finish();
  return panel;
}

void require_options_of(const Recipe& recipe, const TomlTable& table, const char* key, const std::string& name) {
  std::vector<std::string> known;
  for (const OptionInfo& option : recipe.options) known.push_back(option.name);
  if (!contains(known, name))
    table.fail(key, fmt::format("{} has no option '{}'; it has {}.", recipe.name, name, fmt::join(known, ", ")));
}

Method read_method(TomlTable table, const Names& names) {
  Method method;
  method.label = table.required_text("label");
  method.solver = table.required_text("solver");
  std::vector<std::string> solvers;
  for (const Recipe& recipe : catalog()) solvers.push_back(recipe.name);
  table.require_one_of("solver", method.solver, solvers);
  const Recipe& recipe = recipe_named(method.solver);
  if (auto options = table.table("options")) method.options = read_options_of(*options);
  for (const auto& option : method.options) require_options_of(recipe, table, "options", option.first);
  if (auto tries = table.table("try"))
    for (const std::string& key : tries->keys()) {
      require_options_of(recipe, table, "try", key);
      method.tries[key] = tries->words(key);
      if (method.tries[key].empty()) table.fail("try", fmt::format("'{}' has no values to try.", key));
    }
  method.panels = names.read(table, "panels", names.panels);
  method.settings = read_settings(table);
  if (method.settings.changes_problem())
    table.fail("label", fmt::format("{} must have the objective, scaling and number of rows of its panel: results "
                                    "are compared with the optimum of the panel.",
                                    method.label));
  table.finish();
  return method;
}

// `claims`: of a claim, not of a table.
Measure read_measure(TomlTable& table, const std::vector<std::string>& allowed, const std::string& y,
                     bool claims = false) {
  Measure measure;
  measure.name = table.required_text("measure");
  table.require_one_of("measure", measure.name, allowed);
  measure.of = table.text("of").value_or(y == "gap" ? "gap" : "suboptimality");
  table.require_one_of("of", measure.of, {"suboptimality", "gap"});
  measure.to_end = measure.name == "passes" && claims && table.word("to") == "end";
  if (!measure.to_end) measure.to = table.number("to");
  measure.after = table.number("after");
  measure.relative = table.flag("relative").value_or(false);
  const auto need = [&](bool there, const char* what) {
    if (!there) table.fail("measure", fmt::format("the measure '{}' needs '{}'.", measure.name, what));
  };
  if (measure.to && !(*measure.to > 0)) table.fail("to", "'to' must be above 0.");
  if (measure.after && !(*measure.after >= 0)) table.fail("after", "'after' must be 0 or more.");
  if (measures_work(measure)) need(measure.to.has_value() || measure.to_end, "to");
  if (measures_height(measure)) need(measure.after.has_value(), "after");
  return measure;
}

// Throws ParseError if a field that the measure needs is missing.
void require_complete(const TomlTable& table, const Claim& claim) {
  const auto need = [&](bool there, const char* what) {
    if (!there) table.fail("measure", fmt::format("the measure '{}' needs {}.", claim.measure.name, what));
  };
  const std::string& measure = claim.measure.name;
  const bool compares = contains(comparing_measures(), measure);
  if (compares) need(claim.at_most || claim.at_least, "'at_most' or 'at_least'");
  if (compares || measure == "linear" || measure == "bound") need(!claim.methods.empty(), "'method'");
  if (measure == "bound") need(!claim.series.empty(), "'bound', the name of a series");
  if (measure == "share-below" || measure == "minimum") {
    need(!claim.series.empty(), "'series'");
    need(claim.at_least || (measure == "minimum" && claim.at_most), "'at_least'");
  }
  if (measure == "share-below") need(!claim.against.empty() || claim.against_number, "'against', a series or a number");
  if (measure == "printed") need(claim.within.has_value(), "'within'");
  if (claim.measure.to_end) need(!claim.against.empty(), "'against' if 'to' is \"end\"");
}

Claim read_claim(TomlTable table, const Names& names, const std::string& y) {
  Claim claim;
  claim.says = table.required_text("says");
  claim.ours = table.flag("ours").value_or(false);
  if (const auto why = table.text("untestable")) {
    claim.untestable = *why;
    table.finish();
    return claim;
  }
  claim.measure = read_measure(table, claim_measures(), y, true);
  const std::string& measure = claim.measure.name;
  claim.at_most = table.number("at_most");
  claim.at_least = table.number("at_least");
  claim.within = table.number("within");
  claim.panels = names.read(table, "panels", names.panels);
  claim.methods = names.read(table, "method", names.methods);
  for (std::string& more : names.read(table, "methods", names.methods)) claim.methods.push_back(std::move(more));
  claim.series = table.text("series").value_or("");
  if (measure == "bound") claim.series = table.text("bound").value_or("");
  if (!claim.series.empty()) table.require_one_of(measure == "bound" ? "bound" : "series", claim.series, names.series);
  if (measure == "share-below") {
    const auto word = table.word("against");
    if (word && word->find_first_not_of("0123456789.eE+-") == std::string::npos) {
      claim.against_number = table.number("against");
    } else if (word) {
      table.require_one_of("against", *word, names.series);
      claim.against = {*word};
    }
  } else {
    claim.against = names.read(table, "against", names.methods);
  }
  table.finish();
  require_complete(table, claim);
  return claim;
}

PrintedTable read_printed(TomlTable table, const Names& names, const std::string& y) {
  PrintedTable printed;
  printed.caption = table.required_text("caption");
  printed.measure = read_measure(table, comparing_measures(), y);
  for (TomlTable& line : table.tables("rows")) {
    PrintedRow row;
    row.panel = line.required_text("panel");
    line.require_one_of("panel", row.panel, names.panels);
    row.name = line.text("name").value_or(row.panel);
    auto values = line.table("values");
    if (!values) line.fail("values", "'values' is missing: { \"method\" = \"as printed\" }.");
    for (const std::string& method : values->keys()) {
      if (!contains(names.methods, method))
        line.fail("values",
                  fmt::format("there is no method '{}'; choose one of {}.", method, fmt::join(names.methods, ", ")));
      row.values[method] = *values->word(method);
    }
    line.finish();
    printed.rows.push_back(std::move(row));
  }
  for (const std::string& method : names.methods)  // in the order of the methods
    for (const PrintedRow& row : printed.rows)
      if (row.values.count(method) > 0 && !contains(printed.columns, method)) printed.columns.push_back(method);
  table.finish();
  return printed;
}

PrintedTable read_sweep(TomlTable table, const Names& names, const std::string& y) {
  PrintedTable sweep;
  sweep.caption = table.required_text("caption");
  sweep.measure = read_measure(table, comparing_measures(), y);
  sweep.columns = names.read(table, "methods", names.methods);
  if (sweep.columns.empty()) table.fail("methods", "'methods' is missing: the columns of the table.");
  const std::vector<std::string> panels = names.read(table, "panels", names.panels);
  for (const std::string& panel : names.panels)
    if (chosen_by(panels, panel)) sweep.rows.push_back({panel, panel, {}});
  table.finish();
  return sweep;
}

SeriesSpec read_series(TomlTable table, const Names& names) {
  SeriesSpec series;
  series.name = table.required_text("name");
  series.kind = table.required_text("kind");
  std::vector<std::string> kinds;
  for (const SeriesKind& kind : series_kinds()) kinds.push_back(kind.name);
  table.require_one_of("kind", series.kind, kinds);
  series.style = table.text("style").value_or("line");
  table.require_one_of("style", series.style, {"line", "dashed", "points"});
  if (auto options = table.table("options")) series.options = read_options_of(*options);
  for (const Mode mode : {Mode::test, Mode::quick})
    if (auto options = table.table(std::string(name_of(mode)))) series.smaller[mode] = read_options_of(*options);
  series.panels = names.read(table, "panels", names.panels);
  table.finish();
  return series;
}

void require_once(const TomlTable& table, const char* key, const std::vector<std::string>& names) {
  for (std::size_t k = 0; k < names.size(); ++k)
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(k), names[k]) !=
        names.begin() + static_cast<std::ptrdiff_t>(k))
      table.fail(key, fmt::format("the {} '{}' is defined twice.", key, names[k]));
}

}  // namespace

Experiment read_experiment(std::string_view text, const std::string& name, const std::string& file) {
  TomlTable table = TomlTable::parse(text, file);
  Experiment e;
  e.name = e.called = name;
  e.paper = table.required_text("paper");
  e.figure = table.required_text("figure");
  e.title = table.required_text("title");
  e.about = table.required_text("about");
  e.differences = table.texts("differences");
  e.x = table.text("x").value_or(e.x);
  table.require_one_of("x", e.x, {"passes", "seconds", "entries", "iterations"});
  e.y = table.text("y").value_or(e.y);
  table.require_one_of("y", e.y, {"suboptimality", "gap", "value"});
  e.columns = table.count("columns").value_or(e.columns);
  e.alone = table.flag("alone").value_or(false);
  if (auto settings = table.table("settings")) {
    e.settings = read_settings(*settings);
    settings->finish();
  }
  const bool ours = table.flag("ours").value_or(false);  // of every panel
  Names names;
  for (TomlTable& panel : table.tables("panel")) {
    e.panels.push_back(read_panel(panel));
    e.panels.back().ours = e.panels.back().ours || ours;
    names.panels.push_back(e.panels.back().name);
  }
  if (e.panels.empty()) table.fail("panel", "there is no [[panel]]; add at least one.");
  for (TomlTable& method : table.tables("method")) {
    e.methods.push_back(read_method(method, names));
    names.methods.push_back(e.methods.back().label);
  }
  for (TomlTable& series : table.tables("series")) {
    e.series.push_back(read_series(series, names));
    names.series.push_back(e.series.back().name);
  }
  if (e.methods.empty() && e.series.empty())
    table.fail("method", "there is neither a [[method]] nor a [[series]]; add at least one.");
  require_once(table, "panel", names.panels);
  require_once(table, "method", names.methods);
  require_once(table, "series", names.series);
  for (const Mode mode : {Mode::test, Mode::quick})
    if (auto reduction = table.table(std::string(name_of(mode))))
      e.reductions[mode] = read_reduction(*reduction, names);
  if (e.reductions.count(Mode::test) == 0) {
    Reduction& test = e.reductions[Mode::test];
    test.settings.seeds = 1;
    test.settings.max_passes = 20;
    test.settings.rows = 500;
  }
  bool optimum_needed = e.y == "suboptimality" && !e.methods.empty();
  for (TomlTable& claim : table.tables("claim")) {
    e.claims.push_back(read_claim(claim, names, e.y));
    const Claim& c = e.claims.back();
    optimum_needed = optimum_needed || (!c.methods.empty() && needs_optimum(c.measure));
  }
  for (TomlTable& printed : table.tables("printed")) {
    e.printed.push_back(read_printed(printed, names, e.y));
    optimum_needed = optimum_needed || needs_optimum(e.printed.back().measure);
  }
  for (TomlTable& sweep : table.tables("sweep")) {
    e.sweeps.push_back(read_sweep(sweep, names, e.y));
    optimum_needed = optimum_needed || needs_optimum(e.sweeps.back().measure);
  }
  e.reference = table.flag("reference").value_or(optimum_needed);
  table.finish();
  return e;
}

}  // namespace seesaw
