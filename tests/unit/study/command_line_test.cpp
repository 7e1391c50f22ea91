// Commands that reproduce a run.
#include "study/command_line.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "unit/study/studies.h"

namespace seesaw {
namespace command_line_test {

// A quoted word after a shell has read it.
std::string through_shell(const std::string& word) {
  const std::string command = "printf %s " + shell_quoted(word);
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output += static_cast<char>(c);
  pclose(pipe);
  return output;
}

TEST(Quoting, survives_a_shell) {
  for (const char* word : {"a9a", "", "a b", "it's", "'", "''x'", "$HOME `id` \\ \"x\" * ? ~ ; & | < > ( ) ! # \t", "~",
                           "a\nb", "-x", "\xc3\xa9"})
    EXPECT_EQ(through_shell(word), word);
  EXPECT_EQ(shell_quoted("../data/a9a.xz"), "../data/a9a.xz");
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
}

TEST(Command, has_every_option_that_is_not_a_default_of_train) {
  const auto problem = test::problem_of(test::objective_of("smooth-hinge", 1e-4));
  const SolverSpec solver{.name = "spdc", .options = {{"batch", "4"}}, .seed = 7};
  EXPECT_EQ(train_command(*problem, solver, {.gap = 1e-8, .max_passes = 1000}),
            "seesaw train 'some folder/some.svm' --loss smooth-hinge --lambda 0.0001 --solver spdc --batch 4 --seed 7 "
            "--gap 1e-08 --max-passes 1000");
  EXPECT_EQ(train_command(*problem, {.name = "sdca", .options = {}},
                          {.gap = 0, .gap_abs = 1e-3, .max_passes = infinity, .seconds = 2.5, .check_every = 3}),
            "seesaw train 'some folder/some.svm' --loss smooth-hinge --lambda 0.0001 --solver sdca --seed 1 --gap 0 "
            "--gap-abs 0.001 --time 2.5 --check-every 3");
}

TEST(Command, has_the_options_of_reading_and_scaling) {
  Dataset data = test::random_data(40, 5, Target::sign, 3);
  data.source = "x.csv";
  Objective objective = test::objective_of("hinge", 0.1);
  objective.lambda.reset();
  objective.l1 = 0.1;
  objective.intercept = Intercept::none;
  objective.class_weights[5] = 2;
  PreparedData prepared = prepare(std::move(data), Scaling::columns_max, false);
  prepared.reading = " --label-column ill --float32";
  EXPECT_EQ(train_command(*make_study_problem(prepared, objective), {.name = "sdca", .options = {}}, {}),
            "seesaw train x.csv --label-column ill --float32 --loss hinge --l1 0.1 --intercept none --class-weight 5=2 "
            "--scale columns-max --solver sdca --seed 1 --gap 0.0001 --max-passes 10000");
}

}  // namespace command_line_test
}  // namespace seesaw
