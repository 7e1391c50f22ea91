#include "data/table/table_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/rng.h"
#include "files.h"
#include "seesaw/error.h"

namespace seesaw {
namespace table_text_test {

using testing_files::message_of;
using testing_files::TemporaryFile;
using Texts = std::vector<std::vector<std::string>>;

Texts records_of(const std::string& text, char separator) {
  Records records(text, separator);
  Texts all;
  for (std::vector<Cell> cells; records.next(cells);) {
    all.emplace_back();
    for (const Cell& cell : cells) all.back().emplace_back(cell.text);
  }
  return all;
}

TableText read(const std::string& text, char separator = 0, std::optional<bool> header = {}) {
  const TemporaryFile file(text);
  TextBlocks blocks(file.path(), "a table", 16);
  return read_table_text(blocks, separator, header);
}

TEST(TableText, quoted_cells_have_separators_quotes_and_line_ends) {
  EXPECT_EQ(records_of("a,\"b,c\",\"d\"\"e\"\n\"f\ng\", h ,\r\n", ','),
            (Texts{{"a", "b,c", "d\"e"}, {"f\ng", "h", ""}}));
  EXPECT_EQ(records_of("\"\";\"\"\"\";\"a\"b\n", ';'), (Texts{{"", "\"", "ab"}}));
}

TEST(TableText, positions_count_lines_inside_quotes) {
  Records records("a,\"b\nc\",d\n\ne,f\n", ',');
  std::vector<Cell> cells;
  ASSERT_TRUE(records.next(cells));
  EXPECT_EQ(cells[1].at.line, 1u);
  EXPECT_EQ(cells[1].at.column, 3u);
  EXPECT_EQ(cells[2].at.line, 2u);
  EXPECT_EQ(cells[2].at.column, 4u);
  ASSERT_TRUE(records.next(cells));
  EXPECT_EQ(cells[0].at.line, 4u);
  EXPECT_FALSE(records.next(cells));
}

// Writes random records with random quoting, and reads them back.
TEST(TableText, reads_back_what_is_written_with_any_quoting) {
  Rng rng(5);
  const std::vector<std::string> pieces = {"a", "\"", ",", ";", "\n", "7", "|", "\t", "x y", "\xc3\xa9"};
  for (int trial = 0; trial < 300; ++trial) {
    const char separator = ",;\t|"[rng.below(4)];
    Texts expected(1 + rng.below(5));
    std::string text;
    for (auto& record : expected) {
      const std::size_t columns = 2 + rng.below(4);
      for (std::size_t j = 0; j < columns; ++j) {
        std::string cell = j == 0 ? "k" : "";
        for (std::uint32_t k = rng.below(4); k > 0; --k)
          cell += pieces[rng.below(static_cast<std::uint32_t>(pieces.size()))];
        cell += j == 0 ? "" : rng.below(2) == 0 ? "z" : "";
        while (!cell.empty() && (cell[0] == '\t' || cell[0] == ' ')) cell.erase(0, 1);
        while (!cell.empty() && (cell.back() == '\t' || cell.back() == ' ')) cell.pop_back();
        const bool quotes = rng.below(3) == 0 || cell.find_first_of(std::string("\"\n\t") + separator) != cell.npos;
        std::string written;
        for (const char c : cell) written += c == '"' ? std::string("\"\"") : std::string(1, c);
        text += (j > 0 ? std::string(1, separator) : "") + (quotes ? '"' + written + '"' : cell);
        record.push_back(cell);
      }
      text += rng.below(2) == 0 ? "\r\n" : "\n";
    }
    EXPECT_EQ(records_of(text, separator), expected) << text;
  }
}

TEST(TableText, finds_the_separator) {
  EXPECT_EQ(read("a,b\n1,x\n").separator, ',');
  EXPECT_EQ(read("a;b\n1,5;x\n").separator, ';');
  EXPECT_EQ(read("a\tb\n1\tx,y\n").separator, '\t');
  EXPECT_EQ(read("a|b\n1|x\n").separator, '|');
  EXPECT_EQ(read("1,5;2,5;3,5\n1,5;2,5;x\n").separator, ';');  // commas are more frequent
  EXPECT_EQ(read("a,b;c\n1,x;y\n", ';').separator, ';');
  EXPECT_EQ(message_of([] { read("abc\nd\n"); }).find("has only one field") != std::string::npos, true);
}

TEST(TableText, finds_the_header) {
  EXPECT_TRUE(read("age,city\n39,Paris\n").header);
  EXPECT_FALSE(read("39,Paris\n40,London\n").header);
  EXPECT_TRUE(read("city,kind\nParis,a\n").header);
  EXPECT_FALSE(read("1,,3\n4,x,6\n").header);
  EXPECT_EQ(read("39,Paris\n40,London\n").names, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(read(",city\n1,Paris\n").names, (std::vector<std::string>{"1", "city"}));
  EXPECT_FALSE(read("age,city\n39,Paris\n", 0, false).header);
}

TEST(TableText, reads_latin1_and_a_byte_order_mark) {
  const TableText latin1 = read("city,y\nK\xf6ln,1\nx,2\n");
  EXPECT_TRUE(latin1.latin1);
  EXPECT_NE(latin1.text.find("K\xc3\xb6ln"), std::string::npos);
  const TableText utf8 = read(
      "\xef\xbb\xbf"
      "city,y\nK\xc3\xb6ln,1\nx,2\n");
  EXPECT_FALSE(utf8.latin1);
  EXPECT_EQ(utf8.names[0], "city");
}

TEST(TableText, refuses_zero_bytes_and_files_without_rows) {
  EXPECT_NE(message_of([] { read(std::string("a,b\n1,\0 2\n", 10)); }).find(":2:3: there is a byte 0"),
            std::string::npos);
  EXPECT_NE(message_of([] { read("a,b\n"); }).find("has no rows"), std::string::npos);
  EXPECT_NE(message_of([] { read(""); }).find("is empty"), std::string::npos);
}

TEST(TableText, an_open_quote_is_reported_where_it_begins) {
  const TableText table = read("a,b\n1,\"x\n2,y\n");
  Problems problems(table.file);
  EXPECT_NE(message_of([&] { table.for_each_row(problems, [](const std::vector<Cell>&) {}); }).find(":2:3: the quote"),
            std::string::npos);
}

}  // namespace table_text_test
}  // namespace seesaw
