// The page: one HTML file that draws what was measured. A pure function of trace lines; its source is in report/.
#pragma once

#include <string>
#include <string_view>

namespace seesaw {

// lines: JSON, one a line, as a trace has them. Whatever stands in them, it cannot end or change the page.
std::string page_of(std::string_view lines);

// The page as a file that appears whole or not at all. Throws Error where it cannot be written.
void write_page(const std::string& path, std::string_view lines);

}  // namespace seesaw
