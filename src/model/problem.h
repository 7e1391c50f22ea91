// The problem that is solved, every number in place:
//
//     P(x, b) = sum_i c_i phi_i(a_i.x + b) + g(x)                               c_i = s_i / sum s
//
// With a block loss there are K scores a row, x has K numbers a feature, and phi_i takes them all. With a binary loss
// and more than two labels the problem is separable, one class against the rest: class_problem() makes the problem of
// each.
//
// Data and loss are held as variants and visited once, when an engine is built or a certificate computed; so is the
// shape of a uniform penalty.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/columns.h"
#include "data/dataset.h"
#include "data/row_norms.h"
#include "model/losses/loss.h"
#include "model/objective.h"
#include "model/penalty/penalty.h"

namespace seesaw {

struct Problem {
  const Dataset* data;  // prepared: scaled, and with the constant feature where the intercept is penalized
  const LossKind* kind;
  double loss_parameter = 0;
  Loss loss;                                 // of one score; meaningless where block_loss is set
  std::optional<BlockLoss> block_loss = {};  // of a score for every class at once
  Penalty penalty = {};
  Intercept intercept = Intercept::none;
  double intercept_scaling = 1;                // of a penalized intercept: the value of its constant feature
  std::vector<double> target = {};             // b_i: -1 / +1, the label as a number, or the index of the class
  std::vector<double> normalized_weight = {};  // c_i > 0, summing to 1
  double total_weight = 0;                     // sum s; n without weights
  // s_i = (weight of row i in the data) (weight of its class), a product that is not rounded in rigorous certificates;
  // empty: no class weights.
  std::shared_ptr<const std::vector<double>> class_weight_of_row = {};
  std::vector<double> labels = {};  // classification, ascending; two: the label that is -1, the one that is +1
  bool one_versus_rest = false;     // solved class by class: `target` is the index of the class, `loss` that of each
  std::vector<LabelCount> label_counts = {};  // as far as they were counted
  std::vector<double> class_weights = {};     // classification: of each of `labels`; empty: all 1
  std::shared_ptr<ColumnCache> columns_on_demand =
      std::make_shared<ColumnCache>();  // shared by the problems of all classes
  std::shared_ptr<RowNormCache> row_norms_on_demand = std::make_shared<RowNormCache>();

  std::size_t n() const { return data->n(); }
  std::size_t d() const { return data->d(); }
  std::size_t outputs() const {  // scores a row
    return block_loss || one_versus_rest ? labels.size() : 1;
  }
  double gamma() const { return block_loss ? gamma_of(*block_loss) : gamma_of(loss); }
  const Leaves& leaves() const { return data->leaves(); }  // of the rows: for every sum over them (base/tree_sum.h)
  const Rows& columns() const { return columns_on_demand->of(data->rows); }  // A^T, built on first use
  const std::vector<double>& squared_row_norms() const { return row_norms_on_demand->of(*data); }  // |a_i|^2
  bool free_intercept() const { return intercept == Intercept::free; }
};

// Chooses defaults, maps labels, resolves coefficients. Throws Error or InvalidOption with a sentence. The data must
// outlive the problem.
Problem make_problem(const Dataset& data, const Objective& objective);

// The same problem on other data with the same labels and weights; the data must outlive it.
Problem with_data(Problem problem, const Dataset& data);

// One of the problems that a one-versus-rest problem consists of: +1 for the class, -1 for all others. Shares and
// coefficients are those of the whole, so that P, D and gap of the whole are the sums over the classes.
Problem class_problem(const Problem& whole, std::size_t index);

}  // namespace seesaw
