// What Data and Model hold, and how the parts of the interface reach it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "data/dataset.h"
#include "data/readers/read.h"
#include "model/folded_weights.h"
#include "model/kept_facts.h"
#include "model/linear_model.h"
#include "seesaw/data.h"
#include "seesaw/model.h"
#include "seesaw/path.h"

namespace seesaw {

struct DataState {
  explicit DataState(LoadedData loaded)
      : set(std::move(loaded.data)), table(std::move(loaded.table)), notes(std::move(loaded.notes)) {}

  std::uint64_t hash() const {
    std::call_once(hashed, [this] { hash_value = content_hash(set); });
    return hash_value;
  }

  const Dataset set;
  const std::shared_ptr<KeptFacts> facts = std::make_shared<KeptFacts>();  // of `set`, for all fits on it
  const std::optional<TableEncoding> table;
  const std::vector<std::string> notes;

 private:
  mutable std::once_flag hashed;
  mutable std::uint64_t hash_value = 0;
};

// The weights are folded once, so that one row is scored without an allocation.
struct ModelState {
  explicit ModelState(LinearModel trained) : model(std::move(trained)), folded(folded_weights(model)) {
    intercepts = folded.intercept;
    for (std::size_t k = 0; k < intercepts.size(); ++k) intercepts[k] += folded.constant[k];
  }

  const LinearModel model;
  const FoldedWeights folded;
  std::vector<double> intercepts;  // free and penalized
};

struct Access {
  static Data data(Dataset set) { return data(LoadedData{std::move(set)}); }
  static Data data(LoadedData loaded) { return Data(std::make_shared<DataState>(std::move(loaded))); }
  static ModelPath path(std::shared_ptr<const PathState> state) { return ModelPath(std::move(state)); }
  static const PathState& state(const ModelPath& path) { return *path.state_; }
  static Model model(LinearModel model) { return Model(std::make_shared<ModelState>(std::move(model))); }
  static const DataState& state(const Data& data) { return *data.state_; }
  static const ModelState& state(const Model& model) { return *model.state_; }
  static const Dataset& set(const Data& data) { return data.state_->set; }
  static const LinearModel& linear(const Model& model) { return model.state_->model; }
};

}  // namespace seesaw
