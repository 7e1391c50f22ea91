#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/buffer.h"
#include "base/first_rank.h"
#include "data/cache.h"
#include "data/cache_format.h"
#include "data/disk_file.h"
#include "data/share_rows.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

using namespace cache;

void require_cache(const DiskFile& file) {
  if (!file.regular() || file.size() < sizeof(Header))
    throw Error(
        fmt::format("{}: is not a .ssw cache, which is a file of at least {} bytes.", file.path(), sizeof(Header)));
}

Header read_header(const DiskFile& file) {
  require_cache(file);
  Header header;
  file.read(0, &header, sizeof header);
  check_header(header, file.path(), file.size());
  return header;
}

template <class T>
Buffer<T> read_array(const DiskFile& file, const Section& section) {
  Buffer<T> array(section.size / sizeof(T));
  file.read(section.begin, array.data(), section.size);
  return array;
}
// Elements first .. last - 1 of an array, which may be absent.
template <class T>
Buffer<T> read_array(const DiskFile& file, const Section& section, std::uint64_t first, std::uint64_t last) {
  if (section.size == 0) return {};
  return read_array<T>(file, Section{section.begin + first * sizeof(T), (last - first) * sizeof(T)});
}

// Everything but the entries of all rows or of a range of them, and the entries by extents.
class CacheFile final : public ExtentReader {
 public:
  explicit CacheFile(const std::string& path) : file_(path), header_(read_header(file_)), layout_(layout_of(header_)) {
    if (header_.version == 1)
      throw Error(
          fmt::format("{}: is a cache of format 1, which is read into memory only; recreate it from the text.", path));
  }

  // The checksum of everything but the entries, and the hash of the content. In pieces: nothing is kept.
  std::uint64_t check_seal() const {
    Checksum sum;
    sum.add(bytes_of(std::span<const Header>(&header_, 1)));
    Buffer<char> piece(std::size_t{1} << 20);
    for (const Section& section : {layout_.labels, layout_.weights, layout_.offsets, layout_.names, layout_.hashes,
                                   layout_.column_checksums, layout_.value_checksums})
      for (std::uint64_t at = 0; at < section.size; at += piece.size()) {
        const std::uint64_t size = std::min<std::uint64_t>(piece.size(), section.size - at);
        file_.read(section.begin + at, piece.data(), size);
        sum.add({piece.data(), size});
      }
    std::uint64_t seal = 0;
    file_.read(layout_.seal.begin, &seal, sizeof seal);
    if (sum.value() != seal) damaged("its checksum is wrong");
    check_padding();
    return join_leaves(header_.rows, read_array<std::uint64_t>(file_, layout_.hashes).span());
  }

  std::uint64_t entries_before(std::uint64_t row) const {
    if (!header_.sparse()) return row * header_.width;
    std::uint64_t offset = 0;
    file_.read(layout_.offsets.begin + row * sizeof offset, &offset, sizeof offset);
    return offset;
  }

  // The rows begin .. end - 1. Their entries are in whole extents of the file, which begin up to skew() entries before them.
  void read_rows(std::uint64_t begin, std::uint64_t end) {
    rows_ = end - begin;
    labels_ = read_array<double>(file_, layout_.labels, begin, end);
    weights_ = read_array<double>(file_, layout_.weights, begin, end);
    offsets_ = read_array<std::uint64_t>(file_, layout_.offsets, begin, end + 1);
    names_ = read_array<char>(file_, layout_.names);
    check_rows(begin, end);
    first_ = entries_before(begin);
    entries_ = entries_before(end) - first_;
    for (std::uint64_t& offset : offsets_) offset -= first_;
    first_extent_ = entries_ == 0 ? 0 : first_ / extent_entries;
    const std::uint64_t end_extent = entries_ == 0 ? 0 : (first_ + entries_ - 1) / extent_entries + 1;
    column_checksums_ = read_array<std::uint64_t>(file_, layout_.column_checksums, first_extent_, end_extent);
    value_checksums_ = read_array<std::uint64_t>(file_, layout_.value_checksums, first_extent_, end_extent);
    covered_ = std::min(end_extent * extent_entries, header_.entries) - first_extent_ * extent_entries;
    checked_.resize(end_extent - first_extent_);
  }

  const Header& header() const { return header_; }
  std::span<const std::uint64_t> offsets() const { return offsets_.span(); }
  std::size_t rows() const { return rows_; }
  std::size_t entries() const { return entries_; }
  std::size_t skew() const { return entries_ == 0 ? 0 : first_ - first_extent_ * extent_entries; }
  CacheSize size() const {  // of the rows; entries: of their extents
    EntryBytes bytes = header_.entry_bytes();
    bytes.entries = covered_;
    return {rows_, header_.width, bytes, header_.weighted == 1, header_.sparse(), header_.version};
  }

