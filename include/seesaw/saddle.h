// The separable convex-concave saddle problem with blocks of any size,
//
//     min_x max_y  L(x, y) = g(x) + sum_i c_i ( <x, A_i y_i> - phi_i*(y_i) )        A_i: d x q_i,  y_i: q_i numbers
//     P(x) = g(x) + sum_i c_i phi_i(A_i^T x)        D(y) = -g*(-sum_i c_i A_i y_i) - sum_i c_i phi_i*(y_i)
//
// from functions that the caller supplies: g and phi_i* by their proximal steps. With c_i = 1/n this is problem (2) of Zhu &
// Storkey 2015. The result has the duality gap where all values and conjugates are known, and the residuals otherwise; both
// are computed in double arithmetic, without bounds of rounding errors.
//
//     seesaw::saddle::Problem problem(d, std::make_shared<seesaw::saddle::Quadratic>(1.0, center));
//     problem.add({matrix rows}, std::make_shared<seesaw::saddle::Norm>(0.5, target));
//     const auto result = seesaw::saddle::solve(problem, {.method = seesaw::saddle::Method::bpd});
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace seesaw::saddle {

// "Not known", for values and conjugates: the result then has residuals in place of the gap.
inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// g: convex, with a proximal step.
class PrimalFunction {
 public:
  virtual ~PrimalFunction() = default;
  // x = argmin_x g(x) + |x - v|^2/(2 tau)
  virtual void prox(std::span<const double> v, double tau, std::span<double> x) const = 0;
  virtual std::size_t size() const { return 0; }  // of x; 0: any. Compared with the dimension of the problem
  virtual double value(std::span<const double>) const { return unknown; }      // g(x)
  virtual double conjugate(std::span<const double>) const { return unknown; }  // g*(v), may be infinite
  virtual double strong_convexity() const { return 0; }                        // lambda
  // x = argmax_x <v, x> - g(x), the gradient of g*; for sdca, where lambda > 0. False: not known.
  virtual bool maximizer(std::span<const double>, std::span<double>) const { return false; }
  // The same of coordinate j alone, where g is a sum over coordinates: a step of sdca then costs O(entries of the block).
  virtual double maximizer_of(std::size_t, double) const { return unknown; }
};

// phi of a block of q scores: convex; its conjugate has a proximal step.
class BlockFunction {
 public:
  virtual ~BlockFunction() = default;
  // y = argmax_y <z, y> - phi*(y) - (q/2)|y - y0|^2, q > 0: the proximal step of phi* from y0 + z/q. y is not y0.
  virtual void dual_step(std::span<const double> z, std::span<const double> y0, double q,
                         std::span<double> y) const = 0;
  virtual std::size_t size() const { return 0; }  // q; 0: any. Compared with the rows of the block
  virtual double value(std::span<const double>) const { return unknown; }      // phi(z)
  virtual double conjugate(std::span<const double>) const { return unknown; }  // phi*(y), may be infinite
  virtual double strong_convexity() const { return 0; }  // gamma, of phi*: phi is (1/gamma)-smooth
};

// A row of A_i^T: the entries of one score z = sum_j value_j x_column_j.
struct ScoreRow {
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
};

class Problem {
 public:
  // Throws InvalidArray, ShapeError or InvalidOption for input that is not allowed.
  Problem(std::size_t dimension, std::shared_ptr<const PrimalFunction> g);
  // A block of rows.size() scores with the weight c_i > 0.
  void add(const std::vector<ScoreRow>& rows, std::shared_ptr<const BlockFunction> phi, double weight = 1);

  std::size_t dimension() const { return dimension_; }
  std::size_t blocks() const { return blocks_.size(); }
  std::size_t scores() const { return offsets_.size() - 1; }  // of all blocks: the size of y
  // The spectral norm |A_i|: exact to rounding if the block has at most 128 rows, or 128 columns with entries, otherwise an
  // upper bound that is at most 1.055 times the norm.
  double norm(std::size_t block) const { return blocks_[block].norm; }

  struct Block {
    std::size_t first, size;  // scores
    double weight, norm;
    std::shared_ptr<const BlockFunction> phi;
  };
  const Block& block(std::size_t i) const { return blocks_[i]; }
  const PrimalFunction& g() const { return *g_; }
  double score(std::size_t row, std::span<const double> x) const;         // of row `row` of all scores
  void add_to(std::span<double> x, std::size_t row, double scale) const;  // x += scale (row)
  std::span<const std::uint32_t> columns(std::size_t row) const {
    return {columns_.data() + offsets_[row], offsets_[row + 1] - offsets_[row]};
  }

 private:
  std::size_t dimension_;
  std::shared_ptr<const PrimalFunction> g_;
  std::vector<Block> blocks_;
  std::vector<std::size_t> offsets_ = {0};
  std::vector<std::uint32_t> columns_;
  std::vector<double> values_;
};

// bpd: all blocks per iteration (Chambolle & Pock 2011), any convex functions.
// spdc, adaspdc: one block per step, x extrapolated, steps from the largest norm or from that of the drawn block (Zhu &
//   Storkey 2015). spdhg: one block per step, y extrapolated, blocks drawn by their norms (Chambolle et al. 2018).
// sdca: one block per step, x exact: dual ascent with the step of the block's norm.
// spdc, adaspdc and spdhg need lambda > 0 and gamma > 0 of all functions, or perturbations in their place; sdca needs
// lambda > 0 and PrimalFunction::maximizer. A step costs O(d + entries of the block); see also maximizer_of.
enum class Method { bpd, spdc, adaspdc, spdhg, sdca };

struct Settings {
  Method method = Method::bpd;
  double gap = 1e-6;          // ends when gap <= gap * max(1, |P|); without a gap when both residuals are at most this
  double max_passes = 10000;  // a pass is as many block steps as there are blocks
  std::uint64_t seed = 1;
  double perturb_primal = 0;  // adds (value/2)|x|^2 to g in the steps; the gap is that of the problem as posed
  double perturb_dual = 0;    // adds (value/2)|y_i|^2 to every phi_i* in the steps
  std::function<bool()> should_stop = {};  // asked at every check
};

struct Result {
  std::vector<double> x, y;                                // y: block after block
  double primal = unknown, dual = unknown, gap = unknown;  // of x and y, the best that were seen
  double primal_residual = 0;                              // |x - prox_g(x - sum_i c_i A_i y_i)|, tau = 1
  double dual_residual = 0;  // the norm of y_i - dual_step(A_i^T x, y_i), q = 1, over all blocks
  double passes = 0;
  bool converged = false;
};

// Throws Unsupported if the method needs strong convexity that the functions do not have.
Result solve(const Problem& problem, const Settings& settings = {});

// ---- functions with known values and conjugates ----

// (lambda/2)|x - center|^2 + l1 |x|_1; an empty center is 0, and l1 needs an empty center. lambda >= 0.
class Quadratic final : public PrimalFunction {
 public:
  explicit Quadratic(double lambda, std::vector<double> center = {}, double l1 = 0);
  void prox(std::span<const double> v, double tau, std::span<double> x) const override;
  std::size_t size() const override { return center_.size(); }
  double value(std::span<const double> x) const override;
  double conjugate(std::span<const double> v) const override;
  double strong_convexity() const override { return lambda_; }
  bool maximizer(std::span<const double> v, std::span<double> x) const override;
  double maximizer_of(std::size_t j, double v) const override;

 private:
  double lambda_, l1_;
  std::vector<double> center_;
};

// (1/2)|z - target|^2: several targets per row, or one; not empty
class SquaredDistance final : public BlockFunction {
 public:
  explicit SquaredDistance(std::vector<double> target);
  void dual_step(std::span<const double> z, std::span<const double> y0, double q, std::span<double> y) const override;
  std::size_t size() const override { return target_.size(); }
  double value(std::span<const double> z) const override;
  double conjugate(std::span<const double> y) const override;
  double strong_convexity() const override { return 1; }

 private:
  std::vector<double> target_;
};

// scale |z - target|_2, not squared: a residual norm (group-robust regression), a group penalty, isotropic total variation.
// conjugate: <target, y> where |y| <= scale
class Norm final : public BlockFunction {
 public:
  explicit Norm(double scale, std::vector<double> target = {});  // empty: 0
  void dual_step(std::span<const double> z, std::span<const double> y0, double q, std::span<double> y) const override;
  std::size_t size() const override { return target_.size(); }
  double value(std::span<const double> z) const override;
  double conjugate(std::span<const double> y) const override;

 private:
  double target(std::size_t k) const { return target_.empty() ? 0 : target_[k]; }
  double scale_;
  std::vector<double> target_;
};

// max(0, max_k 1 - b_k z_k), b_k = -1 or +1: the largest hinge of a group (multiple instances, pairs of a query).
// conjugate: -sum p with p_k = -b_k y_k >= 0 and sum p <= 1. Signs that are not empty.
class LargestHinge final : public BlockFunction {
 public:
  explicit LargestHinge(std::vector<double> signs);
  void dual_step(std::span<const double> z, std::span<const double> y0, double q, std::span<double> y) const override;
  std::size_t size() const override { return signs_.size(); }
  double value(std::span<const double> z) const override;
  double conjugate(std::span<const double> y) const override;

 private:
  std::vector<double> signs_;
};

}  // namespace seesaw::saddle
