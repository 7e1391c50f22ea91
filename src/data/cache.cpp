#include "data/cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <variant>

#include "data/cache_format.h"
#include "data/cache_output.h"
#include "data/cache_reader.h"
#include "data/resident.h"

namespace seesaw {
namespace {

using namespace cache;

// write(piece) for the bytes of an array, in their order; of rows on disk extent by extent.
template <class T, class Write>
void for_each_piece(Extents* extents, std::span<const T> array, const Write& write) {
  if (extents == nullptr) return write(bytes_of(array));
  const std::size_t count = extents->bytes().extents();
  for (std::size_t e = 0; e < count; ++e) {
    const Hold hold(*extents, {e, e + 1}, {e + 1, count});
    write(bytes_of(array.subspan(e * extent_entries, std::min(extent_entries, array.size() - e * extent_entries))));
  }
}

}  // namespace

bool is_cache(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return false;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  std::array<char, 8> first{};
  const ssize_t got = read(file, first.data(), first.size());
  close(file);
  return got == static_cast<ssize_t>(first.size()) && first == magic_bytes;
}

Dataset read_cache(const std::string& path) { return cache::CacheReader(path).read(); }

void write_cache(const Dataset& data, const std::string& path) {
  const std::string names = pack_names(data.feature_names);
  Header header{};
  header.storage = data.rows.index();
  header.rows = data.n();
  header.width = data.d();
  header.nnz = data.nnz;
  header.weighted = data.weights.empty() ? 0 : 1;
  header.names_bytes = names.size();
  const std::vector<std::uint64_t> hashes = leaf_hashes(data);
  std::visit(
      [&]<class AnyRows>(const AnyRows& rows) {
        header.entries = rows.entries();
        CacheOutput out(path, header);
        std::span<const std::uint64_t> offsets;
        Extents* const extents = extents_of(rows);
        if constexpr (requires { rows.offsets(); }) {
          offsets = rows.offsets();
          for_each_piece(extents, rows.columns(), [&](std::string_view piece) { out.columns(piece); });
        }
        for_each_piece(extents, rows.values(), [&](std::string_view piece) { out.values(piece); });
        out.finish({data.labels, data.weights, offsets, names, hashes});
      },
      data.rows);
}

}  // namespace seesaw
