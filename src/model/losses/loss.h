// A loss is a function of the score z and the label b. It does not depend on data, solver or n.
//
//   value(b, z)          phi(z)
//   derivative(b, z)     phi'(z), a subgradient where phi is not differentiable
//   second_derivative    phi''(z), 0 where there is none
//   conjugate(b, y)      phi*(y), infinity outside domain(b)
//   dual_step(b,z,y0,q)  argmax_y  y z - phi*(y) - (q/2)(y - y0)^2: SDCA's step with q = c_i|a_i|^2/lambda, SPDC's with
//                        q = 1/sigma, and phi'(z) with q = 0
//   projected_gradient(b, z, y)  violation of optimality by y alone; for shrinking, if can_shrink
//   gamma, delta         phi is (1/gamma)-smooth (0: not smooth) and delta-strongly convex
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "model/losses/logistic.h"
#include "model/losses/multiclass_hinge.h"
#include "model/losses/piecewise_quadratic.h"
#include "model/losses/softmax.h"

namespace seesaw {

using Loss = std::variant<PiecewiseQuadratic, Logistic>;

// Losses of K scores, one per class: z and y are blocks of K numbers, b is the index of the row's class, and
// p = y + e_b lies in the simplex. The same functions as above; blocks are
// written to an output argument. projected_gradient() has margin > 0 if p is at a vertex and optimal there.
using BlockLoss = std::variant<Softmax, MulticlassHinge>;

// The adapter: phi_g* = phi* + (g/2) y^2. phi - g/2 max y^2 <= phi_g <= phi, and phi_g is (1/(gamma + g))-smooth.
Loss smoothed(const Loss& loss, double g);
BlockLoss smoothed(const BlockLoss& loss, double g);

double gamma_of(const Loss& loss);  // 0: not smooth
double gamma_of(const BlockLoss& loss);
double delta_of(const Loss& loss);

enum class Target { number, sign, index };  // what b is: the label as a number, -1 / +1, or the index of the class

struct LossParameter {
  std::string_view name = {};  // the option; empty where the loss has none
  double standard = 0;         // its default
  std::string_view rule = {};  // what is allowed, in words
  bool (*allowed)(double) = nullptr;
};

struct LossKind {
  std::string_view name;
  Target target;
  std::string_view formula;  // in z = a.x + intercept and b
  LossParameter parameter = {};
  Loss (*make)(double parameter) = nullptr;
  BlockLoss (*make_block)(std::size_t classes) = nullptr;  // of the two that score all classes at once

  double gamma() const { return make != nullptr ? gamma_of(make(parameter.standard)) : gamma_of(make_block(2)); }
};

// The only lists of losses: those of one score, and those of a score for every class.
const std::vector<LossKind>& loss_kinds();
const std::vector<LossKind>& block_loss_kinds();
const LossKind& loss_kind(std::string_view name);  // throws InvalidOption

}  // namespace seesaw
