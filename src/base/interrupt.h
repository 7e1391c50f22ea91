// SIGINT (Ctrl-C) and SIGTERM.
//
// Where there is nothing to keep, as while data is read, a signal ends the program at once, with exit code 130. Once
// there is, catch_interrupts() makes the first one a question that a loop can ask; a second one ends the program.
#pragma once

namespace seesaw {

void end_on_interrupts();  // at the start of the program; the library leaves signals alone
void catch_interrupts();
bool interrupted();

}  // namespace seesaw
