// Files of experiments, and the messages for invalid ones.
#include "study/experiment.h"

#include <gtest/gtest.h>

#include "seesaw/error.h"
#include "study/experiment_plan.h"
#include "study/measures.h"
#include "study/papers.h"

namespace seesaw {
namespace experiment_test {

const std::string good = R"(paper = "Someone 2020"
figure = "Figure 1"
title = "A title"
about = "What was done."
x = "passes"
y = "suboptimality"
[settings]
loss = "squared"
lambda = 1e-3
seeds = 10
max_passes = 300
[quick]
seeds = 2
max_passes = 100
panels = ["small"]
[[panel]]
name = "large"
data = "some"
[[panel]]
name = "small"
data = "some"
lambda = 1e-6
max_passes = 50
[[method]]
label = "SDCA"
solver = "sdca"
options = { draw = "iid" }
[[method]]
label = "SAG"
solver = "sag"
seeds = 3
try = { step = [1, 0.5] }
[[claim]]
says = "SAG is faster."
measure = "passes"
to = 1e-6
method = "SAG"
against = ["SDCA"]
at_most = 1.0
)";

Experiment read(const std::string& text) { return read_experiment(text, "some", "some.toml"); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// The message for the valid file with this replacement.
std::string complaint(const std::string& from, const std::string& to) {
  try {
    read(replaced(good, from, to));
  } catch (const ParseError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Experiment, settings_are_overridden_by_panels_methods_and_modes) {
  const Experiment e = read(good);
  EXPECT_EQ(e.panels_in(Mode::full).size(), 2u);
  ASSERT_EQ(e.panels_in(Mode::quick).size(), 1u);
  const Panel small = e.panels[1];
  EXPECT_EQ(e.panels_in(Mode::quick)[0].name, "small");
  EXPECT_EQ(e.settings_of(Mode::full, e.panels[0]).lambda, 1e-3);
  EXPECT_EQ(e.settings_of(Mode::full, small).lambda, 1e-6);
  EXPECT_EQ(e.settings_of(Mode::full, small, &e.methods[0]).seeds, 10u);
  EXPECT_EQ(e.settings_of(Mode::full, small, &e.methods[1]).seeds, 3u);
  EXPECT_EQ(e.settings_of(Mode::quick, small, &e.methods[1]).seeds, 2u);
  EXPECT_EQ(e.settings_of(Mode::quick, small).max_passes, 50);  // the panel has fewer already
  EXPECT_EQ(e.settings_of(Mode::quick, e.panels[0]).max_passes, 100);
  EXPECT_EQ(e.settings_of(Mode::full, small).objective().intercept, Intercept::none);
  EXPECT_TRUE(e.reference);
  EXPECT_EQ(expected_runs(e, Mode::quick), 1u + 2 + 2 * 2);
  EXPECT_EQ(expected_runs(e, Mode::full), 2u * (1 + 10 + 2 * 3));
}

TEST(Experiment, invalid_files_are_reported_with_line_and_column) {
  EXPECT_EQ(complaint("figure = \"Figure 1\"", "figure =").rfind("some.toml:2:", 0), 0u);
  std::string dotted = "a";
  for (int part = 0; part < 100000; ++part) dotted += ".a";
  for (const std::string& deep : {dotted + " = 1", "[" + dotted + "]", "b = {" + dotted + " = 1}"})
    EXPECT_NE(complaint("figure = \"Figure 1\"", deep).find("this key has more than 100 parts between dots."),
              std::string::npos);
  std::string dots(1000, '.');
  for (const std::string& plain :
       {"figure = \"" + dots + "\"", "figure = '" + dots + "'", "figure = \"\"\"\n" + dots + "\"\"\"  # " + dots})
    EXPECT_EQ(complaint("figure = \"Figure 1\"", plain), "nothing");
  EXPECT_EQ(complaint("y = \"suboptimality\"", "y = \"height\""),
            "some.toml:6:1: 'y' cannot be 'height'; choose one of suboptimality, gap, value.");
  EXPECT_EQ(complaint("seeds = 10", "seeds = 0"), "some.toml:10:1: 'seeds' must be a whole number above 0.");
  EXPECT_EQ(
      complaint("seeds = 10", "sedes = 10").rfind("some.toml:10:1: unknown key 'sedes' in [settings]; allowed are ", 0),
      0u);
  EXPECT_EQ(complaint("lambda = 1e-6", "lambda = \"small\""), "some.toml:22:1: 'lambda' must be a number.");
  EXPECT_EQ(complaint("panels = [\"small\"]", "panels = [\"tiny\"]"),
            "some.toml:15:1: 'panels' cannot be 'tiny'; choose one of large, small.");
  EXPECT_EQ(complaint("name = \"small\"", "name = \"large\"").rfind("some.toml:", 0), 0u);
  EXPECT_NE(complaint("solver = \"sag\"", "solver = \"sagg\"").find("'solver' cannot be 'sagg'; choose one of auto"),
            std::string::npos);
  EXPECT_NE(complaint("draw = \"iid\"", "drew = \"iid\"").find("sdca has no option 'drew'; it has "),
            std::string::npos);
  EXPECT_NE(complaint("loss = \"squared\"", "loss = \"round\"").find("some.toml:8:1: "), std::string::npos);
  EXPECT_NE(complaint("to = 1e-6\n", "").find("the measure 'passes' needs 'to'"), std::string::npos);
  EXPECT_NE(complaint("measure = \"passes\"", "measure = \"steps\"").find("'measure' cannot be 'steps'"),
            std::string::npos);
  EXPECT_NE(complaint("at_most = 1.0\n", "").find("needs 'at_most' or 'at_least'"), std::string::npos);
  EXPECT_NE(complaint("against = [\"SDCA\"]", "against = [\"SPDC\"]").find("'against' cannot be 'SPDC'"),
            std::string::npos);
  EXPECT_NE(complaint("title = \"A title\"\n", "").find("'title' is missing"), std::string::npos);
}

TEST(Experiment, the_end_of_a_figure_and_sweeps_are_read) {
  const Experiment e =
      read(replaced(good, "to = 1e-6", "to = \"end\"") +
           "[[sweep]]\ncaption = \"c\"\nmeasure = \"suboptimality\"\nafter = inf\nmethods = [\"SAG\"]\n");
  EXPECT_TRUE(e.claims[0].measure.to_end);
  EXPECT_EQ(e.claims[0].measure.to, std::nullopt);
  ASSERT_EQ(e.sweeps.size(), 1u);
  EXPECT_EQ(e.sweeps[0].columns, std::vector<std::string>{"SAG"});
  EXPECT_EQ(e.sweeps[0].rows.size(), 2u);  // all panels
  EXPECT_EQ(in_words(e.sweeps[0].measure), "suboptimality at the end of the figure");
  EXPECT_FALSE(e.panels[0].ours);
  EXPECT_TRUE(read("ours = true\n" + good).panels[0].ours);
  EXPECT_NE(complaint("to = 1e-6\nmethod = \"SAG\"\nagainst = [\"SDCA\"]", "to = \"end\"\nmethod = \"SAG\"")
                .find("needs 'against' if 'to' is \"end\""),
            std::string::npos);
}

// Where seconds are compared, the runs of a panel are in the order of their seeds.
TEST(Experiment, runs_that_are_timed_are_interleaved) {
  PaperSets sets;
  sets.add("[some]\ngenerate = { kind = \"decay\", n = 30, d = 4, task = \"regression\" }\n", "sets.toml");
  const Experiment e = read("alone = true\n" + good);
  const ExperimentPlan plan = plan_experiment(e, Mode::quick, sets, "");
  std::vector<std::uint64_t> seeds;
  for (const PlannedRun& run : plan.study.runs)
    if (!run.reference) seeds.push_back(run.solver.seed);
  EXPECT_EQ(seeds, (std::vector<std::uint64_t>{1, 1, 1, 2, 2, 2}));  // SDCA, SAG with two steps
  for (const Trial& trial : plan.trials)
    for (std::size_t k = 0; k < trial.runs.size(); ++k) {
      EXPECT_EQ(plan.study.runs[trial.runs[k]].label, trial.label);
      EXPECT_EQ(plan.study.runs[trial.runs[k]].solver.seed, 1 + k);
      for (const auto& [option, value] : trial.tried)
        EXPECT_EQ(plan.study.runs[trial.runs[k]].solver.options.at(option), value);
    }
}

TEST(Experiment, a_mode_never_exceeds_the_defaults) {
  Experiment e;
  e.panels = {{"p", "d", {}}};
  e.reductions[Mode::quick].settings.max_passes = 800;
  e.reductions[Mode::quick].settings.seeds = 4;
  const Settings quick = e.settings_of(Mode::quick, e.panels[0]), full = e.settings_of(Mode::full, e.panels[0]);
  EXPECT_EQ(quick.criteria().max_passes, full.criteria().max_passes);
  EXPECT_EQ(quick.seeds, 1u);
}

TEST(Experiment, every_built_in_file_is_valid_and_its_sets_exist) {
  const Papers papers = built_in();
  for (const Experiment& e : papers.experiments) {
    EXPECT_FALSE(e.claims.empty() && e.printed.empty()) << e.name;
    for (const Panel& panel : e.panels) EXPECT_NO_THROW(papers.sets.named(panel.data)) << e.name;
  }
  EXPECT_THROW(papers_named({"no-such"}), Error);
  EXPECT_THROW(papers_named({"no-such.toml"}), Error);
}

}  // namespace experiment_test
}  // namespace seesaw
