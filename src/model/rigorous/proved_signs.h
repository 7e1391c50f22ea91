// Signs of the optimal weights that a dual point y and its gap prove, where the penalty has an l1 and the loss is smooth.
//
// y* maximizes L(x*, b*; .), which is gamma-strongly concave, P* = L(x*, b*; y*), and L(x*, b*; y) >= D_low, so
//
//     (gamma/2) sum_i c_i (y_i - y*_i)^2 <= P* - D_low <= gap        radius = sqrt(2 gap/gamma)
//
// With v = -sum_i c_i y_i a_i, and for a free intercept m_j = sum_i c_i a_ij, r = sum_i c_i y_i (sum_i c_i y*_i = 0):
//
//     |v*_j - v_j| <= sqrt(sum_i c_i (a_ij - m_j)^2) radius + |m_j r|        (no intercept: m_j = 0)
//
// Every minimizer has x*_j >= 0 if v*_j > -l1 f_j, x*_j <= 0 if v*_j < l1 f_j, and x*_j = 0 if both. Every rounding error is
// included; y need not be feasible exactly.
#pragma once

#include <string>
#include <vector>

#include "model/certificate.h"
#include "model/rigorous/bounded.h"
#include "model/rigorous/point_proof.h"

namespace seesaw {

inline constexpr char sign_zero = '0', sign_not_negative = '+', sign_not_positive = '-', sign_unknown = '?';

// One character per weight, as x; empty if nothing can be proved: a nonsmooth loss, a feature without l1, an infinite gap.
// `bounds`: of the problem, or one per class of one-versus-rest, from a dual point. `known`: sum_i s_i y_i a_i, if a
// certificate has computed it. Costs a pass, and a product by A^T where that is not known.
std::string proved_signs(const Problem& problem, const std::vector<double>& y, const std::vector<Bounds>& bounds,
                         const std::vector<rigorous::Bounded<double>>* known = nullptr);

// The same by the numbers of a proof of one score, without a pass.
std::string proved_signs_by(const Problem& problem, const std::vector<double>& y, const PointProof& proof);

// Features whose weights are proved to be 0 in all outputs.
std::size_t count_zero_features(const std::string& signs, std::size_t outputs);

}  // namespace seesaw
