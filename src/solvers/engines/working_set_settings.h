// The constants of the working-set method.
#pragma once

namespace seesaw::working_set_settings {

inline constexpr double path_factor = 0.3;  // l1 of the next stage, relative to the largest |v_j|
inline constexpr double smallest_set = 50, largest_first_set = 200;
inline constexpr int max_newton_steps = 50;
inline constexpr double slow_rate = 0.3;  // an old Hessian is kept while a step reduces the violation below this
inline constexpr double sufficient_decrease = 1e-3;  // of the predicted change of P
inline constexpr double shortest_step = 1e-8;
inline constexpr double rounding_of_primal = 1e-14;  // relative
// Damping mu of H
inline constexpr double smallest_damping = 1e-12, first_damping = 1e-4;
inline constexpr double short_step = 0.2;  // damping grows after shorter steps
// Accuracy on the set, relative to the target and to the current gap
inline constexpr double target_fraction = 0.3, gap_fraction = 0.03;
inline constexpr double l1_fraction = 0.1;           // and at most this fraction of l1
inline constexpr double accuracy_after_check = 0.1;  // factor of accuracy_ after a check that does not confirm the gap
inline constexpr double accuracy_on_same_set = 0.3;  // and if the set is complete but not solved well enough

}  // namespace seesaw::working_set_settings
