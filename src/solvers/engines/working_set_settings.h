// The constants of the working-set method.
#pragma once

#include <cstddef>

namespace seesaw::working_set_settings {

inline constexpr double path_factor = 0.3;  // l1 of the next stage, relative to the largest |v_j|
inline constexpr double smallest_set = 50, largest_first_set = 200;
// The squared loss with at most so many features whose Gram matrix costs at most so many products by A: one set of
// all features, and no products by A^T
inline constexpr std::size_t whole_set = 512;
inline constexpr double products_of_fit = 12, products_of_path = 100;
// Accuracy on the set, relative to the target and to the current gap
inline constexpr double target_fraction = 0.3, gap_fraction = 0.03;
inline constexpr double following_fraction = 1.5;    // of the target, from the beginning, along a path of problems
inline constexpr double longest_prediction = 2;      // of the last step of such a path
inline constexpr double l1_fraction = 0.1;           // and at most this fraction of l1
inline constexpr double accuracy_after_check = 0.1;  // factor of accuracy_ after a check that does not confirm the gap
inline constexpr double accuracy_on_same_set = 0.3;  // and if the set is complete but not solved well enough

}  // namespace seesaw::working_set_settings
