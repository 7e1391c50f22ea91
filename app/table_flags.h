// The options of tables: CSV with text, dates or empty cells.
#pragma once

#include <cstdint>
#include <string>

#include "options.h"
#include "seesaw/table_options.h"

namespace seesaw::app {

struct TableFlags {
  std::string drop, keep, categorical, date;  // names separated by commas
  std::uint64_t min_count = 1;
  std::string impute = "median", hash;
  bool log_target = false;

  void declare(Command& command);
  TableOptions options(char separator) const;
  std::string as_typed() const;  // as DataOptions::as_typed
};

char separator_named(const std::string& name);  // 0 if empty; throws InvalidOption

}  // namespace seesaw::app
