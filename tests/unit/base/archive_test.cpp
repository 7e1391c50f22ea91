// Archives: what was saved is restored, and damage of any byte is found.
#include "base/archive.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <filesystem>
#include <optional>

#include "base/buffer.h"
#include "base/rng.h"
#include "base/scalar.h"
#include "seesaw/error.h"
#include "support/expectations.h"
#include "support/scratch_folder.h"

namespace seesaw {
namespace archive_test {

enum class Color { red, green, blue };

struct State {
  double primal = 0;
  bool flag = false;
  int count = 0;
  std::size_t size = 0;
  Color color = Color::red;
  std::optional<double> known = 1.0, unknown = 1.0;
  std::string text;
  std::vector<double> x, y, values, empty{1};
  std::vector<float> floats;
  std::vector<std::uint32_t> list;
  std::vector<std::uint64_t> seeds;
  Eigen::VectorXd vector;
  Eigen::MatrixXd matrix, no_matrix = Eigen::MatrixXd(2, 2);
  Rng rng = Rng(1);

  void serialize(Archive& archive) {
    archive.numbers("numbers", primal, flag, count, size, color);
    archive.optional("known", known);
    archive.optional("unknown", unknown);
    archive.text("text", text);
    archive.array("x", x);
    archive.array("floats", floats);
    archive.array("seeds", seeds);
    archive.array("vector", vector);
    archive.array("empty", empty);
    archive.matrix("matrix", matrix);
    archive.matrix("no_matrix", no_matrix);
    archive.rows("y", y, 2);
    archive.row_list("list", list);
    archive.listed("values", values);
    archive.object("rng", rng);
  }
};

State example() {
  State state;
  state.primal = -0.0;
  state.flag = true;
  state.count = -7;
  state.size = std::size_t{1} << 52;
  state.color = Color::blue;
  state.known = infinity;
  state.unknown.reset();
  state.text = std::string("a\0b\n", 4);
  state.x = {1.5, -infinity, 5e-324};
  state.y = {1, 2, 3, 4};
  state.values = {0.1, 0.2};
  state.empty.clear();
  state.floats = {0.1f};
  state.list = {3, 4000000000u};
  state.seeds = {~std::uint64_t{0}};
  state.vector = Eigen::VectorXd::LinSpaced(5, 0, 1);
  state.matrix = Eigen::MatrixXd::Random(3, 2);
  state.no_matrix.resize(0, 0);
  for (int k = 0; k < 5; ++k) state.rng.below(7);
  return state;
}

std::string saved(const test::ScratchFolder& folder, State state, const std::string& name = "state") {
  ArchiveWriter writer(folder.path(name));
  state.serialize(writer);
  writer.commit();
  return folder.text_of(name);
}

TEST(Archive, restores_what_was_saved) {
  const test::ScratchFolder folder;
  State before = example(), after;
  const std::string bytes = saved(folder, before);
  ArchiveReader reader(folder.path("state"));
  after.serialize(reader);
  EXPECT_TRUE(saved(folder, after, "again") == bytes);
  EXPECT_TRUE(std::signbit(after.primal));
  EXPECT_TRUE(after.flag);
  EXPECT_EQ(after.count, -7);
  EXPECT_EQ(after.size, before.size);
  EXPECT_EQ(after.color, Color::blue);
  EXPECT_EQ(after.known, infinity);
  EXPECT_FALSE(after.unknown);
  EXPECT_EQ(after.text, before.text);
  EXPECT_EQ(after.x, before.x);
  EXPECT_EQ(after.y, before.y);
  EXPECT_EQ(after.values, before.values);
  EXPECT_TRUE(after.empty.empty());
  EXPECT_EQ(after.floats, before.floats);
  EXPECT_EQ(after.list, before.list);
  EXPECT_EQ(after.seeds, before.seeds);
  EXPECT_EQ(after.vector, before.vector);
  EXPECT_EQ(after.matrix, before.matrix);
  EXPECT_EQ(after.no_matrix.size(), 0);
  EXPECT_EQ(after.rng.below(1000), before.rng.below(1000));
}

TEST(Archive, finds_damage_of_every_byte_and_every_truncation) {
  const test::ScratchFolder folder;
  const std::string bytes = saved(folder, example());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    EXPECT_THROW(ArchiveReader(folder.file("damaged", damaged)), Error) << "byte " << at;
    EXPECT_THROW(ArchiveReader(folder.file("damaged", bytes.substr(0, at))), Error) << at << " bytes";
  }
  EXPECT_THROW(ArchiveReader(folder.file("damaged", bytes + "x")), Error);
  EXPECT_THROW(ArchiveReader(folder.path("none")), Error);
}

TEST(Archive, refuses_another_order_name_kind_or_type) {
  const test::ScratchFolder folder;
  saved(folder, example());
  const auto refusal = [&](const auto& read) {
    return test::sentence_of<Error>([&] {
      ArchiveReader reader(folder.path("state"));
      read(reader);
    });
  };
  std::vector<double> x;
  std::vector<float> floats;
  double one = 0, two = 0, three = 0, four = 0, five = 0, six = 0;
  EXPECT_TRUE(test::contains(refusal([&](Archive& a) { a.array("x", x); }), "'x'"));
  EXPECT_TRUE(test::contains(refusal([&](Archive& a) { a.array("number", x); }), "'number'"));
  EXPECT_TRUE(test::contains(refusal([&](Archive& a) { a.rows("numbers", x); }), "'numbers'"));
  EXPECT_TRUE(test::contains(refusal([&](Archive& a) { a.array("numbers", floats); }), "'numbers'"));
  EXPECT_TRUE(test::contains(refusal([&](Archive& a) { a.numbers("numbers", one); }), "'numbers'"));
  EXPECT_TRUE(test::contains(refusal([&](Archive& a) { a.numbers("numbers", one, two, three, four, five, six); }),
                             "'numbers'"));
  State state;
  EXPECT_TRUE(test::contains(refusal([&](Archive& a) {
                               state.serialize(a);
                               a.array("more", x);
                             }),
                             "'more'"));
}

TEST(Archive, has_no_file_before_it_is_complete) {
  const test::ScratchFolder folder;
  {
    ArchiveWriter writer(folder.path("state"));
    example().serialize(writer);
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path("state")));
}

}  // namespace archive_test
}  // namespace seesaw
