// The errors that the library throws for invalid input. Each message is a whole sentence: what is wrong, where, and what
// to do. Fields and options are named in backticks, "`gap_abs` cannot be '-1': ..."; replace_fields() gives them the names
// that a program or another language uses.
#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace seesaw {

// The base of all of them.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A position in a text file that cannot be parsed: "data.svm:12:7: ...".
class ParseError : public Error {
 public:
  ParseError(std::string file, std::size_t line, std::size_t column, const std::string& reason);
  const std::string file;
  const std::size_t line;    // counted from 1
  const std::size_t column;  // counted from 1
  const std::string reason;  // the message without the position
};

// A field or an option of a method with a value that is not allowed.
class InvalidOption : public Error {
 public:
  InvalidOption(std::string field, std::string value, std::string allowed);
  const std::string field;    // a member of Training or ReadOptions, or a key of Training::solver_options
  const std::string value;    // as text
  const std::string allowed;  // what is allowed, in words
};

// Sizes that do not match: a row with too few numbers, data with too many features.
class ShapeError : public Error {
 public:
  ShapeError(std::size_t expected, std::size_t actual, const std::string& message);
  const std::size_t expected, actual;
};

// An element of an array in memory that is not allowed: a value that is not finite, a column out of order.
class InvalidArray : public Error {
 public:
  InvalidArray(std::string array, std::size_t index, const std::string& message);
  const std::string array;  // "values", "labels", "weights", "offsets", "columns"; "factors", "lower", "upper"
  const std::size_t index;  // in that array; of `offsets` and `columns`: the row
};

// A method that cannot solve the problem; the message names what it needs and which methods solve it.
class Unsupported : public Error {
 public:
  using Error::Error;
};

// The message with every `field` in backticks replaced by name("field").
std::string replace_fields(std::string_view message, const std::function<std::string(const std::string& field)>& name);

}  // namespace seesaw
