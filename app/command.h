// A command of the program: declares its options on a CLI11 subcommand and, if it is the one called, runs.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace seesaw::app {

// Exit codes (docs/notation.md): what a script can rely on.
enum Exit { success = 0, bad_input = 2, stopped_early = 3, interrupted_by_user = 130 };

using Run = std::function<int()>;

// Each adds its subcommand; `chosen` is set to its body when the user called it.
void add_train(CLI::App& program, Run& chosen, const std::string& command_line);  // as typed, to be told again
void add_predict(CLI::App& program, Run& chosen);
void add_verify(CLI::App& program, Run& chosen);
void add_info(CLI::App& program, Run& chosen);
void add_solvers(CLI::App& program, Run& chosen);
void add_synth(CLI::App& program, Run& chosen);
void add_convert(CLI::App& program, Run& chosen);
void add_compare(CLI::App& program, Run& chosen);
void add_report(CLI::App& program, Run& chosen);
void add_reproduce(CLI::App& program, Run& chosen);
void add_data(CLI::App& program, Run& chosen);

std::string base_name(const std::string& path);  // without directories, and without .gz, .bz2, .xz, .zst

}  // namespace seesaw::app