  std::size_t longest_row() const {
    if (!header_.sparse()) return header_.width;
    std::uint64_t longest = 0;
    for (std::size_t i = 0; i < rows_; ++i) longest = std::max(longest, offsets_[i + 1] - offsets_[i]);
    return longest;
  }

  std::span<const double> labels() const { return labels_.span(); }

  // With these rows; labels() is empty afterwards.
  Dataset dataset(Rows rows) {
    Dataset data{.rows = std::move(rows), .labels = {labels_.begin(), labels_.end()}};
    data.weights = {weights_.begin(), weights_.end()};
    data.nnz = header_.nnz;
    data.feature_names = unpack_names({names_.data(), names_.size()}, header_, file_.path());
    data.source = file_.path();
    labels_ = {};
    weights_ = {};
    return data;
  }

  void count_reads(std::shared_ptr<ExtentBudget> budget) { budget_ = std::move(budget); }

  void read(std::size_t extent, void* columns, void* values) override {
    const std::uint64_t begin = extent * extent_entries, first = first_extent_ * extent_entries + begin,
                        count = std::min<std::uint64_t>(extent_entries, covered_ - begin),
                        value_bytes = header_.value_bytes();
    const auto load = [&](std::uint64_t at, void* to, std::uint64_t size) {
      if (checked_[extent]) file_.read_again(at, to, size);
      else file_.read(at, to, size);
    };
    if (header_.sparse()) {
      load(layout_.columns.begin + first * sizeof(std::uint32_t), columns, count * sizeof(std::uint32_t));
      budget_->bytes_read += count * sizeof(std::uint32_t);
    }
    load(layout_.values.begin + first * value_bytes, values, count * value_bytes);
    budget_->bytes_read += count * value_bytes;
    if (checked_[extent]) return;
    const auto* const bytes = static_cast<const char*>(values);
    bool same = checksum_of({bytes, count * value_bytes}) == value_checksums_[extent];
    if (header_.sparse())
      same = same && checksum_of({static_cast<const char*>(columns), count * sizeof(std::uint32_t)}) ==
                         column_checksums_[extent];
    if (!same)
      damaged(fmt::format("the checksum of extent {} of {} is wrong", first_extent_ + extent + 1,
                          header_.entry_bytes().extents()));
    // The columns of the rows that were read: those of other processes are checked there.
    const std::uint64_t from = std::max(first, first_), to = std::min(first + count, first_ + entries_);
    if (header_.sparse() && !columns_in_order({static_cast<const std::uint32_t*>(columns) + (from - first), to - from},
                                              from - first_, offsets_.span(), header_.width))
      damaged("its columns are not in order");
    const bool finite = value_bytes == sizeof(double) ? all_finite(std::span(static_cast<const double*>(values), count))
                                                      : all_finite(std::span(static_cast<const float*>(values), count));
    if (!finite) damaged("a value is not finite");
    checked_[extent] = 1;
    count_entries(values, from - first, to - first);
  }

 private:
  // The bytes between two arrays are 0.
  void check_padding() const {
    std::uint64_t end = sizeof(Header);
    std::string between;
    for (const Section& section : layout_.in_order(header_.version)) {
      if (section.begin < end) continue;
      between.resize(section.begin - end);
      file_.read(end, between.data(), between.size());
      if (between.find_first_not_of('\0') != std::string::npos) damaged("its reserved bytes are not 0");
      end = section.end();
    }
  }

  // Of dense rows, whose entries given are at least those that are not 0: known as soon as their extents have been read,
  // the first time. Sparse rows: check_rows().
  void count_entries(const void* values, std::uint64_t begin, std::uint64_t end) {
    if (header_.sparse()) return;
    const auto count = [&](const auto* numbers) {
      return static_cast<std::uint64_t>(
          std::count_if(numbers + begin, numbers + end, [](auto value) { return value != 0; }));
    };
    const std::uint64_t more = header_.value_bytes() == sizeof(double) ? count(static_cast<const double*>(values))
                                                                       : count(static_cast<const float*>(values));
    if ((nonzeros_ += more) > header_.nnz) damaged("its number of entries is wrong");
  }

  void check_rows(std::uint64_t begin, std::uint64_t end) const {
    if (!all_finite(labels_.span())) damaged("a label is not finite");
    if (!all_finite(weights_.span())) damaged("a weight is not finite");
    if (std::any_of(weights_.begin(), weights_.end(), [](double weight) { return weight <= 0; }))
      damaged("a weight is not positive");
    if (header_.sparse() && ((begin == 0 && offsets_[0] != 0) || offsets_[end - begin] > header_.entries ||
                             (end == header_.rows && offsets_[end - begin] != header_.entries) ||
                             !std::is_sorted(offsets_.begin(), offsets_.end())))
      damaged("its rows overlap");
    if (header_.sparse() && header_.nnz < header_.entries) damaged("its number of entries is wrong");
  }
  [[noreturn]] void damaged(const std::string& reason) const { refuse_as_damaged(file_.path(), reason); }

