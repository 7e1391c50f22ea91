#include "report/page.h"

#include <gtest/gtest.h>

#include <string>

#include "report/page_template.h"
#include "seesaw/error.h"
#include "support/scratch_folder.h"

namespace seesaw {
namespace page_test {

const std::string opening = "<script type=\"application/jsonl\" id=\"lines\">\n";

// The content of the page's element of lines, up to its end tag.
std::string lines_in(const std::string& page) {
  const std::size_t from = page.find(opening) + opening.size();
  return page.substr(from, page.find("</script>", from) - from);
}

TEST(Page, has_its_lines_and_otherwise_does_not_depend_on_them) {
  const std::string page = page_of("{\"news\":\"one\"}\n{\"news\":\"two\"}\n");
  EXPECT_EQ(lines_in(page), "{\"news\":\"one\"}\n{\"news\":\"two\"}\n");
  EXPECT_EQ(page.find("@@"), std::string::npos);
  const std::string other = page_of("");
  EXPECT_EQ(lines_in(other), "");
  EXPECT_EQ(page.size(), other.size() + lines_in(page).size());
}

TEST(Page, cannot_be_ended_by_the_content_of_a_line) {
  const std::string page = page_of("{\"news\":\"</script><script>alert(1)</script><!--\"}");
  EXPECT_EQ(lines_in(page), "{\"news\":\"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\\u003c!--\"}\n");
}

TEST(Page, loads_nothing_from_the_network) {
  EXPECT_NE(page_template().find("default-src 'none'"), std::string_view::npos);
  EXPECT_EQ(page_template().find(" src="), std::string_view::npos);
  EXPECT_EQ(page_template().find("@import"), std::string_view::npos);
}

TEST(Page, is_written_atomically) {
  const test::ScratchFolder folder;
  write_page(folder.path("page.html"), "{}\n");
  EXPECT_EQ(folder.text_of("page.html"), page_of("{}\n"));
  EXPECT_THROW(write_page(folder.path("absent/page.html"), "{}\n"), Error);
}

}  // namespace page_test
}  // namespace seesaw
