#include "solvers/engines/primal_dual_engine.h"

namespace seesaw {

template std::unique_ptr<Solver> make_primal_dual_on(const SparseRows<float>&, const Problem&, PrimalDualSpec,
                                                     const Start&);

}  // namespace seesaw
