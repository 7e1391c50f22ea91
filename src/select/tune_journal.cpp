#include "select/tune_journal.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/nesting.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* type_of_lines = "folds";

Json written(const FoldResult& result) {
  Json values = Json::array();
  for (const double value : result.values) values.push_back(std::isfinite(value) ? Json(value) : Json());
  return {{"values", values},
          {"status", result.status},
          {"passes", result.passes},
          {"gap", std::isfinite(result.gap) ? Json(result.gap) : Json()},
          {"nonzeros", result.nonzeros}};
}

double number_of(const Json& json) { return json.is_null() ? std::nan("") : json.get<double>(); }

FoldResult read(const Json& json) {
  FoldResult result;
  for (const Json& value : json.at("values")) result.values.push_back(number_of(value));
  result.status = json.at("status").get<std::string>();
  result.passes = json.at("passes").get<double>();
  result.gap = number_of(json.at("gap"));
  result.nonzeros = json.at("nonzeros").get<std::size_t>();
  return result;
}

}  // namespace

TuneJournal::TuneJournal(const std::string& path) : file_(path) {
  const std::vector<std::string>& lines = file_.lines();
  for (std::size_t k = 0; k < lines.size(); ++k) try {
      if (nested_deeper(lines[k])) throw Error("nested");
      const Json json = Json::parse(lines[k]);
      if (json.at("type") != type_of_lines) throw Error("another type");
      std::vector<FoldResult> results;
      for (const Json& one : json.at("results")) results.push_back(read(one));
      found_[json.at("key").get<std::string>()] = std::move(results);
    } catch (const std::exception&) {
      // Of a search that was killed, the last line may be incomplete.
      if (k + 1 < lines.size() || (k == 0 && !lines[0].starts_with("{\"type\":\"folds\"")))
        throw Error(
            fmt::format("{}:{}: this file was not written by a cross-validation; choose another name.", path, k + 1));
      file_.keep(k);
      return;
    }
  file_.keep(lines.size());
}

std::optional<std::vector<FoldResult>> TuneJournal::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto at = found_.find(key);
  return at == found_.end() ? std::nullopt : std::optional(at->second);
}

void TuneJournal::add(const std::string& key, const std::vector<FoldResult>& results) {
  Json json = {{"type", type_of_lines}, {"key", key}, {"results", Json::array()}};
  for (const FoldResult& result : results) json["results"].push_back(written(result));
  const std::lock_guard lock(mutex_);
  file_.append(json.dump() + "\n");
  found_[key] = results;
}

}  // namespace seesaw
