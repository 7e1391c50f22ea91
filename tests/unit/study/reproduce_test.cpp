// The lines of a reproduction.
#include "study/reproduce.h"

#include <gtest/gtest.h>

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

}  // namespace reproduce_test
}  // namespace seesaw
