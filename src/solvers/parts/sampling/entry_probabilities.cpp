#include "solvers/parts/sampling/entry_probabilities.h"

#include <algorithm>
#include <cmath>

#include "solvers/parts/dual/free_intercept.h"

namespace seesaw {
namespace {

// visit(row, column, value)
template <class Visit>
void for_each_entry(const Problem& problem, double bias_entry, const Visit& visit) {
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < rows.count(); ++i) {
          for_each(rows.row(i), [&](std::size_t j, double value) { visit(i, j, value); });
          if (bias_entry > 0) visit(i, problem.d(), bias_entry);
        }
      },
      problem.data->rows);
}

std::vector<std::uint32_t> places_above_zero(const std::vector<double>& values) {
  std::vector<std::uint32_t> places;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (values[k] > 0) places.push_back(static_cast<std::uint32_t>(k));
  return places;
}

}  // namespace

// t gives the intercept's column the norm of the largest other column: with a smaller norm the intercept converges
// slowly, with a larger one all steps become shorter.
EntryFacts::EntryFacts(const Problem& problem) {
  const std::size_t d = problem.d(), width = d + (problem.free_intercept() ? 1 : 0);
  row_size.resize(problem.n());
  column_size.resize(width);
  row_norm.resize(problem.n());
  column_norm.resize(width);
  for_each_entry(problem, 0, [&](std::size_t i, std::size_t j, double value) {
    row_norm[i] += value * value;
    column_norm[j] += problem.normalized_weight[i] * value * value;
    ++row_size[i];
    ++column_size[j];
  });
  if (problem.free_intercept()) {
    const double longest = *std::max_element(column_norm.begin(), column_norm.end());
    const double square = squared_bias_entry(problem, std::vector<double>(problem.n(), 3 * longest),
                                             problem.penalty.l2(), problem.gamma());
    bias_entry = std::sqrt(square);
    column_norm[d] = square;  // normalized weights sum to 1
    column_size[d] = static_cast<double>(problem.n());
    for (double& norm : row_norm) norm += square;
    for (double& size : row_size) ++size;
  }
  rows = places_above_zero(row_norm);
  columns = places_above_zero(column_norm);
  for (std::size_t i = 0; i < row_norm.size(); ++i)
    row_norm[i] = std::sqrt(n() * problem.normalized_weight[i] * row_norm[i]);
  for (double& norm : column_norm) norm = std::sqrt(n() * norm);
  for (std::uint32_t i : rows) entries += row_size[i];
}

EntryProbabilities::EntryProbabilities(const EntryFacts& facts, EntrySampling sampling, double delta)
    : facts_(facts),
      sampling_(sampling),
      nonzeros_(sampling == EntrySampling::nonzeros),
      delta_(delta),
      p_(facts.row_size.size()),
      q_(facts.column_size.size()) {
  build_static();
}

void EntryProbabilities::set_delta(double delta) {
  delta_ = delta;
  if (sampling_ == EntrySampling::norms) build_static();
}

void EntryProbabilities::build_static() {
  const bool norms = sampling_ == EntrySampling::norms;
  const double by_norm = nonzeros_ ? 1 : norms ? delta_ : 0;
  build({facts_.rows, norms ? facts_.row_norm : facts_.row_size, by_norm}, p_, row_table_);
  build({facts_.columns, norms ? facts_.column_norm : facts_.column_size, by_norm}, q_, column_table_);
}

void EntryProbabilities::follow(std::span<const double> row_scores, std::span<const double> column_scores) {
  build({facts_.rows, row_scores, delta_}, p_, row_table_);
  build({facts_.columns, column_scores, delta_}, q_, column_table_);
}

void EntryProbabilities::build(const Mixture& mixture, std::vector<double>& probability, AliasTable& table) {
  double total = 0;
  for (std::uint32_t k : mixture.indices) total += mixture.scores[k];
  const double even = (1 - mixture.delta) / static_cast<double>(mixture.indices.size());
  listed_.clear();
  for (std::uint32_t k : mixture.indices) {
    probability[k] = even + mixture.delta * (mixture.scores[k] / total);
    listed_.push_back(probability[k]);
  }
  table.build(mixture.indices, listed_);
}

EntryFeedback feedback_of(const Problem& problem, const EntryFacts& facts, const EntryProbabilities& probabilities) {
  EntryFeedback feedback;
  std::vector<double> row(facts.row_size.size()), column(facts.column_size.size());
  const double scale = 1 / (facts.n() * facts.d() * facts.d());
  for_each_entry(problem, facts.bias_entry, [&](std::size_t i, std::size_t j, double value) {
    if (value == 0) return;
    const double probability = probabilities.entry(i, j),
                 noise = scale * problem.normalized_weight[i] * value * value / probability;
    row[i] += noise;
    column[j] += noise;
    feedback.once = std::max(feedback.once, noise / probability);
  });
  for (const std::vector<double>* sums : {&row, &column})
    for (double sum : *sums) feedback.noise = std::max(feedback.noise, sum);
  return feedback;
}

}  // namespace seesaw
