// The problem that is solved, every number in place:
//
//     P(x, b) = sum_i c_i phi_i(a_i.x + b) + g(x)                               c_i = s_i / sum s
//
// It has one of three forms over the same data: scalar (one score per row), block (K scores per row, a loss of all of
// them, K numbers of x per feature), or one-versus-rest (K scalar problems, made by class_problem()).
//
// Form, data and loss are variants that are visited once, when an engine is built or a certificate computed; so is the
// shape of a uniform penalty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "data/columns.h"
#include "data/dataset.h"
#include "data/row_norms.h"
#include "model/column_moments.h"
#include "model/kept_facts.h"
#include "model/losses/loss.h"
#include "model/objective.h"
#include "model/penalty/penalty.h"

namespace seesaw {

struct ScalarForm {
  Loss loss;
  std::vector<double> target;  // b_i: the number to predict, or -1 / +1
};

struct BlockForm {
  BlockLoss loss;
  std::vector<std::uint32_t> class_of_row;  // b_i: an index into Problem::labels
};

struct OneVersusRestForm {
  Loss loss;                                // of each class: +1 for its rows, -1 for all others
  std::vector<std::uint32_t> class_of_row;  // an index into Problem::labels
};

struct Problem {
  const Dataset* data;  // prepared: scaled, and with the constant feature where the intercept is penalized
  const LossKind* kind;
  double loss_parameter = 0;
  std::variant<ScalarForm, BlockForm, OneVersusRestForm> form = {};
  Penalty penalty = {};
  Intercept intercept = Intercept::none;
  double intercept_scaling = 1;                // of a penalized intercept: the value of its constant feature
  std::vector<double> normalized_weight = {};  // c_i > 0, summing to 1
  double total_weight = 0;                     // sum s; n without weights
  // s_i = (weight of row i in the data) (weight of its class), a product that is not rounded in rigorous certificates;
  // empty: no class weights.
  std::shared_ptr<const std::vector<double>> class_weight_of_row = {};
  std::vector<double> labels = {};  // classification, ascending; two: the label that is -1, the one that is +1
  std::vector<LabelCount> label_counts = {};  // as far as they were counted
  std::vector<double> class_weights = {};     // classification: of each of `labels`; empty: all 1
  std::shared_ptr<ColumnCache> columns_on_demand =
      std::make_shared<ColumnCache>();  // shared by the problems of all classes
  std::shared_ptr<RowNormCache> row_norms_on_demand = std::make_shared<RowNormCache>();
  std::shared_ptr<ColumnMomentsCache> column_moments_on_demand = std::make_shared<ColumnMomentsCache>();

  std::size_t n() const { return data->n(); }                // of this process
  std::size_t all_rows() const { return data->all_rows(); }  // of all processes: for what is chosen by it
  std::size_t d() const { return data->d(); }
  bool is_scalar() const { return std::holds_alternative<ScalarForm>(form); }
  bool is_block() const { return std::holds_alternative<BlockForm>(form); }
  bool is_one_versus_rest() const { return std::holds_alternative<OneVersusRestForm>(form); }
  // These throw std::bad_variant_access if the problem has another form. Take the reference outside of loops.
  const ScalarForm& scalar() const { return std::get<ScalarForm>(form); }
  const BlockForm& block() const { return std::get<BlockForm>(form); }
  const OneVersusRestForm& one_versus_rest() const { return std::get<OneVersusRestForm>(form); }
  std::size_t outputs() const { return is_scalar() ? 1 : labels.size(); }  // scores per row
  double gamma() const {                                                   // of the loss, whatever the form
    return std::visit([](const auto& of) { return gamma_of(of.loss); }, form);
  }
  const Leaves& leaves() const { return data->leaves(); }  // of the rows: for every sum over them (base/tree_sum.h)
  const Rows& columns() const { return columns_on_demand->of(data->rows); }  // A^T, built on first use
  const std::vector<double>& squared_row_norms() const { return row_norms_on_demand->of(*data); }  // |a_i|^2
  const ColumnMoments& column_moments() const { return column_moments_on_demand->of(*this); }
  bool free_intercept() const { return intercept == Intercept::free; }
};

// "-1 and 1", "1, 2, 3"; of more than 12 labels the first ten and the last.
std::string listed_labels(const std::vector<double>& labels);

// Chooses defaults, maps labels, resolves coefficients. Throws Error or InvalidOption with a sentence. The data must
// outlive the problem. `facts`: of this data, where they are kept for several problems.
Problem make_problem(const Dataset& data, const Objective& objective,
                     const std::shared_ptr<KeptFacts>& facts = nullptr);

// The same problem on other data with the same labels and weights; the data must outlive it.
Problem with_data(Problem problem, const Dataset& data);

// The scalar problem of one class of a one-versus-rest problem. Normalized weights and coefficients are those of the
// whole, so that P, D and gap of the whole are the sums over the classes.
Problem class_problem(const Problem& whole, std::size_t index);

}  // namespace seesaw
