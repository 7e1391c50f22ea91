#include "model/rigorous/curvature.h"

#include <algorithm>
#include <cmath>

#include "base/cancel.h"
#include "base/optional_work.h"
#include "base/tree_sum.h"
#include "data/resident.h"
#include "kernels/table.h"
#include "model/rigorous/definite.h"
#include "model/rigorous/problem_losses.h"
#include "model/rigorous/products.h"

namespace seesaw::rigorous {
namespace {

using Fine = Bounded<Twofold>;

constexpr double most_products = 2e10;  // of entries by columns, to assemble the matrix
constexpr double wide = 1 + 0x1p-30;    // makes up for a few million roundings of numbers that are not negative
constexpr double narrow = 1 - 0x1p-30;
constexpr double radius_margin = 6;    // R = 6 |g| / mu, where 2 would do: the verifier finds its own mu and R
constexpr double charge_margin = 1.5;  // of the charge, for the same reason

double norm_of(const std::vector<double>& v) {
  double sum = 0;
  for (const double vj : v) sum += vj * vj;
  return std::sqrt(sum);
}

// phi'(z), which is (1/k)-Lipschitz.
Fine derivative(const PiecewiseLoss& of, double b, Fine z) {
  const Interval box = of.loss.domain(b);
  const Fine r = Fine(z.value, 0) - Fine(b), k(of.loss.curvature), e(of.loss.insensitivity);
  const double sign = leading(r.value) < 0 ? -1 : 1, bound = sign < 0 ? -box.lo : box.hi;
  Fine t = positive_part((sign < 0 ? -r : r) - e) / k;
  if (leading(t.value) > bound) t.value = Twofold(bound);
  t.error += 2 * z.error / of.loss.curvature;
  return sign < 0 ? -t : t;
}
Fine derivative(const LogisticLoss&, double b, Fine z) {  // -b / (1 + e^m), m = b z
  const Twofold size = leading(z.value) < 0 ? -z.value : z.value;
  const Fine e = bounded_exp(-size);
  Fine p = (leading(z.value) * b >= 0 ? e : Fine(1.0)) / (Fine(1.0) + e);
  p.error += z.error;
  return b > 0 ? -p : p;
}

// The least phi'' at all scores within `reach` of z.
double least_curvature(const PiecewiseLoss& of, double b, const Fine& z, double reach) {
  const double k = of.loss.curvature, e = of.loss.insensitivity;
  const Interval box = of.loss.domain(b);
  const double inverse = 1 / k * narrow;
  if (e == 0 && std::isinf(box.lo) && std::isinf(box.hi)) return inverse;
  const double r = leading(z.value) - b;
  const double h = (reach + z.error + 0x1p-50 * (std::abs(leading(z.value)) + std::abs(b))) * wide;
  const double low = r - h, high = r + h;
  const double top = k * box.hi * narrow + e, bottom = -(k * -box.lo * narrow + e);
  const bool above = box.hi > 0 && low * narrow >= e && high <= top * narrow;
  const bool below = box.lo < 0 && high * narrow <= -e && low >= bottom * narrow;
  const bool across = e == 0 && box.hi > 0 && box.lo < 0 && high <= top * narrow && low >= bottom * narrow;
  return above || below || across ? inverse : 0;
}
double least_curvature(const LogisticLoss&, double, const Fine& z, double reach) {
  const double farthest = (size_of(z.value) + z.error + reach) * wide;
  if (!(farthest < 700)) return 0;
  const double e = exp_of_negative(-farthest);
  return e / ((1 + e) * (1 + e)) * narrow;
}

bool is_curved(const PiecewiseLoss& of) { return of.loss.curvature > 0; }
bool is_curved(const LogisticLoss&) { return true; }

// The columns that are not 0, each times a power of two that makes its mean square about 1; the free intercept last.
class ScaledRows {
 public:
  ScaledRows(const Problem& problem, const RowWeights& weights, double total)
      : problem_(problem), normalized_weight_(problem.n()), place_(problem.d(), none), norm(problem.n()) {
    for (std::size_t i = 0; i < problem.n(); ++i) normalized_weight_[i] = weights.exact(i).high / total;
    struct Largest {
      double size = 0;
      Largest& operator+=(const Largest& other) {
        size = std::max(size, other.size);
        return *this;
      }
    };
    const std::vector<Largest> most =
        sums_of_columns<Largest>([](Largest& of, std::size_t, std::size_t, double a) { of += Largest{std::abs(a)}; });
    for (std::size_t j = 0; j < problem.d(); ++j)
      if (most[j].size > 0) {
        place_[j] = scale.size();
        scale.push_back(power_for(most[j].size));
        column.push_back(j);
      }
    if (scale.size() > most_columns) return;
    const std::vector<double> squares =
        sums_of_columns<double>([&](double& of, std::size_t i, std::size_t j, double a) {
          if (a != 0) of += normalized_weight_[i] * (a * scale[place_[j]]) * (a * scale[place_[j]]);
        });
    for (std::size_t at = 0; at < scale.size(); ++at)
      if (const double square = squares[column[at]]; square > 0) scale[at] *= power_for(1.37 * std::sqrt(square));
    if (problem.free_intercept()) scale.push_back(1);
    visit_entries([&](std::size_t i, std::size_t j, double a) {
      if (a != 0) norm[i] += (a * scale[place_[j]]) * (a * scale[place_[j]]);
    });
    for (double& of_row : norm) of_row = std::sqrt(of_row + (problem.free_intercept() ? 1 : 0)) * wide + 0x1p-500;
  }

