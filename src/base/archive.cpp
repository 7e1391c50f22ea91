#include "base/archive.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/archive_format.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

using namespace archive_format;

std::string contents_of(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) throw Error(fmt::format("cannot open {}: {}.", path, std::strerror(errno)));
  std::string bytes;
  constexpr std::size_t block = std::size_t{1} << 20;
  for (std::size_t read = block; read == block;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + block);
    read = std::fread(bytes.data() + before, 1, block, file.get());
    bytes.resize(before + read);
  }
  if (std::ferror(file.get()) != 0) throw Error(fmt::format("cannot read {}: {}.", path, std::strerror(errno)));
  return bytes;
}

}  // namespace

struct ArchiveWriter::Checksum {
  XXH3_state_t state;
};

ArchiveWriter::ArchiveWriter(const std::string& path)
    : Archive(true), file_(path), checksum_(std::make_unique<Checksum>()) {
  XXH3_64bits_reset(&checksum_->state);
  add(magic.data(), magic.size());
}

ArchiveWriter::~ArchiveWriter() = default;

void ArchiveWriter::add(const void* bytes, std::size_t size) {
  if (size == 0) return;
  XXH3_64bits_update(&checksum_->state, bytes, size);
  file_.write(std::string_view(static_cast<const char*>(bytes), size));
}

void ArchiveWriter::put(const ArchiveEntry& entry, const void* bytes) {
  const std::string header = header_of(entry);
  add(header.data(), header.size());
  add(bytes, entry.count * size_of(entry.type));
}

void ArchiveWriter::commit() {
  put(last_entry, nullptr);
  const std::uint64_t checksum = XXH3_64bits_digest(&checksum_->state);
  file_.write(std::string_view(reinterpret_cast<const char*>(&checksum), sizeof checksum));
  file_.commit();
}

void ArchiveWriter::refuse(std::string_view name) const {
  throw Error(fmt::format("the state '{}' cannot be saved.", name));
}

ArchiveReader::ArchiveReader(std::string path) : Archive(false), path_(std::move(path)), bytes_(contents_of(path_)) {
  const auto damaged = [&](const char* why) { throw Error(fmt::format("{} is damaged: {}.", path_, why)); };
  std::uint64_t checksum = 0;
  if (bytes_.size() < magic.size() + sizeof(EntryHeader) + sizeof checksum) damaged("it is too short");
  if (std::memcmp(bytes_.data(), magic.data(), magic.size()) != 0) damaged("it does not begin as a checkpoint");
  const std::size_t size = bytes_.size() - sizeof checksum;
  std::memcpy(&checksum, bytes_.data() + size, sizeof checksum);
  if (XXH3_64bits(bytes_.data(), size) != checksum) damaged("its checksum is wrong");
  bytes_.resize(size);
  at_ = magic.size();
}

Archive::Found ArchiveReader::get(const ArchiveEntry& expected) {
  EntryHeader header;
  if (bytes_.size() - at_ < sizeof header) refuse(expected.name);
  std::memcpy(&header, bytes_.data() + at_, sizeof header);
  const char* const name = bytes_.data() + at_ + sizeof header;
  const std::size_t left = bytes_.size() - at_ - sizeof header;
  if (left < header.name_size || std::string_view(name, header.name_size) != expected.name ||
      header.kind != static_cast<std::uint8_t>(expected.kind) ||
      header.type != static_cast<std::uint8_t>(expected.type) ||
      header.count > (left - header.name_size) / size_of(expected.type))
    refuse(expected.name);
  at_ += sizeof header + header.name_size + header.count * size_of(expected.type);
  return {{expected.kind, expected.type, expected.name, header.count, header.width}, name + header.name_size};
}

void ArchiveReader::refuse(std::string_view name) const {
  throw Error(fmt::format(
      "{} does not contain the state '{}' that is expected here: it was saved by another method, or with "
      "other options or another `memory`. Continue it with those, or choose another folder for `checkpoint`.",
      path_, name));
}

}  // namespace seesaw
