// The files of checkpoints: which are kept, which are used, which are refused.
#include "run/checkpoint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "seesaw/error.h"
#include "seesaw/version.h"
#include "support/expectations.h"
#include "support/scratch_folder.h"

namespace seesaw {
namespace checkpoint_test {

using test::contains;
using test::sentence_of;

const RunIdentity identity{version(), "10 rows", "logistic", "newton"};

std::set<std::string> files_of(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

struct Counter {
  double value = 0;
  Serialize serialize() {
    return [this](Archive& archive) { archive.numbers("value", value); };
  }
};

TEST(Checkpoint, keeps_the_newest_two) {
  const test::ScratchFolder folder;
  const std::string ck = folder.path("a/b/ck");
  const Checkpoints all({ck, false, 1}, identity, nullptr);
  CheckpointSeries series(all, "run");
  Counter counter;
  for (int k = 1; k <= 4; ++k) {
    counter.value = k;
    EXPECT_FALSE(series.save(k, counter.serialize()));
  }
  EXPECT_EQ(files_of(ck), (std::set<std::string>{"run-000003.ckpt", "run-000004.ckpt"}));
}

TEST(Checkpoint, is_due_after_so_many_passes) {
  const test::ScratchFolder folder;
  const Checkpoints all({folder.path("ck"), false, 2}, identity, nullptr),
      by_time({folder.path("ck"), false, 0}, identity, nullptr);
  CheckpointSeries series(all, "run");
  Counter counter;
  EXPECT_FALSE(series.due(1.9));
  EXPECT_TRUE(series.due(2));
  EXPECT_FALSE(series.save(5, counter.serialize()));
  EXPECT_FALSE(series.due(6.9));
  EXPECT_TRUE(series.due(7));
  EXPECT_FALSE(CheckpointSeries(by_time, "run").due(1e9));  // not within a minute
}

TEST(Checkpoint, restores_the_newest_valid_one) {
  const test::ScratchFolder folder;
  const std::string ck = folder.path("ck");
  Counter counter;
  {
    const Checkpoints all({ck, false, 1}, identity, nullptr);
    CheckpointSeries series(all, "run"), other(all, "class-1");
    for (counter.value = 1; counter.value <= 2; ++counter.value)
      EXPECT_FALSE(series.save(counter.value, counter.serialize()));
    EXPECT_FALSE(other.save(7, counter.serialize()));
  }
  const Checkpoints all({ck, true, 1}, identity, nullptr);
  EXPECT_TRUE(all.message().empty());
  const auto restored = [&](const Checkpoints& from) {
    counter.value = 0;
    return CheckpointSeries(from, "run").restore(counter.serialize());
  };
  EXPECT_TRUE(contains(restored(all).message, "run-000002.ckpt, after 2 passes."));
  EXPECT_EQ(counter.value, 2);
  folder.file("ck/run-000002.ckpt", "damaged");
  const auto [done, message] = restored(all);
  EXPECT_TRUE(done);
  EXPECT_TRUE(contains(message, "run-000001.ckpt, after 1 passes. "));
  EXPECT_TRUE(contains(message, "run-000002.ckpt is damaged: it is too short."));
  EXPECT_EQ(counter.value, 1);
  {  // the next one replaces the damaged file, not the valid one
    CheckpointSeries series(all, "run");
    EXPECT_TRUE(series.restore(counter.serialize()).done);
    EXPECT_FALSE(series.save(9, counter.serialize()));
  }
  EXPECT_EQ(files_of(ck), (std::set<std::string>{"class-1-000001.ckpt", "run-000001.ckpt", "run-000003.ckpt"}));
  folder.file("ck/run-000001.ckpt", "");
  folder.file("ck/run-000003.ckpt", "");
  EXPECT_FALSE(restored(all).done);
  EXPECT_TRUE(contains(restored(all).message, "started from the beginning: no checkpoint is valid."));
  EXPECT_FALSE(restored(Checkpoints({folder.path("none"), true, 1}, identity, nullptr)).done);
}

TEST(Checkpoint, of_another_run_is_refused) {
  const test::ScratchFolder folder;
  const std::string ck = folder.path("ck");
  const auto write = [&](const RunIdentity& of) {
    std::filesystem::remove_all(ck);
    const Checkpoints all({ck, false, 1}, of, nullptr);
    Counter counter;
    EXPECT_FALSE(CheckpointSeries(all, "run").save(1, counter.serialize()));
  };
  const auto refusal = [&] { return sentence_of<Error>([&] { Checkpoints({ck, true, 1}, identity, nullptr); }); };
  write(identity);
  EXPECT_EQ(refusal(), "");
  RunIdentity other = identity;
  other.version = "0.1.0";
  write(other);
  EXPECT_TRUE(contains(refusal(), "is of Seesaw 0.1.0, and this is " + version()));
  other = identity;
  other.data = "11 rows";
  write(other);
  EXPECT_TRUE(contains(refusal(), "is of other data (11 rows; this run: 10 rows)"));
  other = identity;
  other.objective = "hinge";
  write(other);
  EXPECT_TRUE(contains(refusal(), "is of another objective (hinge; this run: logistic)"));
  other = identity;
  other.method = "ws";
  write(other);
  EXPECT_TRUE(contains(refusal(), "is of another method, seed or tolerance (ws; this run: newton)"));
}

TEST(Checkpoint, that_cannot_be_written_is_reported) {
  const test::ScratchFolder folder;
  const Checkpoints all({folder.path("ck"), false, 1}, identity, nullptr);
  CheckpointSeries series(all, "run");
  Counter counter;
  EXPECT_FALSE(series.save(1, counter.serialize()));
  std::filesystem::remove_all(folder.path("ck"));
  const auto problem = series.save(2, counter.serialize());
  ASSERT_TRUE(problem);
  EXPECT_TRUE(contains(*problem, "no checkpoint: cannot open "));
}

TEST(Checkpoint, folder_and_method_are_checked_first) {
  const test::ScratchFolder folder;
  const std::string file = folder.file("file", "");
  EXPECT_TRUE(contains(sentence_of<Error>([&] {
                         validate({file, false, 0}, "newton");
                       }),
                       "is a file, and `checkpoint`"));
  EXPECT_TRUE(contains(sentence_of<Error>([&] {
                         validate({folder.path("ck"), false, -1}, "newton");
                       }),
                       "`checkpoint_every`"));
  EXPECT_TRUE(contains(sentence_of<Unsupported>([&] {
                         validate({folder.path("ck"), false, 0}, "spdc");
                       }),
                       "the state of spdc cannot be saved"));
  validate({folder.path("ck"), false, 0}, "newton");
  folder.file("run-000001.ckpt", "");
  EXPECT_TRUE(contains(sentence_of<Error>([&] {
                         validate({folder.path(""), false, 0}, "newton");
                       }),
                       "contains the checkpoints of a run; add `resume`"));
  validate({folder.path(""), true, 0}, "newton");
}

}  // namespace checkpoint_test
}  // namespace seesaw
