#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/interrupt.h"
#include "base/mapped_files.h"
#include "command.h"
#include "help.h"
#include "kernels/table.h"
#include "liblinear_options.h"
#include "ranks.h"
#include "seesaw/error.h"
#include "seesaw/version.h"
#include "standard_streams.h"
#include "study/command_line.h"
#include "tune.h"

namespace seesaw::app {
namespace {

void add_commands(Program& program, const std::string& command_line) {
  add_train(program, command_line);
  add_predict(program);
  add_verify(program);
  add_coef(program);
  add_explain(program);
  add_path(program);
  add_tune(program, command_line);
  add_info(program);
  add_compare(program);
  add_solvers(program);
  add_report(program);
  add_convert(program);
  add_synth(program);
  add_reproduce(program);
  add_data(program);
  add_completion(program);
  add_man(program);
}

int run(std::vector<std::string> words) {
  std::string command_line = "seesaw";
  for (const std::string& word : words) command_line += " " + shell_quoted(word);
  Program program;
  add_commands(program, command_line);

  const auto says = [&](const char* option) { return std::find(words.begin(), words.end(), option) != words.end(); };
  if (!words.empty() && words[0] == "help") {  // `seesaw help train` is `seesaw train --help`
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  if (words.empty() || (words[0].starts_with('-') && (says("--help") || says("-h") || says("--help-all")))) {
    fmt::print("{}", program_help(program.entries(), help_columns()));
    return words.empty() ? bad_input : success;
  }
  if (words[0] == "--version") {
    fmt::print("seesaw {} ({}, {})\n", version(), compiler(), name_of(isa_in_use()));
    return success;
  }
  if (words[0].starts_with('-'))
    throw Error(fmt::format("the command comes first, and {} is an option: seesaw COMMAND [OPTIONS]", words[0]));
  Command& command = program.find(words[0]);
  if (says("--help") || says("-h") || says("--help-all")) {
    fmt::print("{}", command_help(command.entry(), says("--help-all"), help_columns()));
    return success;
  }
  const LiblinearOptions understood = understand_liblinear(words[0], {words.begin() + 1, words.end()});
  command.parse(understood.arguments);
  if (!understood.note.empty()) fmt::print(stderr, "{}\n", understood.note);
  if (!command.over_ranks() && !is_first()) return success;
  return command.run();
}

}  // namespace
}  // namespace seesaw::app

int main(int argc, char** argv) {
  using namespace seesaw::app;
  guard_standard_streams();
  seesaw::end_on_interrupts();
  seesaw::exit_when_mapped_files_shrink();
  if (const std::string problem = seesaw::isa_problem(); !problem.empty()) {
    fmt::print(stderr, "seesaw: {}\n", problem);
    return bad_input;
  }
  try {
    start_ranks();
    return end_ranks(code_after_output(run({argv + 1, argv + argc})));
  } catch (const seesaw::Error& error) {
    return fail_on_ranks(seesaw::with_options(error.what()), bad_input);
  } catch (const std::bad_alloc&) {
    return fail_on_ranks(
        "not enough memory (the largest feature number decides how many weights there are); --float32 halves the "
        "memory "
        "of the values.",
        bad_input);
  } catch (const std::exception& error) {
    return fail_on_ranks(error.what(), bad_input);
  }
}
