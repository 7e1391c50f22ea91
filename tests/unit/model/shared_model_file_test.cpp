// Models of several ranks: the bytes of the model and of the dual point beside it are those of one process.
#include "model/shared_model_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/rng.h"
#include "seesaw/error.h"
#include "support/scratch_folder.h"
#include "support/thread_ranks.h"

namespace seesaw {
namespace shared_model_file_test {

TEST(SharedModelFile, has_the_bytes_of_one_process) {
  const test::ScratchFolder folder;
  std::filesystem::create_directories(folder.path("one"));
  std::filesystem::create_directories(folder.path("ranks"));
  LinearModel whole;
  whole.objective.loss = "logistic";
  whole.objective.lambda = 0.5;
  whole.labels = {0, 1, 2};
  whole.n = 200001;  // four blocks of rows
  whole.x = {1, 2, 3};
  whole.intercept = {0, 0, 0};
  Rng rng(3);
  whole.y.resize(3 * whole.n);
  for (double& yi : whole.y) yi = rng.normal();
  ASSERT_EQ(whole.outputs(), 3u);
  for (const DualPlace place : {DualPlace::in_model, DualPlace::beside_model}) {
    const bool beside = write_model(whole, folder.path("one/m"), place);
    EXPECT_EQ(beside, place == DualPlace::beside_model);
    for (const int size : {2, 3, 7}) {
      EXPECT_TRUE(test::on_ranks(size, [&](Ranks& ranks) {
        Shares shares{.ranks = &ranks, .first_leaf = {}, .first_row = {}, .entries = 0};
        for (int rank = 0; rank <= size; ++rank)  // the second of 7 has no rows
          shares.first_row.push_back(whole.n * static_cast<std::size_t>(size == 7 && rank == 1 ? 2 : rank) /
                                     static_cast<std::size_t>(size));
        const auto here = static_cast<std::size_t>(ranks.rank());
        LinearModel own = whole;
        own.y.assign(whole.y.begin() + static_cast<std::ptrdiff_t>(3 * shares.first_row[here]),
                     whole.y.begin() + static_cast<std::ptrdiff_t>(3 * shares.first_row[here + 1]));
        EXPECT_EQ(write_shared_model(own, ranks, folder.path("ranks/m"), place), beside);
      }));
      EXPECT_TRUE(folder.text_of("ranks/m") == folder.text_of("one/m")) << size;
      EXPECT_TRUE(folder.text_of("ranks/m.dual") == folder.text_of("one/m.dual")) << size;
    }
  }
  EXPECT_TRUE(test::on_ranks(2, [&](Ranks& ranks) {
    EXPECT_THROW(write_shared_model(whole, ranks, folder.path("missing/m"), DualPlace::in_model), Error);
  }));
}

}  // namespace shared_model_file_test
}  // namespace seesaw
