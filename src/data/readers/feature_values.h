// Numbers per feature from a text file: penalty factors (one per feature), bounds (two).
//
//     every feature in order, one per line          some features by index            or by name
//     0.5                                           3:0.5                             age 0.5
//     -1 inf                                        3:-1:inf                          age -1 inf
//
// Blank lines and lines that begin with # are skipped; numbers may be separated by commas.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace seesaw {

struct FeatureValuesFile {
  std::string path;
  std::string what;              // of a feature, for messages: "penalty factor"
  std::vector<double> standard;  // of features that are not named; as many numbers as there are per feature
  std::size_t first_index = 1;   // of the first feature
};

// d numbers for each place of `standard`: result[k][j]. Throws ParseError or Error.
std::vector<std::vector<double>> read_feature_values(const FeatureValuesFile& file, std::size_t d,
                                                     const std::vector<std::string>& names);

}  // namespace seesaw
