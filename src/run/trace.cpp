#include "run/trace.h"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "seesaw/error.h"
#include "seesaw/version.h"
#include "solvers/catalog.h"

namespace seesaw {
namespace {

nlohmann::ordered_json number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

TraceWriter::TraceWriter(std::string path) : path_(std::move(path)) {}

TraceWriter::~TraceWriter() {
  if (file_ != nullptr) std::fclose(file_);
}

void TraceWriter::line(const std::string& text) {
  if (std::fputs((text + "\n").c_str(), file_) < 0 || std::fflush(file_) != 0) complete_ = false;
}

void TraceWriter::begin(const RunInfo& info) {
  file_ = std::fopen(path_.c_str(), "wb");
  if (file_ == nullptr) throw Error(fmt::format("cannot write the trace {}: {}.", path_, std::strerror(errno)));
  const Problem& p = info.problem;
  nlohmann::ordered_json header = {{"trace", 1},
                                   {"version", version()},
                                   {"compiler", compiler()},
                                   {"cpu", cpu()},
                                   {"data", p.data->source},
                                   {"n", p.n()},
                                   {"d", p.d()},
                                   {"nnz", p.data->nnz},
                                   {"loss", p.kind->name},
                                   {"loss_parameter", number(p.kind->parameter.name.empty() ? NAN : p.loss_parameter)},
                                   {"regularizer", name_of(p.regularizer)},
                                   {"lambda", p.lambda},
                                   {"l1", p.l1},
                                   {"intercept", name_of(p.intercept)},
                                   {"one_versus_rest", p.one_versus_rest},
                                   {"labels", p.labels},
                                   {"solver", info.solver.name},
                                   {"options", info.solver.options},
                                   {"seed", info.solver.seed},
                                   {"gap", info.criteria.gap},
                                   {"gap_abs", info.criteria.gap_abs}};
  if (const auto remark = remark_on(p, info.solver)) header["remark"] = *remark;
  if (const auto choice = choice_on(p, info.solver)) header["choice"] = *choice;
  line(header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  if (!complete_) throw Error(fmt::format("cannot write the trace {}: {}.", path_, std::strerror(errno)));
}

void TraceWriter::check(const TraceRow& row) {
  nlohmann::ordered_json json = {{"passes", row.passes},
                                 {"entry_passes", row.entry_passes},
                                 {"solve_seconds", row.solve_seconds},
                                 {"check_seconds", row.check_seconds},
                                 {"primal", number(row.primal)},
                                 {"dual", number(row.dual)},
                                 {"gap", number(row.gap)},
                                 {"latest_primal", number(row.latest_primal)},
                                 {"latest_dual", number(row.latest_dual)},
                                 {"nonzeros", row.nonzeros},
                                 {"dual_point", name_of(row.dual_point)}};
  if (row.of_class) json["class"] = number(row.of_class->label);
  line(json.dump());
}

void TraceWriter::news(const std::string& sentence) {
  line(nlohmann::ordered_json{{"news", sentence}}.dump(-1, ' ', false,
                                                       nlohmann::ordered_json::error_handler_t::replace));
}

void TraceWriter::end(const Outcome& outcome) {
  nlohmann::ordered_json json = {{"status", name_of(outcome.termination)},
                                 {"primal", number(outcome.certificate.primal)},
                                 {"dual", number(outcome.certificate.dual)},
                                 {"gap", number(outcome.certificate.gap)}};
  for (const ClassCertificate& one : outcome.classes)
    json["classes"].push_back({{"label", number(one.label)},
                               {"primal", number(one.primal)},
                               {"dual", number(one.dual)},
                               {"gap", number(one.gap)}});
  line(json.dump());
}

}  // namespace seesaw
