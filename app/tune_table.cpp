#include "tune_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grid.h"
#include "run/lines.h"
#include "summary.h"

namespace seesaw::app {
namespace {

constexpr std::size_t widest_curve = 41, narrowest_curve = 15;

std::string loss_of(const TuneGroup& group) { return group.loss.empty() ? "logistic" : group.loss; }

std::string penalty_of(const TuneRequest& request, const TuneGroup& group) {
  std::string name = objective_of(request, group).regularizer;
  return group.mix ? fmt::format("{} {:g}", name, *group.mix) : name;
}

// As many digits as the standard error has meaning for.
std::string with_error(double mean, double error) {
  if (std::isnan(mean)) return "not a number";
  const double size = std::max(std::abs(mean), 1e-300);
  int digits = error > 0 ? 1 - static_cast<int>(std::floor(std::log10(error))) : 4;
  if (size >= 1e5 || size < 1e-3) return fmt::format("{:.4g} +- {:.1g}", mean, error);
  digits = std::clamp(digits, 0, 6);
  return fmt::format("{:.{}f} +- {:.{}f}", mean, digits, error, digits);
}

// mean +- error as |--o--| on a common scale.
class Curve {
 public:
  Curve(const TuneResult& result, std::size_t width) : width_(width) {
    for (const CandidateResult& one : result.candidates) {
      if (!one.complete() || !std::isfinite(one.mean[0])) continue;
      lo_ = std::min(lo_, one.mean[0] - one.error[0]);
      hi_ = std::max(hi_, one.mean[0] + one.error[0]);
    }
  }
  std::string row(double mean, double error) const {
    if (!std::isfinite(mean)) return "";
    std::string line(width_, ' ');
    const std::size_t from = place(mean - error), to = place(mean + error);
    for (std::size_t k = from; k <= to; ++k) line[k] = '-';
    line[from] = line[to] = '|';
    line[place(mean)] = 'o';
    return line;
  }

