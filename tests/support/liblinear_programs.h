// Calls LIBLINEAR's programs, if they are installed.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "model/linear_model.h"
#include "support/scratch_folder.h"
#include "support/table.h"

namespace seesaw::test {

inline bool runs(const std::string& command) { return std::system((command + " > /dev/null 2>&1").c_str()) == 0; }

inline bool liblinear_is_installed() {
  return runs("command -v liblinear-train") && runs("command -v liblinear-predict");
}

inline std::vector<double> numbers_in(const std::string& text) {
  std::istringstream stream(text);
  std::vector<double> numbers;
  for (double number; stream >> number;) numbers.push_back(number);
  return numbers;
}

inline std::string libsvm_text(const Dataset& data) {
  std::string text;
  const Matrix matrix = matrix_of(data);
  for (std::size_t i = 0; i < data.n(); ++i) {
    text += fmt::format("{}", data.labels[i]);
    for (std::size_t j = 0; j < data.d(); ++j)
      if (matrix[i][j] != 0) text += fmt::format(" {}:{}", j + 1, matrix[i][j]);
    text += '\n';
  }
  return text;
}

inline std::vector<double> our_predictions(const LinearModel& model, const Dataset& data) {
  std::vector<double> predictions;
  const std::vector<double> z = decision_values(model, data);
  for (std::size_t i = 0; i < data.n(); ++i) predictions.push_back(predicted_label(model, &z[i * model.outputs()]));
  return predictions;
}

inline std::vector<double> their_predictions(const ScratchFolder& folder, const std::string& model) {
  EXPECT_TRUE(runs(fmt::format("liblinear-predict '{}' '{}' '{}'", folder.path("data.svm"), folder.path(model),
                               folder.path("predictions"))));
  return numbers_in(folder.text_of("predictions"));
}

}  // namespace seesaw::test
