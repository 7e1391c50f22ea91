// Ctrl-C as a question that a loop can ask. The first signal asks politely; a second one ends the program.
#pragma once

namespace seesaw {

void catch_interrupts();  // SIGINT and SIGTERM
bool interrupted();

}  // namespace seesaw
