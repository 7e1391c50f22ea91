// The cost of a pass of the primal-dual methods, one thread, on text-shaped data (Zipf columns, 75 entries per row).
#include <tbb/global_control.h>

#include "kernels/against_sdca.h"

int main() {
  using namespace seesaw::bench;
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  print_head("primal-dual");
  const seesaw::Dataset text = text_shaped();
  compare_with_sdca(text, "smooth-hinge", 0, {{"spdhg", 1.4}, {"spdhg-ais"}, {"spdc", 2}, {"adaspdc"}, {"spdc-ais"}});
  compare_with_sdca(text, "logistic", 0, {{"spdhg"}, {"spdc"}});
  for (const double l1 : {1e-7, 1e-5}) compare_with_sdca(text, "smooth-hinge", l1, {{"spdhg", 12}, {"spdc", 20}});
}
