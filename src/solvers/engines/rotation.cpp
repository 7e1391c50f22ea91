#include "solvers/engines/rotation.h"

#include <algorithm>
#include <utility>

#include "data/own_rows.h"
#include "solvers/parts/newton/row_factor.h"

namespace seesaw {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Dataset with_rows_of_factor(const Problem& problem) {
  const Eigen::MatrixXd l = row_factor(problem);
  const std::size_t n = problem.n();
  Buffer<double> values(n * n);
  Eigen::Map<RowMajor>(values.data(), l.rows(), l.cols()) = l;
  const Dataset& data = *problem.data;
  return {.rows = own_dense_rows(n, n, std::move(values)),
          .labels = data.labels,
          .weights = data.weights,
          .nnz = n * n,
          .source = data.source};
}

std::vector<std::size_t> rows_without_score(const Problem& problem) {
  std::vector<std::size_t> rows;
  if (problem.free_intercept()) return rows;  // then their score is the intercept
  const std::vector<double>& norms = problem.squared_row_norms();
  for (std::size_t i = 0; i < norms.size(); ++i)
    if (norms[i] == 0) rows.push_back(i);
  return rows;
}

class Rotation final : public Solver {
 public:
  Rotation(const Problem& problem, const MakeInner& make_inner, const Start& start)
      : problem_(problem),
        rows_of_l_(with_rows_of_factor(problem)),
        l_(std::get<DenseRows<double>>(rows_of_l_.rows).values().data(), size(problem), size(problem)),
        rotated_(with_data(problem, rows_of_l_)),
        certifier_(rotated_),
        empty_rows_(rows_without_score(problem)),
        inner_(make_inner(rotated_, rotated(start))) {}

  void epoch() override {
    inner_->epoch();
    certify_inner();
    if (inner_->work().estimated_gap.value_or(infinity) <= inner_target()) check_inner();
  }

  void read(Point& point) override {  // x = A^T L^-T u
    inner_->read(point);
    // The increased diagonal gives empty rows a score below rounding: their y is set to that of the score 0.
    std::visit(
        [&](const auto& loss) {
          for (const std::size_t i : empty_rows_) point.y[i] = loss.derivative(problem_.scalar().target[i], 0);
        },
        problem_.scalar().loss);
    if (empty()) {
      point.x.assign(problem_.d(), 0.0);
      return;
    }
    Eigen::VectorXd u = Eigen::Map<const Eigen::VectorXd>(point.x.data(), l_.rows());
    l_.transpose().triangularView<Eigen::Upper>().solveInPlace(u);
    point.x.resize(problem_.d());
    multiply_transposed(problem_.data->rows, u.data(), point.x.data());
  }

  // A A^T counts as one pass; a pass of the inner method, over the n^2 entries of L, as n^2/nnz passes.
  Work work() const override {
    const double entries = static_cast<double>(std::max<std::size_t>(problem_.data->nnz, 1)),
                 fraction = static_cast<double>(rows_of_l_.nnz) / entries;
    const Work inner = inner_->work();
    return {1 + fraction * inner.passes, entries + inner.entries, estimated_gap()};
  }

  Diagnostics diagnostics() const override { return inner_->diagnostics(); }

  void on_check(const Checked& checked) override {
    if (estimated_gap() <= checked.target && checked.gap > checked.target) exactness_ *= 0.3;
    target_ = checked.target;
    certify_inner();
    check_inner();
  }

 private:
  double estimated_gap() const { return own_.gap / exactness_; }
  double inner_target() const { return exactness_ * target_; }

  // The certificate of the n x n problem, O(n^2): up to rounding it equals that of the data.
  void certify_inner() {
    inner_->read(point_);
    own_ = certifier_.certify(point_);
  }
  void check_inner() { inner_->on_check({static_cast<const Bounds&>(own_), inner_target()}); }

  static Eigen::Index size(const Problem& problem) { return static_cast<Eigen::Index>(problem.n()); }
  bool empty() const { return l_(0, 0) == 0; }  // A = 0 and L = 0: otherwise the diagonal of L is positive

  Start rotated(const Start& start) const {  // u = L^-1 A x, for the component of x in the span of the rows
    Start result{.y = start.y, .intercept = start.intercept};
    if (start.x.size() != problem_.d() || empty()) return result;
    result.x.resize(problem_.n());
    multiply(problem_.data->rows, start.x.data(), result.x.data());
    Eigen::Map<Eigen::VectorXd> u(result.x.data(), l_.rows());
    l_.triangularView<Eigen::Lower>().solveInPlace(u);
    return result;
  }

  const Problem& problem_;
  Dataset rows_of_l_;
  Eigen::Map<const RowMajor> l_;
  Problem rotated_;
  Certifier certifier_;
  std::vector<std::size_t> empty_rows_;
  std::unique_ptr<Solver> inner_;
  Point point_;
  Certificate own_;
  double target_ = 0;
  double exactness_ = 0.3;  // the gap of the inner method, relative to the target
};

}  // namespace

std::unique_ptr<Solver> make_rotation(const Problem& problem, const MakeInner& make_inner, const Start& start) {
  return std::make_unique<Rotation>(problem, make_inner, start);
}

}  // namespace seesaw
