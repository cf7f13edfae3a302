#pragma once
// Which lines of which storage have been read since their last write or allocation (explain.md 2,
// repeated load). One bit a line, worked on word by word: runs are long, so this costs a fraction
// of an instruction a line.

#include <cstdint>
#include <span>
#include <vector>

#include "trace/tensor_trace.h"

namespace diffram::lower {

class ReadHistory {
 public:
  ReadHistory(std::size_t storages, std::int64_t line_bytes)
      : line_bytes_(line_bytes), words_(storages) {}

  /// Lines [first, end) are read; how many of them had been read before.
  std::int64_t read(std::uint32_t storage, std::int64_t storage_bytes, std::int64_t first,
                    std::int64_t end);
  void write(std::uint32_t storage, std::int64_t first, std::int64_t end);
  void forget(std::uint32_t storage);
  void carry(std::span<const trace::Carry> carries);

 private:
  std::int64_t line_bytes_;
  std::vector<std::vector<std::uint64_t>> words_;  ///< by storage; empty = nothing read
};

}  // namespace diffram::lower
