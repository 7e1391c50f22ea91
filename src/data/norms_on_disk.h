// |a_i|^2 of rows on disk (data/extents.h): computed beside the first product with all rows, so that they need no read of
// the file of their own. Values whose squares overflow are found there as well.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "data/extents.h"

namespace seesaw {

// Of one Extents, empty until a pass has computed them.
struct NormsOnDisk {
  std::mutex mutex;
  enum class State { unknown, computing, known, taken } state = State::unknown;
  std::vector<double> squares;
};
std::shared_ptr<NormsOnDisk> norms_on_disk(const Extents* extents);  // null: rows in memory

// What a pass computed, once: the caller keeps them.
std::optional<std::vector<double>> take_norms(const Extents* extents);

// Throws Error if a square is not finite: every certificate would be infinite.
void require_finite_squares(const std::vector<double>& squares, const Extents& extents);

// One pass over all rows. A pass that is left, by an exception, leaves the norms unknown.
class NormsBesidePass {
 public:
  NormsBesidePass(const Extents* extents, std::size_t rows);
  ~NormsBesidePass();
  NormsBesidePass(const NormsBesidePass&) = delete;
  NormsBesidePass& operator=(const NormsBesidePass&) = delete;

  template <class RowsOf>
  void add(const RowsOf& rows, std::size_t begin, std::size_t end) const {
    if (squares_ == nullptr) return;
    for (std::size_t i = begin; i < end; ++i) squares_[i] = squared_norm(rows.row(i));
  }
  void complete();

 private:
  const Extents* extents_;
  std::shared_ptr<NormsOnDisk> norms_;
  double* squares_ = nullptr;  // null: nothing to compute
};

}  // namespace seesaw
