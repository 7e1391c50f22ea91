// Values of a coefficient as typed: 0.1,1,10 is a list, 1e-3:1e3 doubles from the first to the last, 1e-3:1e3:7 has seven
// values equally spaced in the logarithm. Numbers may be powers: 2^-10:2^10.
#pragma once

#include <string>
#include <vector>

namespace seesaw::app {

// `option`: for messages. Throws InvalidOption.
std::vector<double> read_values(const std::string& text, const std::string& option);

}  // namespace seesaw::app
