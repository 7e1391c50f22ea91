// The features that are not proved to be 0, or for a while a pool of them, and A restricted to these: segments of its
// columns in memory, where these suit (data/column_segments.h), otherwise a copy of the rows. The products have the same
// bits.
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

// Some features of A. `columns`: the same as `rows`, where these were made from segments.
struct SetRows {
  Rows rows;
  std::optional<ColumnSegments> columns;
  std::vector<std::uint32_t> features;
};

class KeptFeatures {
 public:
  explicit KeptFeatures(const Rows& rows) : all_rows_(rows), kept_{rows, std::nullopt, {}} { keep_all(); }

  // From now on by segments, where that suits.
  void use_segments() {
    if (extents_of(all_rows_) != nullptr || leaves_of(all_rows_).shares() != nullptr ||
        !ColumnSegments::suit(all_rows_))
      return;
    if (entries_of(all_rows_) <= most_entries) all_columns_ = kept_.columns = ColumnSegments(all_rows_);
  }

  void keep_all() {
    without_pool_.reset();
    kept_.rows = all_rows_;
    kept_.columns = all_columns_;
    kept_.features.resize(std::visit([](const auto& a) { return a.width(); }, all_rows_));
    std::iota(kept_.features.begin(), kept_.features.end(), 0u);
  }
  void keep(const std::vector<std::uint32_t>& positions) { restrict_to(at(positions), positions); }
  // Some of the features of a set that was selected from these, from its rows.
  void keep_of_set(const Rows& set, const std::vector<std::uint32_t>& set_features,
                   const std::vector<std::uint32_t>& positions) {
    std::vector<std::uint32_t> features = at(positions);
    if (kept_.columns) kept_.columns = all_columns_->select(features);
    else kept_.rows = select_columns(set, positions_in(set_features, features));
    kept_.features = std::move(features);
  }

  // From now on a pool of the features, until it is left. False: there is none.
  void enter_pool(const std::vector<std::uint32_t>& positions) {
    without_pool_ = kept_;
    keep(positions);
  }
  bool leave_pool() {
    if (!without_pool_) return false;
    kept_ = std::move(*without_pool_);
    without_pool_.reset();
    return true;
  }
  bool in_pool() const { return without_pool_.has_value(); }

  const std::vector<std::uint32_t>& features() const { return kept_.features; }  // ascending
  bool has_segments() const { return kept_.columns.has_value(); }                // selecting copies nothing
  double entries() const {                                                       // of all processes
    return static_cast<double>(kept_.columns ? kept_.columns->entries() : entries_of(kept_.rows));
  }

  void multiply_transposed(const double* y, double* v) const {
    if (kept_.columns) kept_.columns->multiply_transposed(y, v);
    else seesaw::multiply_transposed(kept_.rows, y, v);
  }
  SetRows select(const std::vector<std::uint32_t>& positions) const {
    std::vector<std::uint32_t> features = at(positions);
    if (!kept_.columns) return {select_columns(kept_.rows, positions), std::nullopt, std::move(features)};
    ColumnSegments columns = all_columns_->select(features);
    Rows rows = columns.rows();
    return {std::move(rows), std::move(columns), std::move(features)};
  }

  void serialize(Archive& archive) {
    bool pool = in_pool();
    archive.numbers("pool", pool);
    if (archive.saving()) {
      if (pool) archive.array("kept", without_pool_->features);
      archive.array("kept", kept_.features);
      return;
    }
    keep_all();
    restore_features(archive);
    if (!pool) return;
    without_pool_ = kept_;
    restore_features(archive);
  }

 private:
  static constexpr std::size_t most_entries = std::size_t{1} << 25;  // of segments: 400 MB

  std::vector<std::uint32_t> at(const std::vector<std::uint32_t>& positions) const {
    std::vector<std::uint32_t> features;
    features.reserve(positions.size());
    for (const std::uint32_t k : positions) features.push_back(kept_.features[k]);
    return features;
  }
  void restrict_to(std::vector<std::uint32_t> features, const std::vector<std::uint32_t>& positions) {
    if (kept_.columns) kept_.columns = all_columns_->select(features);
    else kept_.rows = select_columns(kept_.rows, positions);
    kept_.features = std::move(features);
  }
  void restore_features(Archive& archive) {
    std::vector<std::uint32_t> features;
    archive.array("kept", features);
    if (features.size() < kept_.features.size()) keep(positions_in(kept_.features, features));
  }

  Rows all_rows_;
  std::optional<ColumnSegments> all_columns_;
  SetRows kept_;
  std::optional<SetRows> without_pool_;  // in a pool: what was kept before
};

}  // namespace seesaw
