// Everything that can be wrong with what a user gives us. Messages are whole sentences: what, where, and what to do.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace seesaw {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A place in a text file that cannot be read: "data.svm:12:7: ...".
class ParseError : public Error {
 public:
  ParseError(std::string file, std::size_t line, std::size_t column, const std::string& what);
  const std::string file;
  const std::size_t line;    // counted from 1
  const std::size_t column;  // counted from 1
};

// An option whose value is not among those allowed.
class InvalidOption : public Error {
 public:
  InvalidOption(const std::string& name, const std::string& value, const std::string& allowed);
};

// A method that cannot solve the problem it was given; the message names what is missing and what would work.
class Unsupported : public Error {
 public:
  using Error::Error;
};

}  // namespace seesaw
