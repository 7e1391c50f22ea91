// SIGINT (Ctrl-C) and SIGTERM.
//
// While there is no result to keep (reading data), a signal exits immediately with exit code 130. After
// catch_interrupts() the first signal sets a flag that loops poll with interrupted(); a second one exits immediately.
#pragma once

namespace seesaw {

void end_on_interrupts();  // at the start of the program; the library itself installs no signal handlers
void catch_interrupts();
bool interrupted();

}  // namespace seesaw
