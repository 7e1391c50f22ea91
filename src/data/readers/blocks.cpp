#include "data/readers/blocks.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/buffer.h"
#include "base/mapped_files.h"
#include "data/readers/gzip_check.h"
#include "data/readers/numbers.h"
#include "seesaw/error.h"

namespace seesaw {

class TextBlocks::Source {
 public:
  virtual ~Source() = default;
  virtual std::optional<Block> next() = 0;
};

namespace {

// A limit for binary files, whose first "line" could otherwise fill the memory.
constexpr std::size_t longest_line = std::size_t{1} << 30;

[[noreturn]] void refuse_long_line(const std::string& name) {
  throw Error(fmt::format("{}: has a line of more than {} bytes; is it a text file?", name, longest_line));
}

bool starts_compressed(std::string_view text) {
  using namespace std::string_view_literals;
  for (const auto magic : {"\x1f\x8b"sv, "BZh"sv, "\xfd\x37zXZ\0"sv, "\x28\xb5\x2f\xfd"sv})
    if (text.starts_with(magic)) return true;
  return false;
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ > STDERR_FILENO) close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

struct Mapping {
  Mapping(const char* from, std::size_t bytes) : begin(from), size(bytes), registration(from, bytes, text_shrank) {}
  ~Mapping() { munmap(const_cast<char*>(begin), size); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  const char* const begin;
  const std::size_t size;
  const MappedFile registration;
};

// Releases the pages wholly inside the range, which are not read again; the page cache keeps the file's content.
void release_pages(const char* begin, const char* end) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
  const auto last = reinterpret_cast<std::uintptr_t>(end) / page * page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

// A copy of `text` that ends with a newline and has `lookahead` readable bytes after it.
Block copied(std::string_view text) {
  auto memory = std::make_shared<Buffer<char>>(text.size() + 1 + lookahead);
  std::memcpy(memory->data(), text.data(), text.size());
  std::memset(memory->data() + text.size(), '\n', 1 + lookahead);
  const std::size_t newline = text.ends_with('\n') ? 0 : 1;
  return {{memory->data(), text.size() + newline}, 0, memory};
}

class MappedText final : public TextBlocks::Source {
 public:
  MappedText(std::string name, std::shared_ptr<const Mapping> mapping, std::size_t block_size)
      : name_(std::move(name)), mapping_(std::move(mapping)), block_size_(block_size) {
    // Slices end at slices_end_ at the latest. The lines after it are copied: the final newline may be missing, and
    // the mapping may end with the file.
    if (mapping_->size > lookahead) slices_end_ = after_last_newline(0, mapping_->size - lookahead);
  }

  // Keeps the lines that begin in a range of the bytes.
  void restrict_to(std::size_t begin, std::size_t end) {
    at_ = line_from(begin);
    end_ = line_from(end);
    slices_end_ = std::clamp(slices_end_, at_, end_);
  }

  std::optional<Block> next() override {
    const char* const text = mapping_->begin;
    if (at_ == end_) return std::nullopt;
    if (at_ == slices_end_) {
      const std::size_t begin = std::exchange(at_, end_);
      if (at_ - begin > longest_line) refuse_long_line(name_);
      return copied({text + begin, at_ - begin});
    }
    const std::size_t begin = at_;
    at_ = slices_end_;
    if (block_size_ < slices_end_ - begin) {
      at_ = after_last_newline(begin, begin + block_size_);
      if (at_ == begin) {  // a line longer than a block
        const auto* end = std::memchr(text + begin + block_size_, '\n', slices_end_ - begin - block_size_);
        at_ = static_cast<std::size_t>(static_cast<const char*>(end) - text) + 1;
        if (at_ - begin > longest_line) refuse_long_line(name_);
      }
    }
    const std::string_view slice(text + begin, at_ - begin);
    std::shared_ptr<const void> keep(slice.data(), [slice, mapping = mapping_](const void*) {
      release_pages(slice.data(), slice.data() + slice.size());
    });
    return Block{slice, 0, std::move(keep)};
  }

