// The two passes over the data. Sums over rows, and over the rows of each column, follow the leaves and their tree
// (base/tree_sum.h): the result does not depend on the number of threads and processes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "verify/stated_problem.h"
#include "verify/sum.h"

namespace seesaw::verifier {

// Sums over the rows, for one output (or for all of them, for a block loss):
struct RowSums {
  Sum primal;  // sum s_i phi_i(z_i)
  Sum dual;    // sum s_i phi_i*(y_i)
};

struct RowResults {
  std::vector<RowSums> of;             // one per output; a single one for a block loss
  std::vector<Sum> balance;            // sum s_i y_ik, one per output
  std::vector<std::size_t> outside;    // the number of rows whose dual variables are not in the domain,
  std::vector<std::size_t> first_row;  // and the first of them; in pass_over_rows() a row of all processes
};

// Adds the rows in [begin, end), given their scores, K per row.
void add_row_losses(const StatedProblem& problem, std::size_t begin, std::size_t end, const Ball* score,
                    RowResults& results);

RowResults pass_over_rows(const StatedProblem& problem);

// sum_i w_i a_ij with w_i = s_i y_ik for the outputs k in [first, last): number j (last - first) + (k - first). Valid until the
// next call; the last result is kept, and costs no pass for the same outputs.
const std::vector<Ball>& dual_image(const StatedProblem& problem, std::size_t first, std::size_t last);

// sum_i s_i y_ik for every output k.
std::vector<Ball> dual_sums(const StatedProblem& problem);

// sum_i s_i a_ij over the rows of each group: number j groups + g.
std::vector<Ball> group_sums(const StatedProblem& problem);

// sum_i s_i a_ij^2
std::vector<Ball> square_sums(const StatedProblem& problem);

}  // namespace seesaw::verifier
