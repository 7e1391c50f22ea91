// A problem that several methods are to solve: prepared once and shared by all runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "data/transform.h"
#include "model/problem.h"

namespace seesaw {

// Rows as they are trained on, with what is needed to say how they came about.
struct PreparedData {
  std::shared_ptr<const Dataset> data;
  std::shared_ptr<ColumnCache> columns;  // of `data`, shared by all its problems
  std::uint64_t hash = 0;                // of the data as read
  std::string source;                    // how a command names the file
  std::string reading;                   // the options that a command reads it with, each with a space before it
  std::string name;                      // for people: the source without its folders
  Scaling scaling = Scaling::none;
};
PreparedData prepare(Dataset data, Scaling scaling, double constant, Precision precision = Precision::exact);

struct StudyProblem {
  std::string name;  // for people; equal names mean the same problem
  PreparedData prepared;
  Objective objective;  // as asked
  Problem problem;      // every number in place
};

// `name`: empty gives "a9a, smooth-hinge, lambda 0.0001" with whatever else is not as usual. Throws Error where the
// objective does not fit the data, and for one class against the rest, which is several problems.
std::shared_ptr<const StudyProblem> make_study_problem(PreparedData prepared, const Objective& objective,
                                                       std::string name = {});

}  // namespace seesaw
