#include "training_data.h"

#include <fmt/format.h>

#include "data_options.h"
#include "model/losses/loss.h"
#include "model/table_labels.h"
#include "seesaw/error.h"

namespace seesaw::app {

void check_training_data(const LoadedData& loaded, const std::string& loss, const std::string& model_format,
                         const LinearModel* warm, const std::string& warm_path) {
  refuse_unlabelled(loaded.data);
  if (warm != nullptr && (warm->table || loaded.table) && warm->feature_names != loaded.data.feature_names)
    throw Error(fmt::format("the features of {} are not those of {}: it was trained on another table.",
                            loaded.data.source, warm_path));
  const bool regression = !loss.empty() && loss_kind(loss).target == Target::number;
  if (loaded.targets && !loss.empty() && !regression)
    throw Error(
        fmt::format("--loss {} is for classes, and targets are numbers; use --loss squared or another one of "
                    "regression.",
                    loss));
  if (loaded.targets && model_format == "liblinear")
    throw Error("a LIBLINEAR model has one number to predict, not several targets; leave out --format liblinear.");
  if (!loaded.table) return;
  check_table_labels(*loaded.table, loss, loaded.data);
  if (model_format == "liblinear")
    throw Error(
        "a LIBLINEAR model cannot keep how the columns of a table became features; leave out --format liblinear.");
}

}  // namespace seesaw::app
