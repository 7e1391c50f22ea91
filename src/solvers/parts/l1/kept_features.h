// The features that are not proved to be 0, and A restricted to them: segments of its columns in memory, where these suit
// (data/column_segments.h), otherwise a copy of the rows. The products have the same bits.
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/archive.h"
#include "data/column_segments.h"
#include "data/dataset.h"
#include "data/extents.h"
#include "data/select_columns.h"
#include "solvers/parts/l1/nearest_features.h"

namespace seesaw {

// A working set of features. `columns`: the same as `rows`, where it was made from segments.
struct SetRows {
  Rows rows;
  std::optional<ColumnSegments> columns;
  std::vector<std::uint32_t> features;
};

class KeptFeatures {
 public:
  explicit KeptFeatures(const Rows& rows) : all_rows_(rows), rows_(rows) { keep_all(); }

  // From now on by segments, where that suits.
  void use_segments() {
    if (extents_of(all_rows_) != nullptr || leaves_of(all_rows_).shares() != nullptr ||
        !ColumnSegments::suit(all_rows_))
      return;
    if (entries_of(all_rows_) <= most_entries) all_columns_ = columns_ = ColumnSegments(all_rows_);
  }

  void keep_all() {
    rows_ = all_rows_;
    columns_ = all_columns_;
    features_.resize(std::visit([](const auto& a) { return a.width(); }, all_rows_));
    std::iota(features_.begin(), features_.end(), 0u);
  }
  void keep(const std::vector<std::uint32_t>& positions) { restrict_to(at(positions), positions); }
  // Some of the features of a set that was selected from these, from its rows.
  void keep_of_set(const Rows& set, const std::vector<std::uint32_t>& set_features,
                   const std::vector<std::uint32_t>& positions) {
    std::vector<std::uint32_t> features = at(positions);
    if (columns_) columns_ = all_columns_->select(features);
    else rows_ = select_columns(set, positions_in(set_features, features));
    features_ = std::move(features);
  }

  const std::vector<std::uint32_t>& features() const { return features_; }  // ascending
  bool has_segments() const { return columns_.has_value(); }                // selecting copies nothing
  double entries() const {
    return static_cast<double>(columns_ ? columns_->entries() : entries_of(rows_));  // of all processes
  }

  void multiply_transposed(const double* y, double* v) const {
    if (columns_) columns_->multiply_transposed(y, v);
    else seesaw::multiply_transposed(rows_, y, v);
  }
  SetRows select(const std::vector<std::uint32_t>& positions) const {
    std::vector<std::uint32_t> features = at(positions);
    if (!columns_) return {select_columns(rows_, positions), std::nullopt, std::move(features)};
    ColumnSegments columns = all_columns_->select(features);
    Rows rows = columns.rows();
    return {std::move(rows), std::move(columns), std::move(features)};
  }

  void serialize(Archive& archive) {
    archive.array("kept", features_);
    if (archive.saving()) return;
    const std::vector<std::uint32_t> features = features_;
    keep_all();
    if (features.size() < features_.size()) restrict_to(features, features);
  }

 private:
  static constexpr std::size_t most_entries = std::size_t{1} << 25;  // of segments: 400 MB

  std::vector<std::uint32_t> at(const std::vector<std::uint32_t>& positions) const {
    std::vector<std::uint32_t> features;
    features.reserve(positions.size());
    for (const std::uint32_t k : positions) features.push_back(features_[k]);
    return features;
  }
  void restrict_to(std::vector<std::uint32_t> features, const std::vector<std::uint32_t>& positions) {
    if (columns_) columns_ = all_columns_->select(features);
    else rows_ = select_columns(rows_, positions);
    features_ = std::move(features);
  }

  Rows all_rows_, rows_;
  std::optional<ColumnSegments> all_columns_, columns_;
  std::vector<std::uint32_t> features_;
};

}  // namespace seesaw