 private:
  // The beginning of the first line at `from` or beyond it.
  std::size_t line_from(std::size_t from) const {
    if (from == 0 || from >= mapping_->size) return std::min(from, mapping_->size);
    const auto* found =
        static_cast<const char*>(std::memchr(mapping_->begin + from - 1, '\n', mapping_->size - from + 1));
    return found == nullptr ? mapping_->size : static_cast<std::size_t>(found - mapping_->begin) + 1;
  }
  // The position after the last newline in [begin, end); begin if there is none.
  std::size_t after_last_newline(std::size_t begin, std::size_t end) const {
    const auto* found = memrchr(mapping_->begin + begin, '\n', end - begin);
    return found == nullptr ? begin : static_cast<std::size_t>(static_cast<const char*>(found) - mapping_->begin) + 1;
  }

  std::string name_;
  std::shared_ptr<const Mapping> mapping_;
  std::size_t block_size_;
  std::size_t slices_end_ = 0;
  std::size_t at_ = 0;
  std::size_t end_ = mapping_->size;
};

// A stream, decompressed if necessary.
class UnpackedText final : public TextBlocks::Source {
 public:
  UnpackedText(std::string name, Descriptor file, std::size_t block_size)
      : name_(std::move(name)),
        file_(std::move(file)),
        block_size_(block_size),
        archive_(archive_read_new(), archive_read_free) {
    if (archive_ == nullptr) throw std::bad_alloc();
    archive_read_support_filter_gzip(archive_.get());
    archive_read_support_filter_bzip2(archive_.get());
    archive_read_support_filter_xz(archive_.get());
    archive_read_support_filter_zstd(archive_.get());
    archive_read_support_format_raw(archive_.get());
    archive_read_support_format_empty(archive_.get());
    check(archive_read_open(archive_.get(), this, nullptr, read_packed, nullptr));
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(archive_.get(), &entry);
    if (status == ARCHIVE_EOF) ended_ = true;
    else check(status);
  }

  std::optional<Block> next() override {
    auto memory = std::make_shared<Buffer<char>>(left_over_.size() + block_size_ + 1 + lookahead);
    std::size_t filled = left_over_.size();
    std::memcpy(memory->data(), left_over_.data(), filled);
    std::size_t text_end = 0;  // after the last newline
    while (!ended_ && text_end == 0) {
      const std::size_t target = filled + block_size_;
      memory->resize(target + 1 + lookahead);
      const std::size_t begin = filled;
      while (!ended_ && filled < target) filled += unpack(memory->data() + filled, target - filled);
      const auto* found = static_cast<const char*>(memrchr(memory->data() + begin, '\n', filled - begin));
      if (found != nullptr) text_end = static_cast<std::size_t>(found - memory->data()) + 1;
      if (text_end == 0 && filled > longest_line) refuse_long_line(name_);
    }
    if (text_end == 0) {  // the last line, without a newline
      if (filled == 0) return std::nullopt;
      memory->data()[filled++] = '\n';
      text_end = filled;
    }
    left_over_.assign(memory->data() + text_end, filled - text_end);
    std::memset(memory->data() + filled, '\n', lookahead);
    return Block{{memory->data(), text_end}, 0, memory};
  }

 private:
  static la_ssize_t read_packed(archive* to, void* self, const void** bytes) {
    auto& text = *static_cast<UnpackedText*>(self);
    ssize_t got = 0;
    do got = read(text.file_.number(), text.packed_.data(), text.packed_.size());
    while (got < 0 && errno == EINTR);
    if (got < 0) archive_set_error(to, errno, "%s", std::strerror(errno));
    *bytes = text.packed_.data();
    if (got > 0) text.gzip_check_.packed({text.packed_.data(), static_cast<std::size_t>(got)});
    return got;
  }

  std::size_t unpack(char* to, std::size_t most) {
    const la_ssize_t got = archive_read_data(archive_.get(), to, most);
    if (got < 0) refuse();
    const std::string_view text(to, static_cast<std::size_t>(got));
    const int filter = archive_filter_code(archive_.get(), 0);
    // A file truncated within the first few bytes is too short for libarchive to detect its format.
    if (std::exchange(first_, false) && filter == ARCHIVE_FILTER_NONE && starts_compressed(text))
      refuse("it ends within its first bytes");
    if (filter == ARCHIVE_FILTER_GZIP) gzip_check_.unpacked(text);
    ended_ = text.empty();
    if (ended_ && filter == ARCHIVE_FILTER_GZIP && gzip_check_.fails()) refuse("its checksum is wrong");
    return text.size();
  }
  void check(int status) const {
    if (status != ARCHIVE_OK) refuse();
  }
  [[noreturn]] void refuse() const {
    const char* reason = archive_error_string(archive_.get());
    refuse(reason == nullptr ? "no reason given" : reason);
  }
  [[noreturn]] void refuse(const char* reason) const {
    throw Error(fmt::format("{}: cannot be read to its end ({}): it is damaged or truncated; download or recreate it.",
                            name_, reason));
  }

