// Dates that are recognized but not read.
#pragma once

#include <string_view>

namespace seesaw {

// Whether a text looks like a date, in a notation that days_in() (cells.h) does not read or does: 06-12-2019, 19.04.20,
// 09-Jul-2020, "Jul 9, 2020", 2019.01.31, 20190131T160000, and any of them before a time with a zone or AM and PM.
// Month and weekday names are English. Day and month may be in either order.
bool looks_like_date(std::string_view text);

}  // namespace seesaw
