// Assertions about messages and vectors of numbers that print both sides on failure.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace seesaw::test {

// The message of the Failure that work() throws; empty if it throws none.
template <class Failure, class Work>
std::string sentence_of(const Work& work) {
  try {
    work();
  } catch (const Failure& error) {
    return error.what();
  }
  return {};
}

inline testing::AssertionResult contains(const std::string& sentence, const std::string& part) {
  if (sentence.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << part << "' is not in: " << sentence;
}

inline testing::AssertionResult begins(const std::string& sentence, const std::string& part) {
  if (sentence.starts_with(part)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << part << "' does not begin: " << sentence;
}

inline testing::AssertionResult all_near(const std::vector<double>& numbers, const std::vector<double>& expected,
                                         double tolerance) {
  if (numbers.size() != expected.size())
    return testing::AssertionFailure() << numbers.size() << " numbers instead of " << expected.size();
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (!(std::abs(numbers[k] - expected[k]) <= tolerance))
      return testing::AssertionFailure() << "number " << k << " is " << numbers[k] << " instead of " << expected[k];
  return testing::AssertionSuccess();
}

}  // namespace seesaw::test