  std::size_t size() const { return scale.size(); }

  // sum_i c_i curvature_i a_i a_i^T, its lower triangle.
  Symmetric gram(const std::vector<double>& curvature) const {
    const std::size_t d = size();
    Symmetric sum{d, std::vector<double>(d * d)};
    const Leaves groups = problem_.leaves().grouped(problem_.all_rows() / std::max<std::size_t>(1024, 4 * d));
    const CancelPoll poll;
    const StopPoll stop(piece * static_cast<double>(d) * static_cast<double>(d) / 2);  // after a stop: of fewer rows
    tree_sum(
        groups, d * d, sum.at.data(),
        [&](std::size_t begin, std::size_t end, double* part) { add_rows(begin, end, curvature, part, poll, stop); },
        std::max<std::size_t>((std::size_t{1} << 26) / (d * d), 1));
    return sum;
  }

  double normalized_weight(std::size_t i) const { return normalized_weight_[i]; }

 private:
  // The rows first .. last - 1 of the Gram matrix; ranges of its columns in parallel.
  void add_rows(std::size_t first, std::size_t last, const std::vector<double>& curvature, double* sum,
                const CancelPoll& poll, StopPoll stop) const {
    const std::size_t d = size();
    std::vector<double> rows(piece * d);
    for (std::size_t begin = first; begin < last && !stop.requested(); begin += piece) {
      const std::size_t count = std::min(piece, last - begin);
      poll();
      std::fill(rows.begin(), rows.end(), 0.0);
      std::visit(
          [&](const auto& a) {
            resident(a, begin, begin + count, [&](std::size_t from, std::size_t to_row) {
              for (std::size_t i = from; i < to_row; ++i) {
                double* const to = &rows[(i - begin) * d];
                for_each(a.row(i), [&](std::size_t j, double value) {
                  if (value != 0) to[place_[j]] = value * scale[place_[j]];
                });
                if (problem_.free_intercept()) to[d - 1] = scale[d - 1];
              }
            });
          },
          problem_.data->rows);
      const Chunks columns = chunks_of(d, 16, 16);
      parallel_inside(columns.count, [&](std::size_t chunk) {
        const std::size_t from = columns.begin(chunk), end = columns.end(chunk);
        for (std::size_t i = 0; i < count; ++i) {
          const double* const row = &rows[i * d];
          const double c = normalized_weight_[begin + i] * curvature[begin + i];
          if (c == 0) continue;
          for (std::size_t j = from; j < end; ++j)
            if (row[j] != 0) kernels().add_double(sum + j * d, c * row[j], row, j + 1);
        }
      });
    }
  }
  // Of each column: what add(sum, i, j, value) adds for its entries.
  template <class Sum, class Add>
  std::vector<Sum> sums_of_columns(const Add& add) const {
    std::vector<Sum> sums(problem_.d());
    std::visit(
        [&](const auto& a) {
          const CancelPoll poll;
          tree_sum(leaves_for_vectors(a), sums.size(), sums.data(), [&](std::size_t begin, std::size_t end, Sum* part) {
            poll();
            resident(a, begin, end, [&](std::size_t first, std::size_t last) {
              for (std::size_t i = first; i < last; ++i)
                for_each(a.row(i), [&](std::size_t j, double value) { add(part[j], i, j, value); });
            });
          });
        },
        problem_.data->rows);
    return sums;
  }
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  static constexpr std::size_t piece = 128;  // rows that are added together
  static double power_for(double size) { return std::ldexp(1.0, -std::clamp(std::ilogb(size), -1000, 1000)); }
  template <class Visit>
  void visit_entries(const Visit& visit) const {
    std::visit(
        [&](const auto& a) {
          const CancelPoll poll;
          resident(a, 0, a.count(), [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
              poll();
              for_each(a.row(i), [&](std::size_t j, double value) { visit(i, j, value); });
            }
          });
        },
        problem_.data->rows);
  }

