// Reads the rows of one rank of a data set (data/share_rows.h).
#pragma once

#include <cstdint>
#include <string>

#include "base/ranks.h"
#include "data/dataset.h"
#include "seesaw/read_options.h"

namespace seesaw {

struct SharedData {
  Dataset data;
  std::uint64_t hash;  // content_hash of the whole
};

// Plain LIBSVM text is read in parts, an equal range of its bytes per rank, cut at the ends of lines; rows then move to the
// borders of leaves. Of a cache of format 2 every rank reads its rows. Of other files, with a file of weights, and where
// the precision or the number of features of a cache change, every rank reads the whole and keeps its rows. An error of one
// rank is thrown on all.
SharedData read_share(const std::string& path, const ReadOptions& options, const std::string& weights, Ranks& ranks);

}  // namespace seesaw
