#include "run/warm_start.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seesaw/error.h"

namespace seesaw {
namespace {

bool same(const Transform& a, const Transform& b) {
  return a.constant_feature == b.constant_feature && a.constant_value == b.constant_value && a.scaling == b.scaling &&
         a.factor == b.factor && a.column_factors == b.column_factors;
}

// The scores z_i of the rows under the model's own scaling: K numbers per row.
std::vector<double> scores(const LinearModel& model, const TrainingData& data) {
  const std::size_t K = model.outputs();
  std::vector<double> z(data.raw.n() * K);
  if (same(model.transform, data.transform)) multiply(data.prepared.rows, model.x.data(), z.data(), K);
  else multiply(apply(model.transform, data.raw).rows, model.x.data(), z.data(), K);
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += model.intercept[i % K];
  return z;
}

// y_i = phi_i'(z_i), in place of the scores.
void to_derivatives(const Problem& problem, std::vector<double>& z) {
  const std::size_t n = problem.n(), K = problem.outputs();
  if (problem.is_scalar()) {
    std::visit(
        [&, &target = problem.scalar().target](const auto& loss) {
          for (std::size_t i = 0; i < n; ++i) z[i] = loss.derivative(target[i], z[i]);
        },
        problem.scalar().loss);
  } else if (problem.is_block()) {
    std::visit(
        [&, &class_of_row = problem.block().class_of_row](const auto& loss) {
          std::vector<double> y(K);
          for (std::size_t i = 0; i < n; ++i) {
            loss.derivative(class_of_row[i], &z[i * K], y.data());
            std::copy(y.begin(), y.end(), &z[i * K]);
          }
        },
        problem.block().loss);
  } else {
    std::visit(
        [&, &class_of_row = problem.one_versus_rest().class_of_row](const auto& loss) {
          for (std::size_t at = 0; at < n * K; ++at)
            z[at] = loss.derivative(class_of_row[at / K] == at % K ? 1 : -1, z[at]);
        },
        problem.one_versus_rest().loss);
  }
}

void require_same_shape(const LinearModel& warm, const TrainingData& data, const Problem& problem) {
  if (warm.features() != data.raw.d())
    throw Error(fmt::format("the warm start has {} features, {} has {}; use a model with the same features.",
                            warm.features(), data.raw.source, data.raw.d()));
  if (warm.outputs() == problem.outputs() && (problem.outputs() == 1 || warm.labels == problem.labels)) return;
  const auto describe = [](std::size_t outputs, const std::vector<double>& labels) {
    if (outputs == 1) return std::string("one score per row");
    if (labels.size() > 20) return fmt::format("one score for each of {} classes", labels.size());
    return fmt::format("one score for each of the classes {}", fmt::join(labels, ", "));
  };
  throw Error(fmt::format("the warm start has {}, but {} with the loss {} needs {}; use a model of the same kind.",
                          describe(warm.outputs(), warm.labels), data.raw.source, problem.kind->name,
                          describe(problem.outputs(), problem.labels)));
}

}  // namespace

WarmStart start_from(const LinearModel& warm, const TrainingData& data, const Problem& problem) {
  require_same_shape(warm, data, problem);
  WarmStart result;
  std::vector<double>& y = result.start.y;
  result.start.intercept = warm.intercept;
  if (warm.y.size() == data.raw.n() * problem.outputs() && warm.data_hash == data.hash &&
      warm.objective.loss == problem.kind->name) {
    y = warm.y;
  } else {
    y = scores(warm, data);
    to_derivatives(problem, y);
  }
  if (same(warm.transform, data.transform)) {
    result.start.x = warm.x;
    if (problem.penalty.has_bounds())
      for (std::size_t at = 0; at < result.start.x.size(); ++at)
        result.start.x[at] = problem.penalty.bounds(at / problem.outputs()).clip(result.start.x[at]);
    result.known = Point{result.start.x, warm.intercept, y};
  }
  return result;
}

WarmStart of_class(const WarmStart& whole, std::size_t index, std::size_t classes) {
  const auto part = [&](const std::vector<double>& all) {
    std::vector<double> one;
    for (std::size_t at = index; at < all.size(); at += classes) one.push_back(all[at]);
    return one;
  };
  WarmStart result;
  result.start.y = part(whole.start.y);
  result.start.x = part(whole.start.x);
  if (!result.start.y.empty()) result.start.intercept = part(whole.start.intercept);
  if (whole.known) result.known = Point{part(whole.known->x), part(whole.known->intercept), part(whole.known->y)};
  return result;
}

}  // namespace seesaw