  const Problem& problem_;
  std::vector<double> normalized_weight_;
  std::vector<std::size_t> place_;  // of each column of the data

 public:
  std::vector<double> scale;        // of each column that is kept, and of the intercept
  std::vector<std::size_t> column;  // its number in the data
  std::vector<double> norm;         // |a_i| of the scaled rows, from above
};

struct Gradient {
  std::vector<double> value;  // scaled
  double error = 0;           // of the whole, in the 2-norm
};

template <class Loss>
Gradient gradient(const Problem& problem, const RowWeights& weights, const Fine& total, const Loss& loss,
                  const std::vector<Fine>& z, const ScaledRows& rows) {
  const std::size_t n = problem.n();
  const std::vector<double>& target = problem.scalar().target;
  struct Sums {
    BoundedSum<Twofold> all;
    double error = 0;
    Sums& operator+=(const Sums& other) {
      all += other.all;
      error += other.error;
      return *this;
    }
  };
  std::vector<Twofold> w(n);
  const Sums sums = tree_sum<Sums>(problem.leaves(), [&](std::size_t begin, std::size_t end) {
    Sums part;
    for (std::size_t i = begin; i < end; ++i) {
      const Fine at = derivative(loss, target[i], z[i]);
      w[i] = weights.times_value(i, at.value);
      part.error += rows.normalized_weight(i) * widened(at.error) * rows.norm[i];
      part.all.add({w[i], 0x1p-100 * std::abs(w[i].high)});
    }
    return part;
  });
  std::vector<Fine> q;
  rigorous::multiply_transposed(problem.data->rows, w, 0x1p-100, 1, q);
  Gradient result;
  double squares = 0;
  const auto add = [&](const Fine& sum, double scale) {
    const Fine mean = sum / total;
    result.value.push_back(mean.value.high * scale);
    const double off = (std::abs(mean.value.low) + widened(mean.error)) * scale;
    squares += off * off;
  };
  for (std::size_t at = 0; at < rows.column.size(); ++at) add(q[rows.column[at]], rows.scale[at]);
  if (problem.free_intercept()) add(sums.all.value(), 1);
  result.error = (sums.error + std::sqrt(squares)) * wide + 0x1p-500;
  return result;
}

// g^T H^-1 g from above, for any H with |H - matrix| <= off and H >= mu I. With p near H^-1 g and r = g - H p it is
// p.g + p.r + r^T H^-1 r.
double newton_decrement(const Symmetric& matrix, const Symmetric& factored, double off, double mu,
                        const std::vector<double>& g) {
  const std::size_t d = g.size();
  std::vector<double> p(d), r = g, product;
  for (int round = 0; round < 12; ++round) {
    solve(factored, r);
    for (std::size_t j = 0; j < d; ++j) p[j] += r[j];
    matrix.multiply(p, product);
    for (std::size_t j = 0; j < d; ++j) r[j] = g[j] - product[j];
  }
  double dot = 0, sizes = 0;
  for (std::size_t j = 0; j < d; ++j) {
    dot += p[j] * g[j];
    sizes += std::abs(p[j] * g[j]);
  }
  // |matrix| <= trace entry by entry in the 2-norm of its absolute values as well.
  const double u = (static_cast<double>(d) + 8) * unit, size = norm_of(p);
  const double rest = (norm_of(r) + (off + 2 * u * matrix.trace()) * size + 2 * u * norm_of(g)) * wide;
  const double sum = (std::abs(dot) + 2 * u * sizes + size * rest + rest * rest / mu) * wide;
  const double plain = norm_of(g) * norm_of(g) / mu * wide;
  return sum < plain ? sum : plain;  // NaN: the plain one
}

template <class Loss>
CurvatureBound bound_of(const Problem& problem, const RowWeights& weights, const Fine& total, const Point& point,
                        const Loss& loss) {
  CurvatureBound result;
  if (!is_curved(loss)) return result;
  const StopScope scope(optional_work_request());
  const CurvatureBound stopped{true, infinity};  // D = 0
  const ScaledRows rows(problem, weights, total.value.high);
  const std::size_t d = rows.size(), n = problem.n();
  if (d > most_columns || static_cast<double>(problem.data->nnz) * static_cast<double>(d) > most_products)
    return result;
  if (d == 0) return {true, 0};
  std::vector<Fine> z;
  rigorous::multiply(problem.data->rows, point.x.data(), 1, z);
  if (problem.free_intercept())
    for (Fine& zi : z) zi = zi + Fine(point.intercept[0]);
  const Gradient g = gradient(problem, weights, total, loss, z, rows);
  const double length = (norm_of(g.value) + g.error) * wide;

  const std::vector<double>& target = problem.scalar().target;
  std::vector<double> curvature;
  Symmetric matrix;
  const auto assemble_within = [&](double radius) {
    std::vector<double> now(n);
    for (std::size_t i = 0; i < n; ++i) now[i] = least_curvature(loss, target[i], z[i], radius * rows.norm[i]);
    if (!any_rank(problem.leaves(), now != curvature)) return;
    curvature = std::move(now);
    matrix = rows.gram(curvature);
  };
  // The matrix is a sum of n terms, with 8 roundings in each; the factorization as in definite.h.
  const auto rounding_of = [all = problem.all_rows(), d](const Symmetric& of) {
    return (static_cast<double>(all) + 2 * static_cast<double>(d) + 32) * unit * of.trace() * 1.01 + 0x1p-900;
  };
  assemble_within(0);
  if (stop_requested()) return stopped;
  Symmetric factored = matrix;
  if (const double off = rounding_of(matrix); !std::isfinite(off) || !factor(factored, 4 * off))
    return stop_requested() ? stopped : result;
  const double smallest = smallest_eigenvalue(factored);
  if (!std::isfinite(smallest)) return result;
  result.curved = true;
  if (!std::isfinite(length)) return result;
  for (const double part : {8.0, 32.0, 128.0}) {
    const double mu = smallest / part;
    assemble_within(radius_margin * length / mu * wide);
    if (stop_requested()) return stopped;
    const double off = rounding_of(matrix);
    factored = matrix;
    if (!(mu > 0) || !factor(factored, mu + 2 * off)) continue;
    const double root = std::sqrt(newton_decrement(matrix, factored, off, mu, g.value)) + g.error / std::sqrt(mu);
    result.charge = 0.5 * charge_margin * root * root * wide;
    if (!std::isfinite(result.charge)) result.charge = infinity;
    return result;
  }
  return result;
}

}  // namespace

CurvatureBound curvature_bound(const Problem& problem, const RowWeights& weights, const Fine& total,
                               const Point& point) {
  return with_loss(problem, [&](const auto& loss) { return bound_of(problem, weights, total, point, loss); });
}

}  // namespace seesaw::rigorous