 private:
  std::size_t place(double value) const {
    const double at = hi_ > lo_ ? (value - lo_) / (hi_ - lo_) : 0.5;
    return static_cast<std::size_t>(std::lround(std::clamp(at, 0.0, 1.0) * static_cast<double>(width_ - 1)));
  }
  std::size_t width_;
  double lo_ = infinity, hi_ = -infinity;
};

std::string value_of(const Candidate& candidate) {
  return candidate.value ? fmt::format("{:.6g}", *candidate.value) : "-";
}

}  // namespace

std::string describe(const TuneRequest& request, const Candidate& candidate) {
  const TuneGroup& group = request.groups[candidate.group];
  std::string text = fmt::format("{}, {}", loss_of(group), penalty_of(request, group));
  if (candidate.value) text += fmt::format(", {} = {:.6g}", name_of(request.coefficient), *candidate.value);
  return text;
}

std::string tune_table(const TuneResult& result, const TuneRequest& request, std::size_t columns, bool bold) {
  bool losses = false, penalties = false;
  for (const TuneGroup& group : request.groups) {
    losses = losses || group.loss != request.groups[0].loss;
    penalties = penalties || penalty_of(request, group) != penalty_of(request, request.groups[0]);
  }
  const auto table = [&](const Curve* curve) {
    Grid grid(curve != nullptr);
    std::vector<Cell> head;
    if (losses) head.push_back({"loss"});
    if (penalties) head.push_back({"penalty"});
    head.push_back({std::string(name_of(request.coefficient))});
    for (const Metric* metric : result.metrics) head.push_back({std::string(metric->name)});
    if (curve != nullptr) head.push_back({"mean and standard error"});
    grid.add(head);
    for (std::size_t c = 0; c < result.candidates.size(); ++c) {
      const CandidateResult& one = result.candidates[c];
      const TuneGroup& group = request.groups[one.candidate.group];
      std::vector<Cell> row;
      if (losses) row.push_back({loss_of(group)});
      if (penalties) row.push_back({penalty_of(request, group)});
      row.push_back({value_of(one.candidate)});
      for (std::size_t m = 0; m < result.metrics.size(); ++m) {
        std::string text = one.complete() ? with_error(one.mean[m], one.error[m]) : "-";
        if (one.eliminated && m == 0)
          text = result.metrics[0]->higher_is_better ? fmt::format("at most {:.4g}", one.bounds.hi)
                                                     : fmt::format("at least {:.4g}", one.bounds.lo);
        row.push_back({text, m == 0 && c == result.chosen});
      }
      if (curve != nullptr) row.push_back({one.complete() ? curve->row(one.mean[0], one.error[0]) : "cannot win"});
      grid.add(row);
    }
    return grid;
  };
  const std::size_t taken = table(nullptr).width() + 2;
  if (columns < taken + narrowest_curve) return table(nullptr).text(bold);
  const Curve curve(result, std::min(widest_curve, columns - taken));
  return table(&curve).text(bold);
}

std::string tune_summary(const TuneResult& result, const TuneRequest& request) {
  const std::string metric(result.metrics[0]->name);
  const auto line = [&](const char* what, std::size_t at) {
    const CandidateResult& one = result.candidates[at];
    return fmt::format("{}: {}: {} {}\n", what, describe(request, one.candidate), metric,
                       with_error(one.mean[0], one.error[0]));
  };
  std::string text = line("best", result.best);
  if (result.one_se != result.best || request.choose == Choice::one_se)
    text += line("one standard error", result.one_se);
  std::size_t unfinished = 0;
  for (const CandidateResult& one : result.candidates)
    if (!one.eliminated)
      for (const FoldResult& fold : one.folds) unfinished += fold.status != "converged" ? 1 : 0;
  text += fmt::format("{}, {:.0f} passes", counted(result.work.fits, "fit"), result.work.passes);
  if (result.work.stopped > 0)
    text += fmt::format("; {} stopped early, as their candidates cannot win: about {:.0f} passes saved ({:.0f} %)",
                        result.work.stopped, result.work.saved_passes,
                        100 * result.work.saved_passes / (result.work.passes + result.work.saved_passes));
  text += "\n";
  if (unfinished > 0)
    text += fmt::format("{} did not converge: their values are those of the best points found\n",
                        counted(unfinished, "fit"));
  const CandidateResult& chosen = result.candidates[result.chosen];
  const bool first =
      result.chosen == 0 || result.candidates[result.chosen - 1].candidate.group != chosen.candidate.group;
  const bool last = result.chosen + 1 == result.candidates.size() ||
                    result.candidates[result.chosen + 1].candidate.group != chosen.candidate.group;
  if (chosen.candidate.value && first != last)
    text += fmt::format("the choice is at the {} end of the values of {}: a wider range may contain a better one\n",
                        first == (request.coefficient == SearchedCoefficient::C) ? "lower" : "upper",
                        name_of(request.coefficient));
  return text;
}

nlohmann::ordered_json tune_json(const TuneResult& result, const TuneRequest& request) {
  Json candidates = Json::array();
  for (const CandidateResult& one : result.candidates) {
    const TuneGroup& group = request.groups[one.candidate.group];
    Json json = {{"loss", loss_of(group)}, {"penalty", objective_of(request, group).regularizer}};
    if (group.mix) json["mix"] = *group.mix;
    if (one.candidate.value) json[std::string(name_of(request.coefficient))] = *one.candidate.value;
    json["eliminated"] = one.eliminated;
    if (one.eliminated) json["bounds"] = {finite_or_null(one.bounds.lo), finite_or_null(one.bounds.hi)};
    for (std::size_t m = 0; m < result.metrics.size() && one.complete(); ++m) {
      Json folds = Json::array();
      for (const FoldResult& fold : one.folds) folds.push_back(finite_or_null(fold.values[m]));
      json["metrics"][std::string(result.metrics[m]->name)] = {
          {"mean", finite_or_null(one.mean[m])}, {"error", finite_or_null(one.error[m])}, {"folds", folds}};
    }
    Json status = Json::array(), passes = Json::array(), nonzeros = Json::array();
    for (const FoldResult& fold : one.folds) {
      status.push_back(fold.status);
      passes.push_back(fold.passes);
      nonzeros.push_back(fold.nonzeros);
    }
    json["status"] = status;
    json["passes"] = passes;
    json["nonzeros"] = nonzeros;
    candidates.push_back(std::move(json));
  }
  Json metrics = Json::array();
  for (const Metric* metric : result.metrics)
    metrics.push_back({{"name", metric->name}, {"higher_is_better", metric->higher_is_better}});
  return {{"coefficient", name_of(request.coefficient)},
          {"metrics", metrics},
          {"candidates", candidates},
          {"best", result.best},
          {"one_se", result.one_se},
          {"chosen", result.chosen},
          {"fits", result.work.fits},
          {"stopped_early", result.work.stopped},
          {"passes", result.work.passes},
          {"saved_passes", result.work.saved_passes}};
}

std::string describe(const CalibrationCheck& check) {
  return fmt::format(
      "of the validated rows, each fold calibrated by the others: Brier score {:.4f}, log loss {:.4f}; 1 / (1 + "
      "exp(-z)) "
      "of the scores: {:.4f}, {:.4f}",
      check.after.brier, check.after.log_loss, check.before.brier, check.before.log_loss);
}

nlohmann::ordered_json json_of(const CalibrationCheck& check) {
  const auto one = [](const Reliability& of) {
    nlohmann::ordered_json json = {{"brier", of.brier}, {"log_loss", of.log_loss}, {"bins", nlohmann::json::array()}};
    for (const ReliabilityBin& bin : of.bins)
      json["bins"].push_back({{"predicted", bin.predicted}, {"observed", bin.observed}, {"weight", bin.weight}});
    return json;
  };
  return {{"before", one(check.before)}, {"after", one(check.after)}};
}

}  // namespace seesaw::app
