// A problem that several methods solve: prepared once and shared by all runs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "data/readers/row_groups.h"
#include "data/transform.h"
#include "model/groups/group_problem.h"
#include "model/problem.h"

namespace seesaw {

// The rows that methods are trained on, and how they were obtained from the file.
struct PreparedData {
  std::shared_ptr<const Dataset> data;
  std::shared_ptr<ColumnCache> columns;  // of `data`, shared by all its problems
  std::uint64_t hash = 0;                // of the data as read
  std::string source;                    // the file, as a command names it
  std::string reading;                   // options of a command about its rows and features, each preceded by a space
  std::string name;                      // for display: the source without its folders
  Transform transform = {};              // from the data as read to `data`
  std::shared_ptr<const RowGroups> groups = {};  // of losses of groups
};
PreparedData prepare(Dataset data, Scaling scaling, double constant, Precision precision = Precision::exact);

struct StudyProblem {
  std::string name;  // for display; equal names mean the same problem
  PreparedData prepared;
  Objective objective;  // as given: bounds are those of the features as read
  Problem problem;      // with all numbers resolved; of a loss of groups: that of its rows
  std::optional<GroupProblem> groups = {};
};

// With `prepared.groups` the loss is one of groups. `name`: empty gives "a9a, smooth-hinge, lambda 0.0001" with everything that differs from the defaults. Throws Error if
// the objective does not fit the data, and for one-versus-rest, which is several problems.
std::shared_ptr<const StudyProblem> make_study_problem(PreparedData prepared, const Objective& objective,
                                                       std::string name = {});

}  // namespace seesaw
