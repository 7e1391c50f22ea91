#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>
#include <string>

#include "base/interrupt.h"
#include "base/mapped_files.h"
#include "command.h"
#include "kernels/table.h"
#include "seesaw/error.h"
#include "seesaw/version.h"
#include "standard_streams.h"
#include "study/command_line.h"

namespace {

// The default of an option stands at the end of what is said about it.
class Help final : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    if (!option->get_option_text().empty()) return " " + option->get_option_text();
    return option->get_type_size() == 0 ? "" : " " + option->get_type_name();
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    const std::string standard = option->get_default_str();
    return option->get_description() + (standard.empty() ? "" : fmt::format(" (default {})", standard));
  }
};

}  // namespace

int main(int argc, char** argv) {
  using namespace seesaw::app;
  guard_standard_streams();
  seesaw::end_on_interrupts();
  seesaw::exit_when_mapped_files_shrink();
  if (const std::string problem = seesaw::isa_problem(); !problem.empty()) {
    fmt::print(stderr, "seesaw: {}\n", problem);
    return bad_input;
  }
  CLI::App program{
      "seesaw trains linear models and proves each fit: the primal value comes down, the dual value goes up, and\n"
      "training ends when they meet."};
  program.set_version_flag("--version", "seesaw " + seesaw::version() + " (" + seesaw::compiler() + ", " +
                                            seesaw::name_of(seesaw::isa_in_use()) + ")");
  program.name("seesaw");
  program.require_subcommand(1);
  program.formatter(std::make_shared<Help>());
  program.get_formatter()->column_width(34);
  program.footer("Start with: seesaw train DATA      Help on a command: seesaw train --help");

  Run chosen;
  std::string typed = "seesaw";
  for (int k = 1; k < argc; ++k) typed += " " + seesaw::shell_quoted(argv[k]);
  Command root(program);
  add_train(root, chosen, typed);
  add_predict(root, chosen);
  add_verify(root, chosen);
  add_info(root, chosen);
  add_solvers(root, chosen);
  add_synth(root, chosen);
  add_convert(root, chosen);
  add_compare(root, chosen);
  add_report(root, chosen);
  add_reproduce(root, chosen);
  add_data(root, chosen);

  if (argc == 1) {
    fmt::print("{}", program.help());
    return code_after_output(bad_input);
  }
  std::string commands;
  bool known = argv[1][0] == '-';
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    commands += (commands.empty() ? "" : ", ") + command->get_name();
    known = known || command->get_name() == argv[1];
  }
  if (!known) {
    fmt::print(stderr, "seesaw: there is no command '{}'; the commands are {}.\n", argv[1], commands);
    return bad_input;
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // help or version
    std::ostringstream text;
    const int code = program.exit(asked, text, text);
    fmt::print("{}", text.str());
    return code_after_output(code);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "seesaw: {} (see seesaw --help, or --help behind a command)\n", error.what());
    return bad_input;
  }
  try {
    const int code = chosen();
    return code_after_output(code);
  } catch (const seesaw::Error& error) {
    fmt::print(stderr, "seesaw: {}\n", seesaw::with_options(error.what()));
  } catch (const std::bad_alloc&) {
    fmt::print(stderr,
               "seesaw: there is not enough memory for this (the largest feature number decides how many weights there "
               "are); --float32 "
               "halves what the values take.\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "seesaw: {}\n", error.what());
  }
  return bad_input;
}
