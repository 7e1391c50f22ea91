#include "select/path_request.h"

#include <fmt/format.h>

#include <cmath>

#include "model/penalty/penalty_kinds.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

std::string shown(const Interval& range) { return fmt::format("{}:{}", range.lo, range.hi); }

void check_range(const char* name, const std::optional<Interval>& range) {
  if (!range) return;
  if (!(range->lo > 0 && range->lo < range->hi && std::isfinite(range->hi)))
    throw InvalidOption(name, shown(*range), "a range is SMALLER:LARGER with two numbers above 0");
}

// The smallest l1 that gives x = 0, a little more for rounding: make_problem() takes a tenth of it by default. It may be
// 0, which the elastic net allows.
double smallest_l1_of_zero(const Dataset& prepared, Objective objective) {
  objective.regularizer = "elastic-net";
  objective.lambda.reset();
  objective.C.reset();
  objective.l1.reset();
  return make_problem(prepared, objective).penalty.l1() * 10 * (1 + 1e-12);
}

}  // namespace

void validate(const PathRequest& request) {
  check_range("C", request.C);
  check_range("lambda", request.lambda);
  check_range("l1", request.l1);
  if (request.C.has_value() + request.lambda.has_value() + request.l1.has_value() > 1)
    throw Error("a path varies one coefficient: give one range, of `C`, `lambda` or `l1`.");
  if (!(request.accuracy >= 1e-9 && request.accuracy <= 1))
    throw InvalidOption("accuracy", fmt::format("{}", request.accuracy), "it must be a number in [1e-9, 1]");
  if (request.mix && !(*request.mix > 0 && *request.mix < 1))
    throw InvalidOption("mix", fmt::format("{}", *request.mix),
                        "it must be a number in (0, 1); without it, `penalty` l1 is the mix 1 and l2 the mix 0");
  if (request.points == 1 || request.points > 100000)
    throw InvalidOption("points", fmt::format("{}", request.points), "it must be a whole number from 2 to 100000");
  const Objective& kept = request.fit.objective;
  if (kept.C) throw InvalidOption("C", fmt::format("{}", *kept.C), "a path needs a range SMALLER:LARGER");
  if (request.mix && kept.l1) throw Error("`mix` sets `l1` from `lambda`; omit one of them.");
  if (request.mix && kept.lambda)
    throw InvalidOption("lambda", fmt::format("{}", *kept.lambda), "with `mix`, it needs a range SMALLER:LARGER");
}

ResolvedPath resolve_path(const Dataset& prepared, const Objective& given, const PathRequest& request) {
  validate(request);
  Objective objective = given;
  std::string name = objective.regularizer;
  const bool varies_l1 = request.l1.has_value();
  if (name.empty()) {
    if (varies_l1) name = objective.lambda && *objective.lambda > 0 ? "elastic-net" : "l1";
    else name = request.mix || (objective.l1 && *objective.l1 > 0) ? "elastic-net" : "l2";
  }
  const PenaltyKind& kind = penalty_kind(name);
  objective.regularizer = name;
  if (!kind.l2 && !kind.l1) throw Error("a path needs a penalty: choose `penalty` l2, elastic-net or l1.");
  if (request.mix && !(kind.l1 && kind.l2))
    throw Error(fmt::format("`mix` belongs to `penalty` elastic-net, not to {}; omit it.", name));
  if (request.lambda && !kind.l2)
    throw Error(fmt::format("`penalty` {} does not use `lambda`; omit one of them.", name));
  if (varies_l1 && !kind.l1) throw Error(fmt::format("`penalty` {} does not use `l1`; omit one of them.", name));
  if (objective.l1 && *objective.l1 > 0 && !kind.l1)
    throw Error(fmt::format("`penalty` {} does not use `l1`; omit one of them.", name));

  PathLine line;
  if (!kind.l2) {
    if (objective.lambda && *objective.lambda > 0)
      throw Error(fmt::format("`penalty` {} does not use `lambda`; omit one of them.", name));
    if (objective.l1)
      throw InvalidOption("l1", fmt::format("{}", *objective.l1), "a path of l1 needs a range SMALLER:LARGER");
    line.l1_per = 1;
  } else if (varies_l1) {
    if (request.mix) throw Error("with `mix`, give the range of `lambda` or of `C`, not of `l1`.");
    if (!objective.lambda || !(*objective.lambda > 0))
      throw Error("a path of `l1` with `penalty` elastic-net needs one number for `lambda`.");
    line.lambda = *objective.lambda;
    line.l1_per = 1;
  } else {
    if (objective.lambda)
      throw InvalidOption("lambda", fmt::format("{}", *objective.lambda), "a path needs a range SMALLER:LARGER");
    line.lambda_per = 1;
    if (request.mix) line.l1_per = *request.mix / (1 - *request.mix);
    else if (kind.l1 && (!objective.l1 || !(*objective.l1 > 0)))
      throw Error("a path with `penalty` elastic-net needs `mix`, or one number for `l1`.");
    else line.l1 = kind.l1 ? *objective.l1 : 0;
  }

  Interval range{0, 0};
  if (request.lambda) range = *request.lambda;
  else if (request.l1) range = *request.l1;
  else if (!request.C) {
    if (line.l1 > 0 || line.lambda > 0)
      throw Error("a path with one coefficient kept needs a range SMALLER:LARGER of the other.");
    const double largest = smallest_l1_of_zero(prepared, objective);
    if (!(largest > 0)) throw Error("x = 0 is optimal for every l1 here; give a range of `C`, `lambda` or `l1`.");
    range.hi = line.l1_alone() ? largest : line.l1_per > 0 ? largest / line.l1_per : largest / 1e-3;
    range.lo = range.hi * (prepared.n() < prepared.d() ? 1e-2 : 1e-4);
  }
  objective.C.reset();
  const auto problem_at = [&](double t) {
    if (kind.l2) objective.lambda = line.lambda_at(t);
    else objective.lambda.reset();
    if (kind.l1) objective.l1 = line.l1_at(t);
    else objective.l1.reset();
    return make_problem(prepared, objective);
  };
  const std::size_t points = request.points == 0 && !request.has_range() ? glmnet_points : request.points;
  if (!request.C) return {problem_at(range.hi), line, range, points};
  Problem problem = problem_at(1);
  range = {1 / (request.C->hi * problem.total_weight), 1 / (request.C->lo * problem.total_weight)};
  if (!(range.lo > 0 && std::isfinite(range.hi)))
    throw InvalidOption("C", shown(*request.C), "1 / (C sum of weights) must be finite numbers above 0");
  problem.penalty = line.penalty_at(problem.penalty, range.hi);
  return {std::move(problem), line, range, points};
}

}  // namespace seesaw
