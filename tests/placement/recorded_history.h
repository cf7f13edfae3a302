#pragma once
// What a real CUDA caching allocator did: final segments and the last events before them, as
// written by tools/cuda_events.py.

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "lower/placement/placement.h"

namespace diffram::lower {

struct RecordedEvent {
  enum class Action { alloc, release, segment_alloc, segment_free };
  Action action = Action::alloc;
  std::uint64_t address = 0;
  std::int64_t bytes = 0;  ///< as requested
};

struct RecordedBlock {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::int64_t requested = 0;
  std::uint64_t segment = 0;
  bool is_live = false;
};

struct RecordedHistory {
  std::vector<RecordedBlock> final_blocks;  ///< by address
  std::vector<RecordedEvent> events;
};

/// Reads JSON lines (plain, gzip, zstd); throws std::runtime_error.
RecordedHistory read_history(const std::string& file);

/// The blocks before the first event: the final ones with every event undone. A live block that
/// was released inside the history is as large as its request, rounded; in a large-pool segment a
/// gap of up to 1 MiB behind it belongs to it, for no block of that pool is so small.
std::vector<Block> blocks_at_start(const RecordedHistory& history);

struct ReplayScore {
  int allocations = 0, addresses_predicted = 0;
  int segment_allocs = 0, segment_sizes_predicted = 0;
  bool final_blocks_are_equal = false;
  std::size_t segments_at_start = 0;
};

/// Plays the history on a cuda allocator that takes its segment addresses from the file.
ReplayScore replay(const RecordedHistory& history);

}  // namespace diffram::lower
