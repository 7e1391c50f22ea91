// The text of a model file (docs/formats.md), and the version numbers of reading and writing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/function_ref.h"
#include "model/linear_model.h"

namespace seesaw::model_format {

inline constexpr std::string_view format_name = "seesaw-model";
// 1: one output. 2: several. 3: both, and the certificate includes every rounding error (docs/certificates.md).
// 4: as 3, with penalty factors or bounds in the objective; models without them are written as version 3.
// 5: as 4, with the encoding of a table; models without it are written as version 3 or 4.
// 7: as 3 to 5, with several numbers to predict: several outputs, and no labels.
// 8: as 3 to 5, with a calibration, which replaces the probabilities of the loss.
inline constexpr std::uint64_t version_of_several = 2;
inline constexpr std::uint64_t rigorous_version = 3;
inline constexpr std::uint64_t version_of_feature_penalties = 4;
inline constexpr std::uint64_t version_of_tables = 5;
inline constexpr std::uint64_t unused_version = 6;
inline constexpr std::uint64_t version_of_targets = 7;
inline constexpr std::uint64_t version_of_calibration = 8;
inline constexpr std::uint64_t newest_version = 8;

std::string quoted(const std::string& name);  // as a JSON string

// The dual point in a file of its own (model/dual_file.h): its name, in the folder of the model, and its checksum.
struct DualReference {
  std::string file;
  std::uint64_t checksum = 0;
};

// write(text) for consecutive pieces of the text, of a few megabytes each.
void write_text(const LinearModel& model, const std::optional<DualReference>& dual,
                FunctionRef<void(std::string_view)> write);

}  // namespace seesaw::model_format
