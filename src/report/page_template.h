// The page without its lines, as report/bundle.mjs makes it while the program is built.
#pragma once

#include <string_view>

namespace seesaw {

extern const std::string_view page_template;

}  // namespace seesaw
