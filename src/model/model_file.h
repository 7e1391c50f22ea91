// Our model format: one JSON object, numbers in the shortest form that reads back exactly. docs/formats.md describes
// it.
#pragma once

#include <string>

#include "model/linear_model.h"

namespace seesaw {

// Where the dual point is stored: in the model, or in PATH.dual beside it (model/dual_file.h). `by_size`: beside it if it
// has more than 1,000,000 numbers. Devices and pipes have no folder: there it is always in the model.
enum class DualPlace { by_size, in_model, beside_model };
inline constexpr std::size_t most_dual_numbers_in_model = 1000000;
bool dual_is_beside(DualPlace place, std::size_t numbers, const std::string& path);

// Written to temporary names, then renamed when both are complete; PATH.dual before the model that names it. Returns
// whether the dual point is beside it.
bool write_model(const LinearModel& model, const std::string& path, DualPlace place = DualPlace::in_model);

// Reads our format, or LIBLINEAR's text model. Throws Error with a sentence where it is neither, damaged, or newer.
// `with_dual`: also a dual point beside the model; otherwise that one is not needed, and y is empty.
LinearModel read_model(const std::string& path, bool with_dual = true);

// A model whose dual point beside it, if it is there, has not been read.
struct StoredModel {
  LinearModel model;
  std::string dual_path = {};  // empty: it is in the model, or there is none
  std::uint64_t dual_checksum = 0;
  bool has_dual() const { return !model.y.empty() || !dual_path.empty(); }
};
StoredModel open_model(const std::string& path);
void read_dual(StoredModel& stored);  // into the model

// The same in memory; `name` is for messages. A dual point beside the model is not read.
std::string model_file_text(const LinearModel& model);
LinearModel parse_model_file(const std::string& text, const std::string& name);

}  // namespace seesaw
