#include "group_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/groups/group_losses.h"
#include "ranks.h"
#include "seesaw/error.h"
#include "study/command_line.h"

namespace seesaw::app {
namespace {

void refuse(bool given, const char* sentence) {
  if (given) throw Error(sentence);
}

// --blocks qid
Groups qids_of(const DataOptions& reading) {
  const bool text =
      reading.path != "-" &&
      (reading.format == "libsvm" || (reading.format == "guess" && format_of(reading.path, {}) == Format::libsvm));
  refuse(!text, "--blocks qid is for a file of LIBSVM text with qid; give --blocks FILE with a group per row.");
  return read_qids(reading.path);
}

}  // namespace

void GroupOptions::declare(Command& command) {
  command
      .add_option("--blocks", blocks,
                  "groups of rows, for a loss of groups: qid of LIBSVM text, or a file with the group of a row in each "
                  "line")
      .placeholder("qid|FILE")
      .standard("off")
      .group("Data");
}

std::optional<RowGroups> GroupOptions::read(const DataOptions& reading, const Dataset& data) const {
  if (!given()) return std::nullopt;
  if (!reading.pairs.empty()) {
    DataOptions rows = reading;
    rows.pairs.clear();
    return groups_of_pairs(rows.read().labels, blocks == "qid" ? qids_of(reading) : read_groups(blocks));
  }
  RowGroups groups = blocks == "qid" ? numbered(qids_of(reading)) : read_row_groups(blocks);
  if (!reading.weights.empty())
    if (const std::vector<double> weights = read_weights(reading.weights); weights.size() == groups.of_row.size())
      groups = with_positive_weights(groups, weights);  // the data has no rows of weight 0
  require_rows(groups, data, blocks == "qid" ? reading.path : blocks);
  return groups;
}

void GroupOptions::check_data(const DataOptions& data) const {
  if (!given()) return;
  refuse(!data.memory.empty(), "--memory does not keep groups of rows together; leave out --memory or --blocks.");
  refuse(!data.targets.empty(), "--blocks has one number to predict per row; leave out --targets.");
  refuse(!data.pairs.empty() && data.pairs != blocks,
         "--blocks and --pairs have the same groups where both are given; give both the same.");
  refuse(data.path == "-" && !data.pairs.empty(),
         "--blocks with --pairs reads the data twice; give a file instead of standard input.");
  refuse(ranks() != nullptr, "--blocks needs one process.");
}

bool GroupOptions::check_loss(const std::string& loss) const {
  const LossKind* const kind = group_loss_kind(loss);
  if (!given() && kind != nullptr)
    throw Error(fmt::format(
        "--loss {} is a loss of groups of rows: give --blocks FILE with the group of a row in each line, or --blocks "
        "qid for LIBSVM text with qid.",
        kind->name));
  if (given() && kind == nullptr)
    throw Error(fmt::format("--blocks needs a loss of groups: --loss {} or {}.", group_loss_kinds()[0].name,
                            group_loss_kinds()[1].name));
  return given();
}

std::string GroupOptions::as_typed() const { return given() ? " --blocks " + shell_quoted(blocks) : ""; }

void GroupOptions::check_training(const DataOptions& data, const std::string& loss, const std::string& model_format,
                                  bool warm) const {
  if (!check_loss(loss)) return;
  check_data(data);
  refuse(warm, "--blocks has no warm start; leave out --warm-start.");
  refuse(model_format == "liblinear",
         "a LIBLINEAR model does not keep a loss of groups; leave out --format liblinear.");
}

std::string loss_of_rows(const std::string& loss) {
  const LossKind* const kind = group_loss_kind(loss);
  return kind == nullptr ? loss : std::string(row_loss(*kind));
}

}  // namespace seesaw::app
