// The options of LIBLINEAR's train and predict, in terms of ours.
#pragma once

#include <string>
#include <vector>

namespace seesaw::app {

struct LiblinearOptions {
  std::vector<std::string> arguments;  // with our options only
  std::string note;                    // one line: how LIBLINEAR's were understood; empty: none were given
};

// Translates -s -c -B -R -e -w -p (train) and -b (predict). Where any of them is given to train, LIBLINEAR's defaults
// hold for the objective: -s 1, -c 1, no intercept, unless our options set them. Throws Error for what has no
// equivalent here, and if one of ours sets the same.
LiblinearOptions understand_liblinear(const std::string& command, const std::vector<std::string>& arguments);

}  // namespace seesaw::app
