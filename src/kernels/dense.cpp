#include "kernels/dense.h"

#include <memory>

namespace seesaw {
namespace {

double* workspace() {
  thread_local const std::unique_ptr<double[]> numbers(new double[product_workspace]);  // pages that are used alone
  return numbers.get();
}

}  // namespace

void multiply(const Product& product) { kernels().multiply(product, workspace()); }

void add_gram(const double* w, std::size_t size, std::size_t depth, double* h, std::size_t stride) {
  multiply({size, size, depth, w, 1, size, w, size, 1, h, stride, false, true});
}

void add_gram_of_columns(const double* w, std::size_t size, std::size_t depth, std::size_t w_stride, double* h,
                         std::size_t stride) {
  multiply({size, size, depth, w, w_stride, 1, w, 1, w_stride, h, stride, false, true});
}

bool factor_cholesky(double* a, std::size_t size, bool (*stop)()) {
  return kernels().cholesky(a, size, size, workspace(), stop);
}

bool factor_cholesky_panel(double* a, std::size_t size, std::size_t stride) {
  return kernels().cholesky(a, size, stride, workspace(), nullptr);
}

void solve_cholesky_panel(const double* l, std::size_t size, std::size_t stride, double* a, std::size_t rows) {
  kernels().solve_panel(l, size, stride, a, rows, workspace());
}

void solve_cholesky(const double* l, std::size_t size, double* x) {
  kernels().solve_lower(l, size, size, x);
  kernels().solve_upper(l, size, size, x);
}

}  // namespace seesaw
