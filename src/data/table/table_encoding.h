// How a table (CSV with text, dates and empty cells) becomes rows of numbers. A plain value: determined from the training
// file (infer_encoding.h), stored in the model, and applied to other files by column name (encode_table.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seesaw {

enum class ColumnKind {
  number,
  yes_no,  // 1 for `levels[1]`, 0 for `levels[0]`
  date,    // days since 1970-01-01
  levels,  // one feature per level, 1 if the cell has it
  hashed   // one of TableEncoding::hash_size features shared by all hashed columns
};

struct ColumnEncoding {
  std::string name;
  ColumnKind kind = ColumnKind::number;
  double fill = 0;                       // number, yes_no, date: the value of an empty cell
  bool indicator = false;                // number, yes_no, date: a second feature, 1 if the cell is empty
  std::vector<std::string> levels = {};  // levels: strictly ascending bytewise; yes_no: no and yes, in lower case
  bool rare = false;                     // levels: one more feature, for all levels that are not listed
  bool missing = false;  // levels: one more feature, the last, for empty cells; hashed: they are a level

  std::size_t features() const;  // 0 for a hashed column: its features are shared
  bool operator==(const ColumnEncoding&) const = default;
};

struct LabelEncoding {
  std::string name;
  std::vector<std::string> classes = {};  // text labels, strictly ascending bytewise: label k is classes[k]; else empty
  bool log = false;                       // the label is the logarithm of the number in the file
  bool operator==(const LabelEncoding&) const = default;
};

struct TableEncoding {
  bool header = true;     // false: columns are named by their numbers, counted from 1
  std::size_t width = 0;  // columns of the training file, the label and columns without features included
  LabelEncoding label = {};
  std::vector<ColumnEncoding> columns = {};  // in the order of their features; the hashed features are the last
  std::uint64_t hash_size = 0;               // a power of two; 0: no column is hashed

  std::size_t features() const;
  // "age", "age (missing)", "city=Paris", "city (rare)". Hashed features, which are the last, have none.
  std::vector<std::string> feature_names() const;
  bool operator==(const TableEncoding&) const = default;
};

inline constexpr std::uint64_t largest_hash_size = std::uint64_t{1} << 30;

// The feature of a cell of a hashed column, counted from 0 within the hashed features: XXH3 of the column's name, a byte 0
// and the text, modulo `size`. Models depend on it: it must never change.
std::uint64_t hashed_feature(std::string_view column, std::string_view text, std::uint64_t size);

// The word of model files and messages: "number", "yes-no", "date", "levels", "hashed".
std::string_view name_of(ColumnKind kind);

// What is inconsistent in an encoding, as a clause ("the levels of 'city' are not in ascending order"); empty if nothing.
std::string inconsistency_of(const TableEncoding& encoding);

}  // namespace seesaw
