// What is made of the labels: several targets per row, and pairs of rows.
#include <algorithm>
#include <string>
#include <tuple>

#include "data/readers/pairs.h"
#include "data_options.h"
#include "seesaw/error.h"

namespace seesaw::app {

void DataOptions::declare_targets(Command& command) {
  command
      .add_option("--targets", targets,
                  "file with several numbers to predict per row, a line per row; of a CSV also --label-column A,B")
      .placeholder("FILE")
      .standard("the labels of DATA")
      .group("Data");
}

void DataOptions::declare_pairs(Command& command) {
  command
      .add_option(
          "--pairs", pairs,
          "ranking: train on differences of rows of a group with different labels; groups by qid of LIBSVM text, or a "
          "file with a whole number per row")
      .placeholder("qid|FILE")
      .standard("off")
      .group("Data");
}

std::vector<std::string> DataOptions::label_columns() const {
  const std::string& given = label_column.empty() ? label : label_column;
  std::vector<std::string> names;
  if (given.find(',') == std::string::npos) return names;
  for (std::size_t begin = 0; begin <= given.size();) {
    const std::size_t end = std::min(given.find(',', begin), given.size());
    names.push_back(given.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

bool DataOptions::has_targets() const { return !targets.empty() || !label_columns().empty(); }

Dataset DataOptions::paired(const Dataset& data) const {
  if (has_targets()) throw Error("--pairs orders rows by their labels and has no use for several targets.");
  if (!weights.empty()) throw Error("pairs of rows have no weights; leave out --weights or --pairs.");
  refuse_unlabelled(data);
  if (pairs != "qid") return pair_rows(data, read_groups(pairs));
  if (path == "-" || format_of(path, read_options()) != Format::libsvm)
    throw Error("--pairs qid is for a file of LIBSVM text with qid; give --pairs FILE with a group number per row.");
  return pair_rows(data, read_qids(path));
}

LoadedData DataOptions::completed(LoadedData loaded) const {
  if (has_targets()) {
    if (loaded.table)
      throw Error(
          "several targets need data of numbers, and this is a table with text, dates or empty cells; encode it with "
          "seesaw convert, and give the targets by --targets FILE.");
    Targets found;
    if (!targets.empty()) {
      found = read_targets(targets);
      require_rows(found, loaded.data, targets);
    } else {
      std::tie(loaded.data, found) = split_targets(std::move(loaded.data), label_columns());
    }
    if (!weights.empty()) {
      const std::vector<double> of_rows = read_weights(weights);
      if (of_rows.size() == found.rows())
        found = with_positive_weights(found, of_rows);  // with_weights() refuses others
    }
    loaded.targets = std::move(found);
    loaded.data.labelled = true;
  }
  if (!weights.empty()) loaded.data = with_weights(std::move(loaded.data), weights);
  if (!pairs.empty()) loaded.data = paired(loaded.data);
  if (loaded.targets && loaded.targets->count == 1) {  // one number per row: the label
    loaded.data = with_labels(std::move(loaded.data), loaded.targets->numbers);
    loaded.targets.reset();
    loaded.one_target = true;
  }
  return loaded;
}

}  // namespace seesaw::app
