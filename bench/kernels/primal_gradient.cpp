// The cost of a pass of the primal gradient methods, one thread, on text-shaped data (Zipf columns, 75 entries per row);
// katyusha with l1 updates all columns in every step, so it is timed on fewer rows.
#include <tbb/global_control.h>

#include "kernels/against_sdca.h"

int main() {
  using namespace seesaw::bench;
  const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  print_head("primal gradient");
  const seesaw::Dataset text = text_shaped();
  for (const char* loss : {"smooth-hinge", "logistic"})
    for (const double l1 : {0.0, 1e-7, 1e-5}) {
      compare_with_sdca(text, loss, l1, {{"sag"}, {"saga", 4}, {"svrg", 4}}, 9);
      if (l1 == 0) compare_with_sdca(text, loss, 0, {{"katyusha"}}, 9);
    }
  seesaw::SynthOptions options;
  options.n = 1000;
  options.d = 40000;
  compare_with_sdca(seesaw::synthesize("text", options), "smooth-hinge", 1e-5, {{"katyusha"}}, 1);
}
