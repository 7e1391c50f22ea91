#include "solvers/catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "data/extents.h"
#include "seesaw/error.h"
#include "solvers/perturbed_problem.h"
#include "solvers/recipes/adaspdc.h"
#include "solvers/recipes/asdca.h"
#include "solvers/recipes/aspdc.h"
#include "solvers/recipes/auto.h"
#include "solvers/recipes/bpd.h"
#include "solvers/recipes/cdcg.h"
#include "solvers/recipes/dspdc.h"
#include "solvers/recipes/lbfgs.h"
#include "solvers/recipes/newton.h"
#include "solvers/recipes/primal_ag.h"
#include "solvers/recipes/rot.h"
#include "solvers/recipes/saga.h"
#include "solvers/recipes/sdca.h"
#include "solvers/recipes/spd1_vr.h"
#include "solvers/recipes/spdc.h"
#include "solvers/recipes/spdc_adaptive.h"
#include "solvers/recipes/spdc_sampled.h"
#include "solvers/recipes/spdhg.h"
#include "solvers/recipes/ssn.h"
#include "solvers/recipes/svrg.h"
#include "solvers/recipes/ws.h"
#include "solvers/scaled_problem.h"

namespace seesaw {

namespace {

std::vector<Recipe> all_recipes() {
  std::vector<Recipe> recipes = {
      auto_recipe(),
      // second order
      newton_recipe(),
      lbfgs_recipe(),
      ssn_recipe(),
      rot_recipe(),
      ws_recipe(),
      // dual ascent, alone and inside outer loops
      sdca_recipe(),
      cdcg_recipe(),
      catr_recipe(),
      asdca_recipe(),
      aspdc_recipe(),
      aspdc_i_recipe(),
      // stochastic primal-dual
      spdc_recipe(),
      spdc_nu_recipe(),
      spdc_lis_recipe(),
      spdc_ais_recipe(),
      adaspdc_recipe(),
      spdc_opt_recipe(),
      spdc_adaptive_recipe(),
      df_spdc_recipe(),
      adf_spdc_recipe(),
      spdhg_recipe(),
      spdhg_ais_recipe(),
      // all rows in each iteration
      bpd_recipe(),
      opt_bpd_recipe(),
      ada_bpd_recipe(),
      df_bpd_recipe(),
      primal_ag_recipe(),
      // rows and columns, or single entries
      dspdc_recipe(),
      spd1_vr_recipe(),
      // variance-reduced primal gradients
      sag_recipe(),
      saga_recipe(),
      svrg_recipe(),
      katyusha_recipe(),
  };
  describe_perturbation(recipes);
  return recipes;
}

}  // namespace

const std::vector<Recipe>& catalog() {
  static const std::vector<Recipe> recipes = all_recipes();
  return recipes;
}

const Recipe& recipe_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Recipe& recipe : catalog()) {
    if (recipe.name == name) return recipe;
    names.push_back(recipe.name);
  }
  throw InvalidOption("solver", std::string(name), fmt::format("choose one of {}", fmt::join(names, ", ")));
}

std::string methods_over_ranks() {
  std::vector<std::string_view> names;
  for (const Recipe& recipe : catalog())
    if (recipe.over_ranks) names.push_back(recipe.name);
  if (names.size() == 1) return std::string(names[0]);
  return fmt::format("{} or {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::string_view choose_over_ranks(const Problem& problem) {
  constexpr std::size_t few_features = 1000;  // a Gram matrix of this size costs less than the products it saves
  if (problem.penalty.l1() > 0) return "ws";
  if (!(problem.gamma() > 0)) return "ssn";
  return !problem.is_block() && problem.d() <= few_features ? "newton" : "lbfgs";
}

std::string family_of(const Recipe& recipe) {
  std::string words = recipe.engine;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

namespace {

std::string join_alternatives(const std::vector<std::string_view>& names) {
  if (names.size() <= 3) return fmt::format("{}", fmt::join(names, " or "));
  return fmt::format("{}, {}, {} or another of `seesaw solvers`", names[0], names[1], names[2]);
}

}  // namespace

std::unique_ptr<Solver> make_solver(const Problem& problem, const SolverSpec& spec, const Start& start) {
  if (problem.is_one_versus_rest()) throw std::logic_error("one-versus-rest is solved per class: class_problem()");
  const Recipe& recipe = recipe_named(spec.name);
  if (is_perturbed(recipe, spec)) return make_on_perturbed(recipe, problem, spec, start);
  if (const auto reason = missing(recipe, problem, spec)) {
    std::vector<std::string_view> alternatives;
    const bool on_disk = extents_of(problem.data->rows) != nullptr;
    for (const Recipe& other : catalog())  // without methods that would have to read the data first
      if ((other.unsupported_reason == nullptr || !problem.penalty.uniform() || on_disk) && !missing(other, problem))
        alternatives.push_back(other.name);
    if (!alternatives.empty())
      throw Unsupported(
          fmt::format("{} needs {}; choose `solver` {}.", recipe.name, *reason, join_alternatives(alternatives)));
    if (!problem.penalty.uniform())
      throw Unsupported(fmt::format("{} needs {}; no method supports this problem with these factors and bounds.",
                                    recipe.name, *reason));
    if (on_disk)
      throw Unsupported(
          fmt::format("{} needs {}; no method solves this problem on disk: leave out `memory`, or give more.",
                      recipe.name, *reason));
    throw Unsupported(fmt::format("{} needs {}; no method supports this problem: choose `penalty` {}.", recipe.name,
                                  *reason, problem.is_block() ? "l2 or elastic-net" : "l2, elastic-net or l1"));
  }
  if (!needs_scaling(recipe, problem.penalty)) return recipe.make(problem, spec, start);
  auto scaled = std::make_unique<ScaledProblem>(problem);
  if (const auto reason = missing(recipe, scaled->problem(), spec))
    throw Unsupported(fmt::format("{} needs {}.", recipe.name, *reason));
  return make_on_scaled(recipe, std::move(scaled), spec, start);
}

namespace {

using DescribeProblem = std::optional<std::string> (*)(const Problem&, const SolverSpec&);

// For one-versus-rest the text is that of the first class.
std::optional<std::string> text_for(DescribeProblem describe, const Problem& problem, const SolverSpec& spec) {
  if (describe == nullptr) return std::nullopt;
  const Problem one = problem.is_one_versus_rest() ? class_problem(problem, 0) : problem;
  const bool scaled = needs_scaling(recipe_named(spec.name), one.penalty);
  return scaled ? describe(ScaledProblem(one).problem(), spec) : describe(one, spec);
}

}  // namespace

std::optional<std::string> message_for(const Problem& problem, const SolverSpec& spec) {
  return text_for(recipe_named(spec.name).message, problem, spec);
}

std::optional<std::string> choice_for(const Problem& problem, const SolverSpec& spec) {
  return text_for(recipe_named(spec.name).choice, problem, spec);
}

}  // namespace seesaw
