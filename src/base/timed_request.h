#pragma once
// Requests with arrival times, and who gives them batch by batch.

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/request.h"
#include "base/result.h"

namespace diffram::base {

struct TimedRequest {
  std::uint64_t cycle = 0;    ///< of the giver's clock
  std::uint64_t address = 0;  ///< of the first byte
  std::uint32_t bytes = 0;    ///< 0 = not said: the burst of the memory that holds the address
  int line = 0;               ///< of the file, from 1; 0 = it has no lines
  Direction direction = Direction::read;

  bool operator==(const TimedRequest&) const = default;
};

/// Pulls one batch of requests after the other.
class RequestFeed {
 public:
  virtual ~RequestFeed() = default;

  /// Requests into `out` from the front, and how many; 0 = there are no more. What comes before an
  /// error is given first.
  virtual Result<std::size_t> read(std::span<TimedRequest> out) = 0;

  /// Work of the next reads that other threads can do until `read` is called again: gives a number
  /// of parts, at most `most`, for each of which `read_ahead` is called once, on any thread and all
  /// at once if need be. What `read` gives does not depend on it.
  virtual std::size_t prepare_ahead(std::size_t /*most*/) { return 0; }
  virtual void read_ahead(std::size_t /*part*/) {}
};

}  // namespace diffram::base
