// One fold of a cross-validation: its rows, scaled as its training rows, and the problems of the candidates on them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "select/tune.h"

namespace seesaw {

struct FoldData {
  std::size_t fold = 0;
  Transform transform;
  Dataset training, validation;  // transformed
};
FoldData prepare_fold(const Dataset& data, const Folds& folds, std::size_t fold, const FitSpec& spec);

// The candidates of a group on a fold; the data must outlive it.
class FoldProblem {
 public:
  // `labels`: those of all rows. Throws Error where the training rows of the fold do not have all of them.
  FoldProblem(const FoldData& data, const TuneRequest& request, const TuneGroup& group,
              const std::vector<double>& labels);

  Problem at(const std::optional<double>& value) const;
  Penalty penalty_at(const std::optional<double>& value) const;
  const FoldData& data() const { return data_; }
  const LinearModel& frame() const { return frame_; }  // loss and labels of its models
  double quantile() const { return quantile_; }

  std::vector<double> scores(const Point& point) const;  // of the validation rows
  std::vector<double> measure(const std::vector<const Metric*>& metrics, const std::vector<double>& scores) const;

 private:
  const FoldData& data_;
  const TuneRequest& request_;
  PathLine line_;
  bool has_coefficient_;
  Problem problem_;  // at t = 1
  LinearModel frame_;
  double quantile_ = 0.5;
};

}  // namespace seesaw
