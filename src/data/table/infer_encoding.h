// The encoding of a table, determined from its whole text: per column a type, levels and the value of empty cells.
#pragma once

#include <string>
#include <vector>

#include "data/table/table_encoding.h"
#include "data/table/table_text.h"
#include "seesaw/table_options.h"

namespace seesaw {

struct InferredEncoding {
  TableEncoding encoding;
  bool decimal_comma = false;
  // How columns are encoded, one line each, columns of numbers without empty cells not included: "age: 31 empty cells,
  // median 37 and an indicator".
  std::vector<std::string> notes;
};

// label: as ReadOptions::label_column. Throws Error with all problems of the file: dates without a decision, columns of
// numbers with text, mixed decimal signs, empty labels, labels without a logarithm, duplicate names, rows of another length,
// unknown columns in options.
InferredEncoding infer_encoding(const TableText& table, const std::string& label, const TableOptions& options);

}  // namespace seesaw