  std::string name_;
  Descriptor file_;
  std::size_t block_size_;
  Buffer<char> packed_{std::size_t{1} << 18};  // input of libarchive
  GzipCheck gzip_check_;
  std::unique_ptr<archive, int (*)(archive*)> archive_;
  std::string left_over_;  // the beginning of a line whose end has not been read
  bool first_ = true;
  bool ended_ = false;
};

std::unique_ptr<TextBlocks::Source> open_source(const std::string& path, const std::string& name,
                                                const std::string& wanted, std::size_t block_size,
                                                TextBlocks::Part part = {0, 1}) {
  Descriptor file(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat about {};
  if (file.number() < 0 || fstat(file.number(), &about) != 0)
    throw Error(fmt::format("{}: cannot be opened ({}); give {}.", name, std::strerror(errno), wanted));
  if (S_ISDIR(about.st_mode)) throw Error(fmt::format("{}: is a directory; give {}.", name, wanted));
  if (path != "-" && S_ISREG(about.st_mode) && about.st_size > 0) {
    char first[8];
    const ssize_t got = pread(file.number(), first, sizeof first, 0);
    if (got < 0) throw Error(fmt::format("{}: cannot be read ({}).", name, std::strerror(errno)));
    if (!starts_compressed({first, static_cast<std::size_t>(got)})) {
      const auto size = static_cast<std::size_t>(about.st_size);
      void* const begin = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
      if (begin != MAP_FAILED) {
        madvise(begin, size, MADV_SEQUENTIAL);
        auto mapping = std::make_shared<const Mapping>(static_cast<const char*>(begin), size);
        auto source = std::make_unique<MappedText>(name, std::move(mapping), block_size);
        if (part.parts > 1)
          source->restrict_to(size / part.parts * part.number,
                              part.number + 1 == part.parts ? size : size / part.parts * (part.number + 1));
        return source;
      }
    }
  }
  return std::make_unique<UnpackedText>(name, std::move(file), block_size);
}

}  // namespace

TextBlocks::TextBlocks(const std::string& path, std::string wanted, std::size_t block_size)
    : name_(path == "-" ? "standard input" : path),
      wanted_(std::move(wanted)),
      source_(open_source(path, name_, wanted_, std::max<std::size_t>(block_size, 1))) {}

TextBlocks::TextBlocks(const std::string& path, std::string wanted, Part part)
    : name_(path), wanted_(std::move(wanted)), source_(open_source(path, name_, wanted_, usual_size, part)) {
  if (part.number > 0) taken_ = 1;  // no byte order mark
}

bool TextBlocks::has_parts(const std::string& path) {
  const Descriptor file(path == "-" ? -1 : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat about {};
  char first[8];
  if (file.number() < 0 || fstat(file.number(), &about) != 0 || !S_ISREG(about.st_mode) || about.st_size == 0)
    return false;
  const ssize_t got = pread(file.number(), first, sizeof first, 0);
  return got > 0 && !starts_compressed({first, static_cast<std::size_t>(got)});
}

TextBlocks::~TextBlocks() = default;

std::optional<Block> TextBlocks::next() {
  if (held_) return std::exchange(held_, std::nullopt);
  if (repeated_ < remembered_.size()) return remembered_[repeated_++];
  auto block = source_->next();
  if (!block) return block;
  block->number = taken_++;
  // Some editors begin a file with a UTF-8 byte order mark.
  if (block->number == 0 && block->text.starts_with("\xef\xbb\xbf")) block->text.remove_prefix(3);
  if (remembers_) {
    remembered_.push_back(*block);
    repeated_ = remembered_.size();
  }
  return block;
}

void TextBlocks::rewind() {
  held_.reset();
  repeated_ = 0;
}

std::string_view TextBlocks::peek() {
  if (!held_) held_ = next();
  return held_ ? held_->text : std::string_view();
}

void TextBlocks::refuse_as_empty() const {
  throw Error(fmt::format("{}: {}; give {}.", name_, taken_ == 0 ? "is empty" : "has no rows", wanted_));
}

}  // namespace seesaw
