// Blocks of a text are read in order, parsed in parallel, and their results consumed in order: the result, and the
// position of the first error, do not depend on the number of threads or the size of the blocks.
#pragma once

#include <tbb/parallel_pipeline.h>

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/threads.h"
#include "data/readers/blocks.h"
#include "seesaw/error.h"

namespace seesaw {

// A parse error: message and position within the block, counted from 1.
struct Flaw {
  std::size_t line;
  std::size_t column;
  std::string what;
};

// parse(block, part) overwrites a part (which may hold the result of an earlier block) and sets part.lines, or throws a
// Flaw; it is called from several threads. take(part) is called for one part at a time, in the order of the file.
template <class Part, class Parse, class Take>
void parse_blocks(TextBlocks& blocks, const Parse& parse, const Take& take) {
  struct Slot {
    Block block;
    Part part;
    std::optional<Flaw> flaw;
    std::exception_ptr unreadable;
  };
  // Block i uses slot i mod slots.size(): the pipeline has at most slots.size() parts in flight.
  const std::size_t threads = available_threads();
  std::vector<Slot> slots(threads == 1 ? 1 : 2 * threads);
  std::size_t next = 0;
  std::size_t lines = 0;
  bool ended = false;
  const CancelPoll poll;

  const auto read = [&](tbb::flow_control& control) -> Slot* {
    poll();
    Slot& slot = slots[next++ % slots.size()];
    if (!ended) try {
        if (auto block = blocks.next()) {
          slot.block = *std::move(block);
          return &slot;
        }
      } catch (const Error&) {
        // Rethrown in order: an error in an earlier block takes precedence.
        ended = true;
        slot.unreadable = std::current_exception();
        return &slot;
      }
    control.stop();
    return nullptr;
  };
  const auto parse_slot = [&](Slot* slot) {
    if (slot->unreadable) return slot;
    try {
      parse(std::as_const(slot->block), slot->part);
    } catch (Flaw& flaw) {
      slot->flaw = std::move(flaw);
    }
    slot->block = {};
    return slot;
  };
  const auto take_slot = [&](Slot* slot) {
    if (slot->unreadable) std::rethrow_exception(slot->unreadable);
    if (slot->flaw) throw ParseError(blocks.name(), lines + slot->flaw->line, slot->flaw->column, slot->flaw->what);
    lines += slot->part.lines;
    take(slot->part);
  };
  using Mode = tbb::filter_mode;
  tbb::parallel_pipeline(slots.size(), tbb::make_filter<void, Slot*>(Mode::serial_in_order, read) &
                                           tbb::make_filter<Slot*, Slot*>(Mode::parallel, parse_slot) &
                                           tbb::make_filter<Slot*, void>(Mode::serial_in_order, take_slot));
}

}  // namespace seesaw
