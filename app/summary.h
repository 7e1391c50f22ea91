// The summary of a fit for people, and the JSON line for programs.
#pragma once

#include <string>
#include <vector>

#include "data/extents.h"
#include "run/fit.h"
#include "run/lines.h"

namespace seesaw::app {

std::string describe_data(const Dataset& data, double read_seconds);
// The notes on a table, a line each; empty without notes. At most 20 of them.
std::string table_lines(const std::vector<std::string>& notes);
// A label as the file has it: the text of its class if the labels of the table are text, in quotes if it has blanks.
std::string label_text(const LinearModel& model, double label);
Json label_json(const LinearModel& model, double label);  // the text as it is, or the number
// "label: column 2 'price' (...)" with a line end; empty unless the data is CSV with labels.
std::string label_line(const Dataset& data);
// `data`: as read, before the scaling that made the rows of the problem.
std::string describe_problem(const Problem& problem, Scaling scaling, double factor);
std::vector<std::string> equivalents_of(const Problem& problem, Scaling scaling, double factor);
std::string describe_calibration(const Calibration& calibration);  // how scores become probabilities, in words
std::string describe_outcome(const Fit& fit, const Criteria& criteria);
// Of rows on disk: how often the file was read, a line; otherwise empty.
std::string reads_line(const Dataset& data);
double reads_of(const Extents& extents);  // bytes read / bytes of the entries

// If the method failed and can fail on some data: what to use instead; otherwise empty.
std::string what_to_use_instead(const Fit& fit);

struct Timing {
  double read = 0, total = 0;
};
Json seconds_of(const Outcome& outcome, const Timing& timing);
std::size_t nonzeros(const LinearModel& model);
std::string json_line(const Dataset& data, const Fit& fit, const Timing& timing, int threads);

std::string counted(std::size_t count, const char* what);  // "1 run", "2 runs"

}  // namespace seesaw::app
