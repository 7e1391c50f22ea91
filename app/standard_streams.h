// Standard output and standard error that may be closed, full or a broken pipe without ending the program: what cannot
// be written is lost, and for standard output remembered.
#pragma once

namespace seesaw::app {

// Before anything is printed or opened.
void guard_standard_streams();

// Training and studies continue if nobody reads their output: without this, a broken pipe ends the program.
void outlive_broken_pipes();

// Once the result of the command is in a file: then a failure of standard output is reported on standard error and does
// not change the exit code.
void result_is_written();

// Whether something could not be written so far; flushes first.
bool standard_output_failed();

// The exit code of a command that ended with `code`, after a sentence on what was lost.
int code_after_output(int code);

}  // namespace seesaw::app
