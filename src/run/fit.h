// From data to model in one call: scale the rows, build the problem, construct the method, run it, and return the model
// with its certificate. The program and the C++ interface both use it.
#pragma once

#include <memory>
#include <optional>

#include "data/transform.h"
#include "model/linear_model.h"
#include "run/observer.h"
#include "run/run.h"
#include "run/warm_start.h"

namespace seesaw {

struct FitSpec {
  Objective objective;
  Scaling scaling = Scaling::none;
  Precision precision = Precision::exact;
  SolverSpec solver;
  Criteria criteria;
  std::optional<CheckpointSpec> checkpoint = {};
  std::optional<std::uint64_t> data_hash = {};  // content_hash of the data, where it is known
  std::shared_ptr<KeptFacts> facts = {};  // of the data, where they are kept: used if its rows are not transformed
  const Dataset* until_labels_settle = nullptr;  // end the run when no label of these rows can change
};

struct Fit {
  LinearModel model;
  Outcome outcome;
  // Features that the certificate proves to have weight 0 at the optimum (model.proved_signs); for l1 > 0 and smooth losses.
  std::optional<std::size_t> proved_zero = {};
};

// `warm`: a model to start from, with the features of the data. Its dual point is used if it belongs to the same data and
// loss, otherwise y_i = phi_i'(z_i) of its scores; its weights are kept until better ones are found. A multiclass model
// must have the same classes.
//
// On several ranks (data/share_rows.h) the model is the same on all, except y, which has the rows of the rank.
Fit fit(const Dataset& data, const FitSpec& spec, const LinearModel* warm = nullptr, const Observers& observers = {},
        const StopPredicate& should_stop = {});

// The same with less memory: a transform of the rows rewrites them in place where it can (apply_taking_rows). The data has
// no entries afterwards. With a warm start, which may need the rows as they were, this is fit().
Fit fit_taking_rows(Dataset& data, const FitSpec& spec, const LinearModel* warm, const Observers& observers,
                    const StopPredicate& should_stop);

// The part of fit() that solves a problem: constructs the method and runs it, once per class for one-versus-rest. Remark
// and choice are filled in here.
Outcome solve(const RunInfo& given, const Observers& observers = {}, const StopPredicate& should_stop = {},
              const WarmStart& begin = {}, const Checkpoints* checkpoints = nullptr);

}  // namespace seesaw
