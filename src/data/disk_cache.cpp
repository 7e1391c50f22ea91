#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "base/buffer.h"
#include "data/cache.h"
#include "data/cache_format.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

using namespace cache;

class File {
 public:
  explicit File(const std::string& path) : path_(path), file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0)
      throw Error(fmt::format("{}: cannot be opened ({}); give a .ssw cache.", path, std::strerror(errno)));
    struct stat about {};
    fstat(file_, &about);
    size_ = static_cast<std::uint64_t>(about.st_size);
    if (!S_ISREG(about.st_mode) || size_ < sizeof(Header)) {
      close(file_);
      throw Error(fmt::format("{}: is not a .ssw cache, which is a file of at least {} bytes.", path, sizeof(Header)));
    }
    posix_fadvise(file_, 0, 0, POSIX_FADV_SEQUENTIAL);  // the system reads ahead as well
  }
  ~File() { close(file_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::uint64_t size() const { return size_; }
  const std::string& path() const { return path_; }

  void read(std::uint64_t at, void* to, std::uint64_t bytes) const {
    auto* place = static_cast<char*>(to);
    while (bytes > 0) {
      const ssize_t got =
          pread(file_, place, std::min<std::uint64_t>(bytes, std::uint64_t{1} << 30), static_cast<off_t>(at));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw Error(fmt::format("{}: cannot be read ({}).", path_, std::strerror(errno)));
      if (got == 0)
        throw Error(fmt::format("{}: became shorter while it was in use; recreate it from the text.", path_));
      place += got;
      at += static_cast<std::uint64_t>(got);
      bytes -= static_cast<std::uint64_t>(got);
    }
  }

 private:
  std::string path_;
  int file_;
  std::uint64_t size_ = 0;
};

Header read_header(const File& file) {
  Header header;
  file.read(0, &header, sizeof header);
  check_header(header, file.path(), file.size());
  return header;
}

template <class T>
Buffer<T> read_array(const File& file, const Section& section) {
  Buffer<T> array(section.size / sizeof(T));
  file.read(section.begin, array.data(), section.size);
  return array;
}

// Everything but the entries, and the entries by extents.
class CacheFile final : public ExtentReader {
 public:
  explicit CacheFile(const std::string& path) : file_(path), header_(read_header(file_)), layout_(layout_of(header_)) {
    if (header_.version == 1)
      throw Error(
          fmt::format("{}: is a cache of format 1, which is read into memory only; recreate it from the text.", path));
    labels_ = read_array<double>(file_, layout_.labels);
    weights_ = read_array<double>(file_, layout_.weights);
    offsets_ = read_array<std::uint64_t>(file_, layout_.offsets);
    names_ = read_array<char>(file_, layout_.names);
    hashes_ = read_array<std::uint64_t>(file_, layout_.hashes);
    column_checksums_ = read_array<std::uint64_t>(file_, layout_.column_checksums);
    value_checksums_ = read_array<std::uint64_t>(file_, layout_.value_checksums);
    check();
    checked_.resize(header_.entry_bytes().extents());
  }

  const Header& header() const { return header_; }
  std::span<const std::uint64_t> offsets() const { return offsets_.span(); }
  std::uint64_t hash() const { return join_leaves(header_.rows, hashes_.span()); }

  std::size_t longest_row() const {
    if (!header_.sparse()) return header_.width;
    std::uint64_t longest = 0;
    for (std::size_t i = 0; i < header_.rows; ++i) longest = std::max(longest, offsets_[i + 1] - offsets_[i]);
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
    const std::uint64_t first = extent * extent_entries, count = std::min(extent_entries, header_.entries - first),
                        value_bytes = header_.value_bytes();
    if (header_.sparse()) {
      file_.read(layout_.columns.begin + first * sizeof(std::uint32_t), columns, count * sizeof(std::uint32_t));
      budget_->bytes_read += count * sizeof(std::uint32_t);
    }
    file_.read(layout_.values.begin + first * value_bytes, values, count * value_bytes);
    budget_->bytes_read += count * value_bytes;
    if (checked_[extent]) return;
    const auto* const bytes = static_cast<const char*>(values);
    bool same = checksum_of({bytes, count * value_bytes}) == value_checksums_[extent];
    if (header_.sparse())
      same = same && checksum_of({static_cast<const char*>(columns), count * sizeof(std::uint32_t)}) ==
                         column_checksums_[extent];
    if (!same) damaged(fmt::format("the checksum of extent {} of {} is wrong", extent + 1, checked_.size()));
    if (header_.sparse() &&
        !columns_in_order({static_cast<const std::uint32_t*>(columns), count}, first, offsets_.span(), header_.width))
      damaged("its columns are not in order");
    const bool finite = value_bytes == sizeof(double) ? all_finite(std::span(static_cast<const double*>(values), count))
                                                      : all_finite(std::span(static_cast<const float*>(values), count));
    if (!finite) damaged("a value is not finite");
    checked_[extent] = 1;
  }

 private:
  void check() const {
    Checksum sum;
    sum.add(bytes_of(std::span<const Header>(&header_, 1)));
    sum.add(bytes_of(labels_.span()));
    sum.add(bytes_of(weights_.span()));
    sum.add(bytes_of(offsets_.span()));
    sum.add({names_.data(), names_.size()});
    sum.add(bytes_of(hashes_.span()));
    sum.add(bytes_of(column_checksums_.span()));
    sum.add(bytes_of(value_checksums_.span()));
    std::uint64_t seal = 0;
    file_.read(layout_.seal.begin, &seal, sizeof seal);
    if (sum.value() != seal) damaged("its checksum is wrong");
    if (!all_finite(labels_.span())) damaged("a label is not finite");
    if (!all_finite(weights_.span())) damaged("a weight is not finite");
    if (std::any_of(weights_.begin(), weights_.end(), [](double weight) { return weight <= 0; }))
      damaged("a weight is not positive");
    if (header_.sparse() && (offsets_[0] != 0 || offsets_[header_.rows] != header_.entries ||
                             !std::is_sorted(offsets_.begin(), offsets_.end())))
      damaged("its rows overlap");
  }
  [[noreturn]] void damaged(const std::string& reason) const { refuse_as_damaged(file_.path(), reason); }

  File file_;
  Header header_;
  Layout layout_;
  Buffer<double> labels_, weights_;
  Buffer<std::uint64_t> offsets_, hashes_, column_checksums_, value_checksums_;
  Buffer<char> names_;
  std::vector<std::uint8_t> checked_;  // extents
  std::shared_ptr<ExtentBudget> budget_;
};

CacheSize size_of(const Header& header) {
  return {header.rows, header.width, header.entry_bytes(), header.weighted == 1, header.sparse(), header.version};
}

struct Owner {
  std::shared_ptr<CacheFile> file;
  std::shared_ptr<Extents> extents;
};

template <class Value>
Rows rows_of(const Owner& owner) {
  const Header& header = owner.file->header();
  const auto keep = std::make_shared<const Owner>(owner);
  const std::span values(static_cast<const Value*>(owner.extents->values()), header.entries);
  if (!header.sparse()) return DenseRows<Value>(header.rows, header.width, values, keep);
  const std::span columns(static_cast<const std::uint32_t*>(owner.extents->columns()), header.entries);
  return SparseRows<Value>(header.width, owner.file->offsets(), columns, values, keep);
}

}  // namespace

CacheSize cache_size(const std::string& path) { return size_of(read_header(File(path))); }

DiskCache open_cache(const std::string& path, const std::function<std::size_t(const OpenedCache&)>& budget,
                     double copies) {
  const auto file = std::make_shared<CacheFile>(path);
  const std::size_t longest = file->longest_row();
  const std::size_t all = budget({size_of(file->header()), longest, file->labels()}),
                    least = Extents::least_bytes(file->header().entry_bytes(), longest),
                    for_copies =
                        all > least ? std::min(all - least, static_cast<std::size_t>(copies * static_cast<double>(all)))
                                    : 0;
  const auto shared = std::make_shared<ExtentBudget>(all - for_copies);
  shared->nominal = shared->bytes;
  shared->copies = for_copies;
  shared->folder = path;
  shared->hash = file->hash();
  shared->file_bytes = file->header().entry_bytes().total();
  file->count_reads(shared);
  const Owner owner{file, std::make_shared<Extents>(file->header().entry_bytes(), longest, file, shared)};
  Rows rows = file->header().value_bytes() == sizeof(double) ? rows_of<double>(owner) : rows_of<float>(owner);
  return {file->dataset(std::move(rows)), longest, shared->hash};
}

}  // namespace seesaw
