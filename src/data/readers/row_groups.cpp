#include "data/readers/row_groups.h"

#include <fmt/format.h>

#include <cstring>
#include <string_view>
#include <unordered_map>

#include "data/hash_stream.h"
#include "data/readers/numbers.h"
#include "data/readers/parse_blocks.h"
#include "seesaw/error.h"

namespace seesaw {
namespace {

struct GroupsPart {
  std::vector<std::string> names;
  std::size_t lines = 0;
};

void parse_names(const Block& block, GroupsPart& part) {
  part.names.clear();
  const char* const end = block.text.data() + block.text.size();
  for (const char* p = block.text.data(); p < end; ++p) {
    const char* const line_end = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
    const char* last = line_end;
    p = skip_blanks(p);
    while (last > p && is_blank(last[-1])) --last;
    if (last <= p) throw Flaw{part.names.size() + 1, 1, "this line is empty; give the group of a row in each line."};
    part.names.emplace_back(p, last);
    p = line_end;
  }
  part.lines = part.names.size();
}

// The number of each name, in the order of first appearance.
template <class Name>
class Numbering {
 public:
  void add(const Name& name) {
    const auto [at, added] = numbers_.try_emplace(name, static_cast<std::uint32_t>(groups.count));
    groups.count += added ? 1 : 0;
    groups.of_row.push_back(at->second);
  }
  RowGroups groups;

 private:
  std::unordered_map<Name, std::uint32_t> numbers_;
};

}  // namespace

RowGroups numbered(const Groups& groups) {
  Numbering<std::int64_t> numbering;
  for (const std::int64_t group : groups) numbering.add(group);
  return std::move(numbering.groups);
}

RowGroups read_row_groups(const std::string& path) {
  TextBlocks blocks(path, "a file with the group of a row in each line");
  Numbering<std::string> numbering;
  parse_blocks<GroupsPart>(blocks, parse_names, [&](const GroupsPart& part) {
    for (const std::string& name : part.names) numbering.add(name);
  });
  return std::move(numbering.groups);
}

RowGroups groups_of_pairs(const std::vector<double>& labels, const Groups& groups) {
  const RowGroups of = numbered(groups);
  std::vector<std::vector<std::size_t>> rows(of.count);
  for (std::size_t i = 0; i < of.of_row.size(); ++i) rows[of.of_row[i]].push_back(i);
  RowGroups result;
  for (const std::vector<std::size_t>& group : rows) {
    const std::size_t before = result.of_row.size();
    for (std::size_t k = 0; k < group.size(); ++k)
      for (std::size_t l = k + 1; l < group.size(); ++l)
        if (labels[group[k]] != labels[group[l]]) result.of_row.push_back(static_cast<std::uint32_t>(result.count));
    result.count += result.of_row.size() > before ? 1 : 0;
  }
  return result;
}

RowGroups with_positive_weights(const RowGroups& groups, const std::vector<double>& weights) {
  Numbering<std::uint32_t> numbering;
  for (std::size_t i = 0; i < groups.of_row.size(); ++i)
    if (weights[i] > 0) numbering.add(groups.of_row[i]);
  return std::move(numbering.groups);
}

void require_rows(const RowGroups& groups, const Dataset& data, const std::string& path) {
  if (groups.of_row.size() != data.n())
    throw Error(fmt::format("{}: has {} with groups for the {} of {}; give one line per row.", path,
                            counted(groups.of_row.size(), "line"), counted(data.n(), "row"), data.source));
}

std::uint64_t content_hash(const Dataset& data, const RowGroups& groups) {
  HashStream stream;
  stream.put(content_hash(data));
  stream.put(std::uint64_t{groups.count});
  for (const std::uint32_t group : groups.of_row) stream.put(group);
  return stream.digest();
}

}  // namespace seesaw
