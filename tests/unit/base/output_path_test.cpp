#include "base/output_path.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "base/atomic_file.h"
#include "base/nesting.h"
#include "seesaw/error.h"

namespace seesaw {
namespace output_path_test {

namespace fs = std::filesystem;

class Outputs : public testing::Test {
 public:
  ~Outputs() override { fs::remove_all(folder); }

 protected:
  Outputs() {
    std::string name = (fs::temp_directory_path() / "seesaw_outputs_XXXXXX").string();
    folder = mkdtemp(name.data());
  }

  std::string at(const char* name) const { return (folder / name).string(); }
  static void write(const std::string& path, const std::string& text) {
    AtomicFile file(path);
    file.write(text);
    file.commit();
  }
  static std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  fs::path folder;
};

TEST_F(Outputs, follow_links_and_keep_them) {
  write(at("file"), "old");
  fs::create_symlink("file", at("link"));
  fs::create_symlink(at("link"), at("link of a link"));
  write(at("link of a link"), "new");
  EXPECT_EQ(content(at("file")), "new");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_TRUE(fs::is_symlink(at("link of a link")));
  EXPECT_FALSE(fs::is_symlink(at("file")));
}

TEST_F(Outputs, create_the_target_of_a_dangling_link) {
  fs::create_directory(at("elsewhere"));
  fs::create_symlink("elsewhere/target", at("link"));
  write(at("link"), "text");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(content(at("elsewhere/target")), "text");
}

TEST_F(Outputs, refuse_cyclic_links) {
  fs::create_symlink("b", at("a"));
  fs::create_symlink("a", at("b"));
  EXPECT_THROW(write(at("a"), "text"), Error);
  EXPECT_TRUE(fs::is_symlink(at("a")));
}

TEST_F(Outputs, keep_the_permissions_of_a_file_that_is_replaced) {
  write(at("file"), "old");
  ASSERT_EQ(chmod(at("file").c_str(), 0640), 0);
  write(at("file"), "new");
  struct stat about {};
  ASSERT_EQ(stat(at("file").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0640u);
  EXPECT_EQ(content(at("file")), "new");
}

TEST_F(Outputs, write_to_an_open_descriptor_at_its_position) {
  const int file = open(at("file").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_GE(file, 0);
  ASSERT_EQ(::write(file, "before ", 7), 7);
  for (const std::string folder_of : {"/dev/fd/", "/proc/self/fd/"}) {
    const std::string name = folder_of + std::to_string(file);
    EXPECT_EQ(OutputPath::of(name).descriptor, file);
    write(name, "text ");
  }
  ASSERT_EQ(::write(file, "after", 5), 5);
  close(file);
  EXPECT_EQ(content(at("file")), "before text text after");
}

TEST_F(Outputs, write_to_a_pipe) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = content(at("pipe")); });
  write(at("pipe"), "text");
  reader.join();
  EXPECT_EQ(read, "text");
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
}

TEST_F(Outputs, with_plain_names_are_not_descriptors) {
  EXPECT_FALSE(OutputPath::of(at("file")).descriptor);
  EXPECT_FALSE(OutputPath::of("7").descriptor);
  EXPECT_FALSE(OutputPath::of("/dev/null").descriptor);
  EXPECT_TRUE(OutputPath::of("/dev/null").direct());
  EXPECT_FALSE(is_standard_output(at("file")));
  EXPECT_FALSE(is_standard_output(""));
  EXPECT_TRUE(is_standard_output("/dev/stdout"));
}

TEST(Nesting, is_counted_outside_of_strings) {
  EXPECT_EQ(nested_deeper("[[[1]]]", 3), std::nullopt);
  EXPECT_EQ(nested_deeper("[[[1]]]", 2), 2u);
  EXPECT_EQ(nested_deeper(R"({"a[[[{":"\"[[[","b":[1]})", 2), std::nullopt);
  EXPECT_EQ(nested_deeper("[][][][]]]]]", 1), std::nullopt);
  EXPECT_EQ(nested_deeper(std::string(2000000, '[')), deepest_json);
  EXPECT_EQ(nested_deeper(""), std::nullopt);
}

TEST(AmbiguousKeys, are_those_that_occur_twice_in_an_object_or_are_escaped) {
  EXPECT_EQ(ambiguous_key(R"({"a": 1, "b": {"a": 2, "c": ["a", "a", {"a": 1}]}, "c": "a"})"), std::nullopt);
  EXPECT_EQ(ambiguous_key(R"({"a": "x\"", "b": "\\", "c": ","})"), std::nullopt);
  EXPECT_EQ(ambiguous_key(R"({"a": 1, "b": [{"c": 1}], "a": 2})"), 26u);
  EXPECT_EQ(ambiguous_key(R"({"b": [1, 2], "\u0061": 2})"), 14u);
  for (const char* text : {"", "}", "]]", "\"", "{\"", "{\"a\\", ",\"a\",\"a\"", "[\"a\",\"a\"]"})
    EXPECT_EQ(ambiguous_key(text).has_value(), std::string_view(text) == "{\"a\\") << text;
}

}  // namespace output_path_test
}  // namespace seesaw
