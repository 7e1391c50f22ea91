// The constants of the working-set method.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "model/problem.h"

namespace seesaw::working_set_settings {

inline constexpr double path_factor = 0.3;  // l1 of the next stage, relative to the largest |v_j|
inline constexpr double smallest_set = 50, largest_first_set = 200;
inline double entries_per_row(const Problem& problem) {
  return static_cast<double>(problem.data->nnz) / static_cast<double>(problem.all_rows());
}
inline std::size_t first_set_of_path(const Problem& problem) {  // its matrix costs about as much as a product
  return static_cast<std::size_t>(std::clamp(std::sqrt(2 * entries_per_row(problem)), smallest_set, largest_first_set));
}
inline constexpr std::size_t all_at_once = 64;
inline bool has_dense_rows(const Problem& problem) {
  return entries_per_row(problem) > 0.3 * static_cast<double>(problem.d());
}
inline std::size_t first_set(const Problem& problem) {  // without a path
  if (problem.d() <= all_at_once) return problem.d();
  return has_dense_rows(problem) ? 20 : 10;  // its matrix is cheap
}
// Few features are one set from the beginning, unless they are dense and many have |v_j| <= l1 at the first point: then a
// quarter
inline std::size_t first_of_few(const Problem& problem, std::size_t violators) {
  const std::size_t features = problem.d();
  const bool few = has_dense_rows(problem) && 3 * violators < 2 * features;  // products cost the size of the set
  return few ? features / 4 + 1 : features;
}
// The squared loss with at most so many features whose Gram matrix costs at most so many products by A: one set of
// all features, and no products by A^T
inline constexpr std::size_t whole_set = 512;
inline constexpr double products_of_fit = 12, products_of_path = 100;
// A sparse row costs the square of its entries, a dense one less by vector instructions
inline bool worth_whole_set(const Problem& problem, double products) {
  const double d = static_cast<double>(problem.d()), n = static_cast<double>(problem.all_rows()),
               r = entries_per_row(problem);
  const bool sparse = problem.data->rows.index() < 2 && !has_dense_rows(problem);
  const double cost = sparse ? r / 2 : n < d ? d / 16 : d / 43;
  return problem.d() <= whole_set && cost <= products;
}
// Accuracy on the set, relative to the target and to the current gap
inline constexpr double target_fraction = 0.3, gap_fraction = 0.03;
inline constexpr double complete_fraction = 0.7;   // of the target, for a set that no feature is missing from
inline constexpr double following_fraction = 1.5;  // of the target, from the beginning, along a path of problems
inline constexpr double longest_prediction = 2;    // of the last step of such a path
inline constexpr double l1_fraction = 0.1;         // and at most this fraction of l1
// But not less than this fraction of a violation outside of the set. With a path, sets are nearly right from the beginning
inline constexpr double outside_fraction = 0.3, outside_fraction_of_path = 0.1;
// Pools: features per feature of the set, at most one in so many of all
inline constexpr std::size_t size_of_pool = 8, least_per_pool = 50;
// Features proved to be 0 are removed where at most 1/4 is left; with a path, 1/16: many features have few entries
inline constexpr std::size_t screened = 4, screened_of_path = 16;
inline constexpr double last_epochs = 1000;          // times the target: a gap that one or two more sets reduce to it
inline constexpr double whole_fraction = 0.1;        // of l1 and the relative target, for a set of all features,
inline constexpr double smallest_gap = 1e-12;        // at least this
inline constexpr double accuracy_after_check = 0.1;  // factor of accuracy_ after a check that does not confirm the gap
inline constexpr double accuracy_on_same_set = 0.3;  // and if the set is complete but not solved well enough

// Below this fraction of P the proof of a gap needs twice the precision (model/rigorous), above this fraction of the
// target (run/criteria.h: well_below)
inline constexpr double exact_proof = 2e-8, well_below = 1e-3;

}  // namespace seesaw::working_set_settings
