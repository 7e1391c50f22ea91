// The options of seesaw tune: candidates, folds and metrics.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data_options.h"
#include "objective_options.h"
#include "select/tune.h"

namespace seesaw::app {

struct TuneOptions {
  void declare(Command& command);
  TuneRequest request() const;  // throws for options that exclude each other
  Folds folds_of(const Dataset& rows, const TuneRequest& request) const;
  std::string describe(const Folds& division, bool numbers) const;  // "5 folds, stratified by label, seed 1"

  DataOptions data;
  ObjectiveOptions objective;
  std::string model_path;
  std::vector<std::string> losses, penalties, metrics;
  std::vector<double> mixes;
  std::optional<std::string> C, lambda, l1;
  std::uint64_t folds = 5;
  std::string fold_file, choose = "best", eliminate = "on", calibrate;
  bool forward = false;
  std::optional<double> gap, max_passes;
  SolverSpec solver;
  std::string jsonl_path, report_path;
  bool json = false, quiet = false;
  const Command* given = nullptr;  // as parsed
  std::string command_line;
};

}  // namespace seesaw::app
