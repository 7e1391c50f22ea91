#pragma once

#include <string>

namespace seesaw {

std::string version();   // "0.2.0"
std::string compiler();  // what this library was built with

std::string cpu();  // what it runs on, as the system names it

}  // namespace seesaw
