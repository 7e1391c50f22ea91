#include "path_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/coefficients.h"
#include "path_choice.h"
#include "path_table.h"
#include "seesaw/error.h"
#include "seesaw/version.h"
#include "summary.h"

namespace seesaw::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_coefficients = 40;

std::string name_of_weight(const Path& path, std::size_t at) {
  const std::size_t K = path.frame.outputs(), j = at / K;
  const std::string name = feature_name(path.frame, j);
  const std::string feature = j >= path.frame.features() ? "constant"
                              : name.empty()             ? fmt::format("feature {}", j + 1)
                                                         : name;
  return K == 1 ? feature : fmt::format("{} (class {})", feature, label_text(path.frame, path.frame.labels[at % K]));
}

// The weights of largest magnitude along the path, one value per model, in the order of `models`.
Json coefficients(const Path& path, const std::vector<std::size_t>& models, std::size_t& used) {
  std::vector<double> largest(path.frame.x.size());
  for (const PathPoint& point : path.points)
    for (std::size_t at = 0; at < largest.size(); ++at)
      largest[at] = std::max(largest[at], std::abs(point.point.x[at]));
  std::vector<std::size_t> order;
  for (std::size_t at = 0; at < largest.size(); ++at)
    if (largest[at] > 0) order.push_back(at);
  used = order.size();
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return largest[a] > largest[b]; });
  order.resize(std::min(order.size(), most_coefficients));
  Json all = Json::array();
  for (const std::size_t at : order) {
    Json values = Json::array();
    for (const std::size_t k : models) values.push_back(path.points[k].point.x[at]);
    all.push_back({{"name", name_of_weight(path, at)}, {"values", values}});
  }
  return all;
}

std::string penalty_of(const Path& path) {
  const PathLine& line = path.line;
  if (line.l1_alone()) return "l1";
  if (line.l1_per > 0 && line.lambda_per > 0) return fmt::format("elastic net, l1 = {:.3g} lambda", line.l1_per);
  if (line.l1_per > 0) return fmt::format("elastic net, lambda = {:.3g}", line.lambda);
  return line.l1 > 0 ? fmt::format("elastic net, l1 = {:.3g}", line.l1) : "l2";
}

}  // namespace

std::size_t PathValidation::best() const {
  std::size_t best = 0;
  for (std::size_t k = 1; k < values.size(); ++k)
    if (larger ? values[k] > values[best] : values[k] < values[best]) best = k;
  return best;
}

PathValidation validate_path(const Path& path, const Dataset& rows) {
  if (!rows.labelled) throw Error(fmt::format("{} has no labels to compare with.", rows.source));
  PathValidation result{rows.source, rows.n(), "", path.frame.classifies(), {}};
  result.measure = result.larger ? "accuracy" : "mean squared error";
  const std::size_t K = path.frame.outputs();
  for (const PathPoint& point : path.points) {
    const LinearModel model = model_of(path, point, point.certificate);
    const std::vector<double> z = decision_values(model, rows);
    double sum = 0;
    for (std::size_t i = 0; i < rows.n(); ++i) {
      const double predicted = predicted_label(model, z.data() + i * K), error = predicted - rows.labels[i];
      sum += result.larger ? static_cast<double>(error == 0) : error * error;
    }
    result.values.push_back(sum / static_cast<double>(std::max<std::size_t>(rows.n(), 1)));
  }
  return result;
}

std::string path_page_line(const Path& path, const PathPageFacts& facts) {
  std::vector<std::size_t> models(path.points.size());  // by the value shown, ascending
  for (std::size_t k = 0; k < models.size(); ++k) models[k] = path.by_C ? k : models.size() - 1 - k;
  Json line = {{"type", "path"},
               {"version", version()},
               {"data", facts.data.source},
               {"n", facts.data.n()},
               {"d", facts.data.d()},
               {"nnz", facts.data.nnz},
               {"loss", path.frame.objective.loss},
               {"penalty", penalty_of(path)},
               {"parameter", shown_parameter(path)},
               {"accuracy", path.tolerance.relative},
               {"proved", facts.proved},
               {"seconds", facts.seconds},
               {"models", Json::array()}};
  for (const std::size_t k : models) {
    Json model = point_json(path, k);
    model["value"] = shown_value(path, path.points[k].t());
    if (const auto& coverage = path.points[k].coverage) {
      const double a = shown_value(path, coverage->lower.t), b = shown_value(path, coverage->upper.t);
      model["covered"] = {std::min(a, b), std::max(a, b)};
    }
    // Towards the next value shown, which is the one before for lambda and l1.
    if (!path.by_C) {
      model.erase("relative_gap_to_next");
      if (k > 0) model["relative_gap_to_next"] = point_json(path, k - 1).value("relative_gap_to_next", Json());
    }
    if (facts.validation) model["validation"] = facts.validation->values[k];
    line["models"].push_back(std::move(model));
  }
  std::size_t used = 0;
  line["coefficients"] = coefficients(path, models, used);
  line["nonzero_anywhere"] = used;
  if (facts.validation)
    line["validation"] = {{"data", facts.validation->data},
                          {"n", facts.validation->rows},
                          {"measure", facts.validation->measure},
                          {"larger", facts.validation->larger}};
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace seesaw::app
