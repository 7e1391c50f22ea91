// From data to model in one call: prepare, state the problem, choose the method, run, and wrap up the model with its
// proof. The program and the C++ interface both go through here.
#pragma once

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
  std::optional<std::uint64_t> data_hash = {};  // content_hash of the data, where it is known
};

struct Fit {
  LinearModel model;
  Outcome outcome;
  // Features that the certificate proves to have no weight at the optimum (model/screening.h); l1 > 0 and smooth
  // losses.
  std::optional<std::size_t> proved_zero = {};
};

// `warm`: a model to start from, as wide as the data. Its dual point is used where it is of the same data and loss,
// otherwise y_i = phi_i'(z_i) of its scores; its weights are kept until better ones are found. With several classes it
// must score the same ones.
Fit fit(const Dataset& data, const FitSpec& spec, const LinearModel* warm = nullptr, const Observers& observers = {},
        const StopAsked& stop_asked = {});

// The middle of fit(): chooses the method for a problem that is stated, and runs it, class by class where it must.
Outcome solve(const RunInfo& info, const Observers& observers = {}, const StopAsked& stop_asked = {},
              const WarmStart& begin = {});

}  // namespace seesaw
