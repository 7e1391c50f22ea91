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

// Lines may come from any file: a field of the wrong type counts as missing.
std::string text(const json& line, const char* name, const std::string& otherwise = {}) {
  const auto found = line.find(name);
  return found != line.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

bool blank(const std::string& line) { return line.find_first_not_of(" \t\r") == std::string::npos; }

// A trace of `train` has no name of its problem: "a9a, logistic, lambda 0.0001", as a study names it.
std::string problem_of(const json& header) {
  std::string name = text(header, "data");
  name = name.substr(name.find_last_of('/') + 1);
  if (const std::string loss = text(header, "loss"); !loss.empty()) name += (name.empty() ? "" : ", ") + loss;
  for (const char* coefficient : {"lambda", "l1"})
    if (const double value = number(header, coefficient, 0); value != 0)
      name += fmt::format("{}{} {:.4g}", name.empty() ? "" : ", ", coefficient, value);
  return name;
}

RunRecord begin_record(const json& header) {
  RunRecord record;
  record.key = text(header, "key");
  record.solver = text(header, "solver");
  record.label = text(header, "label", record.solver);
  record.family = text(header, "family");
  record.problem = text(header, "problem", problem_of(header));
  record.experiment = text(header, "experiment");
  record.panel = text(header, "panel");
  const auto seed = header.find("seed");
  if (seed != header.end() && seed->is_number_integer()) record.seed = seed->get<std::uint64_t>();
  const auto reference = header.find("reference");
  record.reference = reference != header.end() && *reference == true;
  return record;
}

// Until version 2 lines had no type: a field that only one type has identified them.
LineType type_of(const json& line) {
  if (!line.is_object()) return LineType::other;
  const std::string type = text(line, "type");
  if (type == "header" || (type.empty() && line.contains("trace"))) return LineType::header;
  for (const char* other : {"refused", "verdict", "series", "machine", "experiment"})
    if (type == other || (type.empty() && line.contains(other))) return LineType::other;
  if (type == "end" || (type.empty() && line.contains("status"))) return LineType::end;
  if (type == "check" || (type.empty() && line.contains("passes"))) return LineType::check;
  if (type == "message" || (type.empty() && line.contains("news"))) return LineType::message;
  return LineType::other;
}

json parsed(const std::string& line) { return nested_deeper(line) ? json() : json::parse(line, nullptr, false); }

TraceRow check_of(const json& line) {
  TraceRow row{{number(line, "primal", infinity), number(line, "dual", -infinity), number(line, "gap", infinity)}};
  row.passes = number(line, "passes", 0);
  row.entry_passes = number(line, "entry_passes", 0);
  row.solve_seconds = number(line, "solve_seconds", 0);
  row.check_seconds = number(line, "check_seconds", 0);
  row.latest_primal = number(line, "latest_primal", infinity);
  row.latest_dual = number(line, "latest_dual", -infinity);
  row.nonzeros = static_cast<std::size_t>(number(line, "nonzeros", 0));
  return row;
}

}  // namespace

LineType type_of(const std::string& line) { return type_of(parsed(line)); }

std::vector<RunRecord> read_records(const std::vector<std::string>& lines, const std::string& source) {
  std::vector<RunRecord> records;
  bool inside = false;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (blank(lines[k])) continue;
    const json line = parsed(lines[k]);
    if (!line.is_object()) {
      if (k + 1 == lines.size()) break;
      throw Error(
          fmt::format("{}:{}: not a line of a trace (JSON, as written by --trace and --jsonl).", source, k + 1));
    }
    const LineType type = type_of(line);
    if (type == LineType::header) {
      records.push_back(begin_record(line));
      records.back().first_line = k;
      inside = true;
    }
    if (type == LineType::other) inside = false;
    if (!inside) continue;
    RunRecord& record = records.back();
    if (type == LineType::check) record.checks.push_back(check_of(line));
    if (type == LineType::end) {
      record.status = text(line, "status");
      record.method = text(line, "method");
      inside = false;
    }
    record.lines.push_back(lines[k]);
  }
  return records;
}

}  // namespace seesaw
