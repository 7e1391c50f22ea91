#include "model/calibration_json.h"

#include <fmt/ranges.h>

namespace seesaw::model_format {

std::string text_of(const Calibration& calibration) {
  std::string text = fmt::format(R"({{"method": "{}", "outputs": [)", name_of(calibration.method));
  const char* separator = "";
  for (const ScoreMap& map : calibration.outputs) {
    text += separator;
    text += calibration.method == CalibrationMethod::sigmoid
                ? fmt::format(R"({{"a": {}, "b": {}}})", map.a, map.b)
                : fmt::format(R"({{"scores": [{}], "probabilities": [{}]}})", fmt::join(map.scores, ", "),
                              fmt::join(map.probabilities, ", "));
    separator = ", ";
  }
  return text + "]}";
}

Calibration parse_calibration(const Fields& fields, std::size_t outputs, const std::string& path) {
  Calibration calibration;
  const std::string method = fields.text("method");
  if (method != "sigmoid" && method != "isotonic") fields.wrong("method", "\"sigmoid\" or \"isotonic\"");
  const bool sigmoid = method == "sigmoid";
  calibration.method = sigmoid ? CalibrationMethod::sigmoid : CalibrationMethod::isotonic;
  for (const nlohmann::json& item : fields.list("outputs")) {
    const Fields map(item, "calibration.outputs", path);
    if (sigmoid) calibration.outputs.push_back({map.number("a"), map.number("b"), {}, {}});
    else calibration.outputs.push_back({0, 0, map.numbers("scores"), map.numbers("probabilities")});
  }
  if (const std::string wrong = inconsistency_of(calibration, outputs); !wrong.empty())
    refuse_model(path, fmt::format("the calibration is inconsistent: {}; the model is damaged.", wrong));
  return calibration;
}

}  // namespace seesaw::model_format