  DiskFile file_;
  Header header_;
  Layout layout_;
  std::uint64_t rows_ = 0, first_ = 0, entries_ = 0;  // first_: the entries before the rows
  std::uint64_t first_extent_ = 0, covered_ = 0;      // the extents of the rows, and their entries
  Buffer<double> labels_, weights_;
  Buffer<std::uint64_t> offsets_, column_checksums_, value_checksums_;
  Buffer<char> names_;
  std::vector<std::uint8_t> checked_;        // extents
  std::atomic<std::uint64_t> nonzeros_ = 0;  // of dense rows, in these extents
  std::shared_ptr<ExtentBudget> budget_;
};

struct DiskOwner {
  std::shared_ptr<CacheFile> file;
  std::shared_ptr<Extents> extents;
};

template <class Value>
Rows rows_of(const DiskOwner& owner, std::shared_ptr<const Leaves> leaves) {
  const CacheFile& file = *owner.file;
  const auto keep = std::make_shared<const DiskOwner>(owner);
  const std::span values(static_cast<const Value*>(owner.extents->values()), file.entries());
  if (!file.header().sparse())
    return DenseRows<Value>(file.rows(), file.header().width, values, keep, std::move(leaves));
  const std::span columns(static_cast<const std::uint32_t*>(owner.extents->columns()), file.entries());
  return SparseRows<Value>(file.header().width, file.offsets(), columns, values, keep, std::move(leaves));
}

DiskCache with_extents(const std::string& path, const std::shared_ptr<CacheFile>& file, std::size_t longest,
                       std::size_t budget, double copies, std::uint64_t hash, std::shared_ptr<const Leaves> leaves) {
  const EntryBytes bytes = file->size().entries;
  const std::size_t least = Extents::least_bytes(bytes, longest),
                    for_copies =
                        budget > least
                            ? std::min(budget - least, static_cast<std::size_t>(copies * static_cast<double>(budget)))
                            : 0;
  const auto shared = std::make_shared<ExtentBudget>(budget - for_copies);
  shared->nominal = shared->bytes;
  shared->copies = for_copies;
  shared->folder = path;
  shared->hash = hash;
  shared->file_bytes = bytes.total();
  file->count_reads(shared);
  const DiskOwner owner{file, std::make_shared<Extents>(bytes, longest, file, shared, file->skew())};
  Rows rows = file->header().value_bytes() == sizeof(double) ? rows_of<double>(owner, std::move(leaves))
                                                             : rows_of<float>(owner, std::move(leaves));
  return {file->dataset(std::move(rows)), longest, hash};
}

}  // namespace

CacheSize cache_size(const std::string& path) {
  const Header header = read_header(DiskFile(path));
  return {header.rows, header.width, header.entry_bytes(), header.weighted == 1, header.sparse(), header.version};
}

DiskCache open_cache(const std::string& path, const ExtentMemory& memory, double copies) {
  const auto file = std::make_shared<CacheFile>(path);
  const std::uint64_t hash = file->check_seal();
  file->read_rows(0, file->header().rows);
  const std::size_t longest = file->longest_row(), budget = memory({file->size(), longest, file->labels()});
  return with_extents(path, file, longest, budget, copies, hash, nullptr);
}

DiskCache open_cache_share(const std::string& path, Ranks& ranks, const ExtentMemory& memory, double copies) {
  std::shared_ptr<CacheFile> file;
  on_each(ranks, [&] { file = std::make_shared<CacheFile>(path); });
  std::uint64_t hash = 0;
  on_each(ranks, [&] { hash = file->check_seal(); });
  require_equal_copies(path, hash, ranks);
  std::shared_ptr<const Leaves> leaves;
  on_each(ranks, [&] {
    const Header& header = file->header();
    leaves = leaves_of_share({header.rows, header.entries, header.width, !header.sparse(), header.weighted == 1,
                              [&](std::size_t row) { return file->entries_before(row); }},
                             ranks);
    const std::vector<std::size_t>& first_row = leaves->shares()->first_row;
    const auto here = static_cast<std::size_t>(ranks.rank());
    file->read_rows(first_row[here], first_row[here + 1]);
  });
  const std::size_t longest = file->longest_row(), budget = memory({file->size(), longest, file->labels()});
  std::optional<DiskCache> opened;
  on_each(ranks, [&] { opened = with_extents(path, file, longest, budget, copies, hash, leaves); });
  return *std::move(opened);
}

}  // namespace seesaw
