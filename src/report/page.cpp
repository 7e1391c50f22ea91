#include "report/page.h"

#include <cstddef>

#include "base/atomic_file.h"
#include "report/page_template.h"

namespace seesaw {

std::string page_of(std::string_view lines) {
  constexpr std::string_view place = "@@lines@@";
  const std::size_t at = page_template().find(place);
  std::string page(page_template().substr(0, at));
  page.reserve(page_template().size() + lines.size() + lines.size() / 8);
  for (const char letter : lines) {
    if (letter == '<') page += "\\u003c";  // the same character inside a JSON string; no HTML tag can end the data
    else page += letter;
  }
  if (!lines.empty() && lines.back() != '\n') page += '\n';
  page.append(page_template(), at + place.size());
  return page;
}

void write_page(const std::string& path, std::string_view lines) {
  AtomicFile file(path);
  file.write(page_of(lines));
  file.commit();
}

}  // namespace seesaw
