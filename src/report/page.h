// The page: one HTML file that plots the measurements. A pure function of trace lines; its source is in report/.
#pragma once

#include <string>
#include <string_view>

namespace seesaw {

// lines: JSON, one object per line, as in a trace. Their content is escaped: it cannot end or change the page.
std::string page_of(std::string_view lines);

// Writes the page atomically (base/atomic_file.h). Throws Error if it cannot be written.
void write_page(const std::string& path, std::string_view lines);

}  // namespace seesaw
