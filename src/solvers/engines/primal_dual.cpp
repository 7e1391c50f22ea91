#include "solvers/engines/primal_dual.h"

#include <utility>
#include <variant>

namespace seesaw {

// Compiled in primal_dual_*.cpp.
template <class RowStorage>
std::unique_ptr<Solver> make_primal_dual_on(const RowStorage& rows, const Problem& problem, PrimalDualSpec spec,
                                            const Start& start);

std::unique_ptr<Solver> make_primal_dual(const Problem& problem, PrimalDualSpec spec, const Start& start) {
  return std::visit([&](const auto& rows) { return make_primal_dual_on(rows, problem, std::move(spec), start); },
                    problem.data->rows);
}

}  // namespace seesaw
