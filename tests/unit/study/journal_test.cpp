// The runs a journal keeps, what it removes from a truncated file, and which files it refuses.
#include "study/journal.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "seesaw/error.h"
#include "support/scratch_folder.h"

namespace seesaw {
namespace journal_test {

std::string run_text(const std::string& key, double passes = 2) {
  return "{\"type\":\"header\",\"trace\":3,\"solver\":\"sdca\",\"key\":\"" + key +
         "\"}\n{\"type\":\"check\",\"passes\":" + std::to_string(passes) +
         ",\"gap\":1}\n{\"type\":\"end\",\"status\":\"converged\"}\n";
}

RunRecord run_of(const std::string& key) {
  std::vector<std::string> lines;
  std::istringstream text(run_text(key));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return read_records(lines, "x").front();
}

struct JournalFile : testing::Test {
  test::ScratchFolder folder;
  std::string text() const { return folder.text_of("j.jsonl"); }
  std::string path() const { return folder.path("j.jsonl"); }
  void refused(const std::string& text, const std::string& sentence) const {
    folder.file("j.jsonl", text);
    try {
      const Journal journal(path());
      FAIL() << "accepted: " << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
    }
    EXPECT_EQ(folder.text_of("j.jsonl"), text);
  }
};

TEST_F(JournalFile, keeps_runs_for_the_next_study) {
  {
    Journal journal(path());
    journal.add(run_of("a"));
    journal.add(run_of("b"));
    EXPECT_EQ(text(), run_text("a") + run_text("b"));  // before the end: a program may be killed
  }
  const Journal again(path());
  ASSERT_NE(again.find("a"), nullptr);
  EXPECT_EQ(again.find("b")->lines, run_of("b").lines);
  EXPECT_EQ(again.find("c"), nullptr);
  EXPECT_EQ(again.finished().size(), 2);
}

TEST_F(JournalFile, removes_a_truncated_run_wherever_it_ends) {
  const std::string whole = run_text("a"), half = run_text("b");
  for (std::size_t length = 0; length < half.size() - 1; ++length) {  // all of it but the end of the line: a whole run
    folder.file("j.jsonl", whole + half.substr(0, length));
    {
      Journal journal(path());
      EXPECT_NE(journal.find("a"), nullptr);
      EXPECT_EQ(journal.find("b"), nullptr) << length;
      journal.add(run_of("c"));
    }
    ASSERT_EQ(text(), whole + run_text("c")) << length;
  }
}

TEST_F(JournalFile, accepts_a_truncated_first_run) {
  const std::string half = run_text("a");
  for (const std::size_t length : {std::size_t{1}, std::size_t{12}, half.find('\n'), half.size() - 5}) {
    folder.file("j.jsonl", half.substr(0, length));
    Journal journal(path());
    journal.add(run_of("b"));
    EXPECT_EQ(text(), run_text("b")) << length;
  }
}

TEST_F(JournalFile, ends_a_last_line_that_has_no_end) {
  const std::string whole = run_text("a");
  folder.file("j.jsonl", whole.substr(0, whole.size() - 1));
  Journal journal(path());
  EXPECT_NE(journal.find("a"), nullptr);
  journal.add(run_of("b"));
  EXPECT_EQ(text(), whole + run_text("b"));
}

TEST_F(JournalFile, leaves_other_lines_unchanged) {
  const std::string mixed =
      "{\"machine\":{}}\n" + run_text("a") + "\n{\"trace\":2}\n{\"passes\":1}\n{\"refused\":\"ws\"}\n";
  folder.file("j.jsonl", mixed);
  Journal journal(path());
  journal.add(run_of("b"));
  EXPECT_EQ(text(), mixed + run_text("b"));
}

TEST_F(JournalFile, refuses_files_not_written_by_a_study) {
  refused("1 1:0.5\n-1 2:1\n", "j.jsonl:1: ");
  refused("hello\n", "was not written by a comparison");
  refused("{\"name\":\"another\"}\n", "was not written by a comparison");
  refused("{\"trace\":2,\"solver\":\"sdca\"}\n{\"passes\":1}\n{\"status\":\"converged\"}\n",
          "was not written by a comparison");
  EXPECT_THROW(Journal(folder.path("")), Error);
  EXPECT_THROW(Journal(folder.path("not/there.jsonl")), Error);
}

TEST_F(JournalFile, is_written_by_one_study_at_a_time) {
  const Journal first(path());
  EXPECT_THROW(Journal second(path()), Error);
}

TEST_F(JournalFile, is_removed_if_nothing_was_written) {
  { const Journal journal(path()); }
  EXPECT_FALSE(std::filesystem::exists(path()));
  folder.file("j.jsonl", "");
  { const Journal journal(path()); }
  EXPECT_TRUE(std::filesystem::exists(path()));  // it existed before
}

TEST_F(JournalFile, has_duplicate_lines_once) {
  const std::string line = "{\"refused\":\"ws\"}";
  for (int k = 0; k < 2; ++k) {
    Journal journal(path());
    journal.add_line(line);
    journal.add_line(line);
    EXPECT_EQ(text(), line + "\n");
  }
}

TEST_F(JournalFile, can_be_rewritten) {
  Journal journal(path());
  journal.add(run_of("a"));
  journal.rewrite({"{\"experiment\":\"e\"}"});
  EXPECT_EQ(text(), "{\"experiment\":\"e\"}\n");
  EXPECT_NE(journal.find("a"), nullptr);
  journal.add(run_of("b"));
  EXPECT_EQ(text(), "{\"experiment\":\"e\"}\n" + run_text("b"));
}

TEST(Journal, without_a_file_keeps_runs_in_memory) {
  Journal journal;
  journal.add(run_of("a"));
  EXPECT_NE(journal.find("a"), nullptr);
}

}  // namespace journal_test
}  // namespace seesaw
