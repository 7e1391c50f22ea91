// What a program with its own loss and penalty does first: register them, before any other call.
#include <gtest/gtest.h>

#include "extension/column_ridge.h"
#include "extension/huber_epsilon_insensitive.h"
#include "model/losses/register_loss.h"
#include "support/formulas.h"

int main(int argc, char** argv) {
  seesaw::register_loss(extension::huber_epsilon_insensitive());
  seesaw::register_penalty(extension::column_ridge());
  seesaw::test::formulas_from_outside()["huber-epsilon-insensitive"] = {extension::value_by_hand,
                                                                        extension::conjugate_by_hand};
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
