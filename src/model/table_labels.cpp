#include "model/table_labels.h"

#include <fmt/format.h>

#include "model/losses/loss.h"
#include "seesaw/error.h"

namespace seesaw {

void check_table_labels(const TableEncoding& table, const std::string& loss, const Dataset& data) {
  const std::vector<std::string>& classes = table.label.classes;
  const bool regression = !loss.empty() && loss_kind(loss).target == Target::number;
  if (!classes.empty() && regression)
    throw Error(fmt::format("`loss` {} needs labels that are numbers, and {} of {} contains text ('{}').", loss,
                            data.label_column, data.source, classes[0]));
  if (table.label.log && !regression) throw Error("`log_target` needs a regression loss, such as `loss` squared.");
}

std::string label_name(const std::vector<std::string>& classes, double label) {
  if (!(label >= 0 && label < static_cast<double>(classes.size()))) return fmt::format("{}", label);
  return classes[static_cast<std::size_t>(label)];
}

}  // namespace seesaw
