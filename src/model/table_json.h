// The encoding of a table in a model file (docs/formats.md, "table").
#pragma once

#include <string>

#include "data/table/table_encoding.h"
#include "model/json_fields.h"

namespace seesaw::model_format {

std::string text_of(const TableEncoding& encoding);  // a JSON object on one line
// Throws Error if a field is missing or the encoding is inconsistent in itself.
TableEncoding parse_table(const Fields& fields, const std::string& path);

}  // namespace seesaw::model_format
