// Applies an encoding to a table, by column name: training, prediction and verification all use this.
#pragma once

#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/rows_builder.h"
#include "data/table/table_encoding.h"
#include "data/table/table_text.h"

namespace seesaw {

struct EncodeOptions {
  // The label column: empty is the encoding's, where the file has it; "none": no labels; otherwise a name or a number.
  std::string label = {};
  bool labels_required = true;  // false: rows to predict; empty labels are no problem, and then there are no labels
  std::string model = {};       // for messages: "the model m.model"
  Precision precision = Precision::exact;
};

struct EncodedTable {
  Dataset data;
  // What in the file is not as in the training file, a sentence each: columns that are not used, empty cells in columns that
  // had none, levels that are not listed.
  std::vector<std::string> notes = {};
  std::string unknown_label = {};  // the text of the first label that is not among the classes
};

// Cells of levels that are not listed are 1 in the feature of rare levels if there is one, else all features of the column
// are 0. A label that is not among the classes is -1. Throws Error with all problems: missing columns, cells that are not
// numbers where the encoding has numbers.
EncodedTable encode_table(const TableText& table, const TableEncoding& encoding, const EncodeOptions& options);

}  // namespace seesaw
