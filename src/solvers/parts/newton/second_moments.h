// The sums of the squared loss over the rows, computed in one read of them: A^T C A, A^T C t, t^T C t, and A^T C 1 where the
// intercept is free (model/rigorous/gram_certificate.h). Everything that a fit needs of the rows but its dual point.
#pragma once

#include "model/rigorous/gram_certificate.h"

namespace seesaw {

// Whether the squared loss has these sums at the cost of at most `products` products by A, and at most 512 features.
bool worth_second_moments(const Problem& problem, double products);

// Of all processes. After a stop request the sums are incomplete.
SecondMoments second_moments(const Problem& problem);

}  // namespace seesaw
