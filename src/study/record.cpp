#include "study/record.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/nesting.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

using nlohmann::json;

double number(const json& line, const char* name, double otherwise) {
  const auto found = line.find(name);
  return found != line.end() && found->is_number() ? found->get<double>() : otherwise;
}

// Lines may have come from anywhere: a field of another kind is as good as none.
std::string text(const json& line, const char* name, const std::string& otherwise = {}) {
  const auto found = line.find(name);
  return found != line.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

bool blank(const std::string& line) { return line.find_first_not_of(" \t\r") == std::string::npos; }

RunRecord begin_record(const json& header) {
  RunRecord record;
  record.key = text(header, "key");
  record.solver = text(header, "solver");
  record.label = text(header, "label", record.solver);
  record.family = text(header, "family");
  record.problem = text(header, "problem");
  record.experiment = text(header, "experiment");
  record.panel = text(header, "panel");
  const auto seed = header.find("seed");
  if (seed != header.end() && seed->is_number_integer()) record.seed = seed->get<std::uint64_t>();
  const auto reference = header.find("reference");
  record.reference = reference != header.end() && *reference == true;
  return record;
}

TraceRow check_of(const json& line) {
  TraceRow row;
  row.passes = number(line, "passes", 0);
  row.entry_passes = number(line, "entry_passes", 0);
  row.solve_seconds = number(line, "solve_seconds", 0);
  row.check_seconds = number(line, "check_seconds", 0);
  row.primal = number(line, "primal", infinity);
  row.dual = number(line, "dual", -infinity);
  row.gap = number(line, "gap", infinity);
  row.latest_primal = number(line, "latest_primal", infinity);
  row.latest_dual = number(line, "latest_dual", -infinity);
  row.nonzeros = static_cast<std::size_t>(number(line, "nonzeros", 0));
  return row;
}

}  // namespace

std::vector<RunRecord> read_records(const std::vector<std::string>& lines, const std::string& source) {
  std::vector<RunRecord> records;
  bool inside = false;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (blank(lines[k])) continue;
    const json line = nested_deeper(lines[k]) ? json() : json::parse(lines[k], nullptr, false);
    if (!line.is_object()) {
      if (k + 1 == lines.size()) break;
      throw Error(
          fmt::format("{}:{}: this is no line of a trace (JSON, as --trace and --jsonl write it).", source, k + 1));
    }
    if (line.contains("trace")) {
      records.push_back(begin_record(line));
      records.back().first_line = k;
      inside = true;
    } else if (!inside) {
      continue;
    } else if (line.contains("status")) {
      records.back().status = text(line, "status");
      records.back().method = text(line, "method");
    } else if (line.contains("passes")) {
      records.back().checks.push_back(check_of(line));
    } else if (!line.contains("news")) {
      inside = false;
      continue;
    }
    records.back().lines.push_back(lines[k]);
    if (line.contains("status")) inside = false;
  }
  return records;
}

}  // namespace seesaw
