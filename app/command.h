// A command of the program: declares its options on a subcommand and, if it is the one called, runs.
#pragma once

#include <functional>
#include <string>

#include "options.h"

namespace seesaw::app {

// Exit codes (docs/notation.md): what a script can rely on.
enum Exit { success = 0, bad_input = 2, stopped_early = 3, interrupted_by_user = 130 };

using Run = std::function<int()>;

// Each adds its subcommand; `chosen` is set to its body when the user called it.
void add_train(Command& program, Run& chosen, const std::string& command_line);  // as typed, to be told again
void add_predict(Command& program, Run& chosen);
void add_verify(Command& program, Run& chosen);
void add_info(Command& program, Run& chosen);
void add_solvers(Command& program, Run& chosen);
void add_synth(Command& program, Run& chosen);
void add_convert(Command& program, Run& chosen);
void add_compare(Command& program, Run& chosen);
void add_report(Command& program, Run& chosen);
void add_reproduce(Command& program, Run& chosen);
void add_data(Command& program, Run& chosen);

std::string base_name(const std::string& path);  // without directories, and without .gz, .bz2, .xz, .zst

}  // namespace seesaw::app
