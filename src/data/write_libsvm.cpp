#include "data/write_libsvm.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>
#include <string_view>
#include <variant>

#include "base/atomic_file.h"
#include "data/resident.h"

namespace seesaw {

void write_libsvm(const Dataset& data, const std::string& path) {
  constexpr std::size_t enough = std::size_t{1} << 20;
  AtomicFile file(path);
  fmt::memory_buffer text;
  const auto flush = [&] {
    file.write(std::string_view(text.data(), text.size()));
    text.clear();
  };
  std::visit(
      [&](const auto& rows) {
        resident(rows, 0, rows.count(), [&](std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last; ++i) {
            fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}"), data.labels[i]);
            for_each(rows.row(i), [&](std::size_t column, double value) {
              if (value != 0) fmt::format_to(std::back_inserter(text), FMT_COMPILE(" {}:{}"), column + 1, value);
            });
            text.push_back('\n');
            if (text.size() > enough) flush();
          }
        });
      },
      data.rows);
  flush();
  file.commit();
}

}  // namespace seesaw
