// The commands of the program: each declares its options and what it runs.
#pragma once

#include <string>

#include "options.h"

namespace seesaw::app {

// Exit codes (docs/options.md).
enum Exit { success = 0, bad_input = 2, stopped_early = 3, interrupted_by_user = 130 };

// Each adds a command.
void add_train(Program& program, const std::string& command_line);  // as typed, for the trace
void add_predict(Program& program);
void add_verify(Program& program);
void add_coef(Program& program);
void add_explain(Program& program);
void add_path(Program& program);
void add_info(Program& program);
void add_solvers(Program& program);
void add_synth(Program& program);
void add_convert(Program& program);
void add_compare(Program& program);
void add_report(Program& program);
void add_reproduce(Program& program);
void add_data(Program& program);
void add_completion(Program& program);  // for shells; hidden
void add_man(Program& program);         // man pages; hidden

std::string base_name(const std::string& path);  // without directories, and without .gz, .bz2, .xz, .zst

}  // namespace seesaw::app
