// Help, made from the tables of options and wrapped between words.
#pragma once

#include <string>
#include <vector>

#include "option_table.h"

namespace seesaw::app {

std::size_t help_columns();  // of the terminal; else of the environment variable COLUMNS; else 80; at most 120

std::string program_help(const std::vector<const CommandEntry*>& commands, std::size_t columns);
// all: options that are rarely needed, too.
std::string command_help(const CommandEntry& command, bool all, std::size_t columns);

std::string spaced(std::string allowed);  // "on|off" as "on | off", which can be wrapped

// Two columns: `left` indented by 2, `right` from column `at` on, on the next line where `left` is too long.
std::string two_columns(const std::string& left, const std::string& right, std::size_t at, std::size_t columns);

}  // namespace seesaw::app
