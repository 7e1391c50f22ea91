// --blocks: groups of rows, for a loss of groups (model/groups).
#pragma once

#include <optional>
#include <string>

#include "data/readers/row_groups.h"
#include "data_options.h"

namespace seesaw::app {

struct GroupOptions {
  std::string blocks;  // qid, or a file; empty: no groups

  void declare(Command& command);
  bool given() const { return !blocks.empty(); }

  // The groups of the rows of `data`, which `reading` has read; of pairs those that the pairs are of. Nothing if not given.
  std::optional<RowGroups> read(const DataOptions& reading, const Dataset& data) const;

  std::string as_typed() const;  // preceded by a space; empty if not given

  // --blocks and a loss of groups belong together. Throws Error if one is missing, and for options that they do not support.
  bool check_loss(const std::string& loss) const;  // whether there are groups
  void check_training(const DataOptions& data, const std::string& loss, const std::string& model_format,
                      bool warm) const;
  void check_data(const DataOptions& data) const;  // throws Error for what cannot be read in groups
};

// Of a loss of groups that of a group of one row; other names as they are.
std::string loss_of_rows(const std::string& loss);

}  // namespace seesaw::app
