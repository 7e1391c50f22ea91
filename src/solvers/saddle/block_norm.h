// The spectral norm of a block, which determines its steps. With q rows and m columns that have entries:
//
//     min(q, m) <= 128   the largest eigenvalue of the smaller of A A^T and A^T A: O(entries min(q, m) + min(q, m)^3)
//     otherwise          an upper bound by the Lanczos recurrence, about 40 products by A and A^T
//
// The bound is at most 1/sqrt(0.9) = 1.055 times the norm, and never above the Frobenius norm. k steps from a random
// vector of l numbers give a Ritz value below 0.9 of the largest eigenvalue with a probability of at most
// 1.648 sqrt(l) exp(-sqrt(0.1) (2k - 1)) (Kuczynski & Wozniakowski 1992): k is such that this is 1e-9.
#pragma once

#include <vector>

#include "seesaw/saddle.h"

namespace seesaw::saddle {

double block_norm(const std::vector<ScoreRow>& rows);  // at least one row, columns ascend

}  // namespace seesaw::saddle
