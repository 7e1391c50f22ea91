# Called by SeesawPage while building. The standard guarantees string literals of 64 KiB only, so the page is split into pieces.
file(READ ${PAGE} hex HEX)
string(LENGTH "${hex}" length)
set(pieces "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${hex}" ${at} 32768 piece)
  string(REGEX REPLACE "(..)" "\\\\x\\1" piece "${piece}")
  string(APPEND pieces "    \"${piece}\"sv,\n")
  math(EXPR at "${at} + 32768")
endwhile()
file(WRITE ${OUTPUT} "#include \"report/page_template.h\"

#include <string_view>

namespace seesaw {

using namespace std::string_view_literals;

const std::string& page_template() {
  static const std::string page = [] {
    std::string all;
    for (const std::string_view piece : {
${pieces}    }) all += piece;
    return all;
  }();
  return page;
}

}  // namespace seesaw
")
