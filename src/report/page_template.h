// The page without its data: report/bundle/page.html.
#pragma once

#include <string>

namespace seesaw {

const std::string& page_template();

}  // namespace seesaw
