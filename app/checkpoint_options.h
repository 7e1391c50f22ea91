// The options of checkpoints (run/checkpoint.h).
#pragma once

#include "options.h"
#include "run/checkpoint.h"

namespace seesaw::app {

inline void declare_checkpoints(Command& train, CheckpointSpec& checkpoint) {
  const char* group = "Checkpoints";
  train.add_option("--checkpoint", checkpoint.folder, "save the state of the run in this folder, to continue it later")
      .placeholder("DIR")
      .group(group);
  train.add_flag("--resume", checkpoint.resume, "continue from the newest checkpoint of --checkpoint, if there is one")
      .group(group);
  train.add_option("--checkpoint-every", checkpoint.every_passes, "passes between checkpoints")
      .standard("about one per minute")
      .group(group);
}

}  // namespace seesaw::app
