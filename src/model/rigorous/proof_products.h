// The products by A and A^T of a certificate, kept for what is proved next of the same point.
#pragma once

#include <vector>

#include "model/rigorous/bounded.h"

namespace seesaw::rigorous {

// An empty vector: not computed. A product that is there has the bits that computing it again would have, except for the q
// of a method's own proof (point_proof.h), whose errors are larger.
struct ProofProducts {
  std::vector<Bounded<double>> z;  // a_i.x
  std::vector<Bounded<double>> q;  // sum_i s_i y_i a_i
  std::vector<Bounded<Twofold>> fine_q;
};

}  // namespace seesaw::rigorous
