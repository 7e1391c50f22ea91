// The lines of a reproduction.
#include "study/reproduce.h"

#include <gtest/gtest.h>

#include "study/verdicts_markdown.h"

namespace seesaw {
namespace reproduce_test {

std::string check(int passes) { return "{\"type\":\"check\",\"passes\":" + std::to_string(passes) + "}"; }

TEST(Reproduce, a_page_has_fewer_checks_per_run_and_all_other_lines) {
  std::vector<std::string> lines = {"{\"trace\":2}"};
  for (int k = 0; k <= 10; ++k) lines.push_back(check(k));
  lines.push_back("{\"status\":\"converged\"}");
  lines.push_back("{\"trace\":2}");
  lines.push_back(check(7));
  EXPECT_EQ(thinned(lines, 3), (std::vector<std::string>{"{\"trace\":2}", check(0), check(5), check(10),
                                                         "{\"status\":\"converged\"}", "{\"trace\":2}", check(7)}));
  EXPECT_EQ(thinned(lines, 11), lines);
}

TEST(Reproduce, the_file_keeps_runs_that_the_page_does_not_show_as_hidden) {
  Journal journal;
  const auto add = [&](const std::string& key, const std::string& experiment) {
    RunRecord run;
    run.key = key;
    run.experiment = experiment;
    run.lines = {"{\"trace\":2,\"key\":\"" + key + "\"}", check(1), "{\"status\":\"converged\"}"};
    journal.add(run);
    return run.lines;
  };
  const std::vector<std::string> shown = add("shown", "one");
  add("lost", "one");
  const std::vector<std::string> foreign = add("of a comparison", "");
  EXPECT_EQ(lines_of_file(shown, {"shown"}, journal),
            (std::vector<std::string>{shown[0], shown[1], shown[2], "{\"trace\":2,\"key\":\"lost\",\"hidden\":true}",
                                      check(1), "{\"status\":\"converged\"}", foreign[0], foreign[1], foreign[2]}));
}

// Two claims on stand-ins, one of which holds with the paper's data alone; one on the paper's data, one of ours.
std::vector<Reproduced> four_verdicts() {
  Reproduced one;
  one.experiment.name = "some-fig1";
  one.experiment.paper = "Someone 2020";
  one.experiment.figure = "Figure 1";
  one.verdicts = {{Finding::holds_in_part, "A.", "1."},
                  {Finding::does_not_hold, "B.", "2."},
                  {Finding::holds, "C.", "3."},
                  {Finding::undecided, "D.", "4."}};
  one.verdicts[0].basis = one.verdicts[1].basis = Basis::stand_ins;
  one.verdicts[0].on_paper_data = Finding::holds;
  one.verdicts[3].basis = Basis::ours;
  one.sweeps.push_back({{"The start",
                         {.name = "passes", .of = "gap", .to = 1e-6, .after = {}},
                         {"a", "b"},
                         {{"p", "p", {}}, {"q", "q", {}}}},
                        {{"p", "a", "", "12", {}, 12},
                         {"p", "b", "", "9", {}, 9},
                         {"q", "a", "", "4", {}, 4},
                         {"q", "b", "", "5", {}, 5}}});
  return {one};
}

TEST(Markdown, counts_verdicts_by_their_data) {
  const std::string text = verdicts_markdown(four_verdicts(), Mode::full, "2026-11-17");
  EXPECT_NE(text.find("| verdict | the paper's data | stand-ins | of these, the paper's data alone | ours |\n"
                      "|---|---|---|---|---|\n"
                      "| holds | 1 | 0 | 1 | 0 |\n"
                      "| holds in part | 0 | 1 | 0 | 0 |\n"
                      "| does not hold | 0 | 1 | 0 | 0 |\n"
                      "| undecided | 0 | 0 | 0 | 1 |\n"),
            std::string::npos)
      << text;
}

TEST(Markdown, has_a_table_of_every_sweep) {
  const std::string text = verdicts_markdown(four_verdicts(), Mode::full, "2026-11-17");
  EXPECT_NE(
      text.find(
          "### `some-fig1`\n\nThe start (passes to gap 1e-06):\n\n| | a | b |\n|---|---|---|\n| p | 12 | 9 |\n| q | "
          "4 | 5 |\n"),
      std::string::npos)
      << text;
}

TEST(Markdown, keeps_the_notes_of_the_page_that_it_replaces) {
  const std::string notes = "## What changed\n\nSome text.\n";
  const std::string page = verdicts_markdown(four_verdicts(), Mode::full, "2026-11-17", notes);
  EXPECT_EQ(notes_in(page), notes);
  EXPECT_EQ(verdicts_markdown(four_verdicts(), Mode::full, "2026-11-17", notes_in(page)), page);
  EXPECT_EQ(notes_in(verdicts_markdown(four_verdicts(), Mode::full, "2026-11-17")), "");
  EXPECT_EQ(notes_in(""), "");
  EXPECT_EQ(notes_in(page.substr(0, page.find("<!-- end of notes"))), "");
}

}  // namespace reproduce_test
}  // namespace seesaw
