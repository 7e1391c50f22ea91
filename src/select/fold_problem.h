// One fold of a cross-validation: its rows, scaled as its training rows, and the problems of the candidates on them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "data/select_rows.h"
#include "select/tune.h"

namespace seesaw {

// All rows in the order of their folds, one after the other and most of them twice, so that the rows that a fold is trained
// on are contiguous: those of every fold are views of one copy.
class FoldRows {
 public:
  FoldRows(const Dataset& data, const Folds& folds)
      : training_(folds.count), validation_(folds.count), rows_(arrange_rows(data, order_of(folds))) {}

  Dataset training(std::size_t fold) const;
  Dataset validation(std::size_t fold) const;  // in the order of Folds::validation()

 private:
  struct Range {
    std::size_t begin = 0, end = 0;
  };
  std::vector<std::uint32_t> order_of(const Folds& folds);  // sets training_ and validation_
  std::vector<Range> training_, validation_;                // of each fold
  Dataset rows_;
};

struct FoldData {
  std::size_t fold = 0;
  Transform transform;
  Dataset training, validation;  // transformed
};
FoldData prepare_fold(const FoldRows& rows, std::size_t fold, const FitSpec& spec);

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
