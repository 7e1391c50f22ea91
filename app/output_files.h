// What is checked of the files that a command writes, before it writes them.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace seesaw::app {

// Throws Error where `output` is one of the files that are read: nothing is overwritten by mistake.
void refuse_overwriting(const std::string& output, const std::vector<std::string>& inputs);
// Throws Error where two files to be written are the same one; empty names are none.
void refuse_sharing(const std::vector<std::string>& outputs);
// Throws Error where a file cannot be written, as far as can be checked without writing to it.
void refuse_unwritable(const std::string& output);

// The stream for messages about `output`: standard error where `output` is standard output, so that they do not mix.
std::FILE* words_beside(const std::string& output);

}  // namespace seesaw::app
