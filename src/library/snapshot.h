#pragma once
// A memory in the middle of its work, as text: its channels as they were when it idled last, and
// every request since. A channel can be saved only while it idles; what happens between two idle
// moments is a function of the requests, so doing them again gives the same state.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ctrl/channel.h"
#include "diffram/memory.h"
#include "spec/memory.h"

namespace diffram::library {

struct LoggedRequest {
  std::int64_t cycle = 0;  ///< now() at its `submit`
  MemoryRequest request;
};

struct Log {
  std::int64_t begin = 0;             ///< the cycle of `channels`
  std::vector<std::string> channels;  ///< as `saved` gives them
  std::vector<LoggedRequest> requests;

  /// Worth beginning again at an idle moment: less is cheaper to keep than the channels to save.
  bool is_long() const { return requests.size() >= 1024; }
};

struct Snapshot {
  std::uint64_t mark = 0;  ///< of the memory: `mark_of`
  std::int64_t now = 0, taken_until = 0;
  Log log;
};

/// The state of an idle channel.
std::string saved(const ctrl::Channel& channel);
void restore(ctrl::Channel& channel, const std::string& state);

/// Differs for memories whose replies may differ.
std::uint64_t mark_of(const spec::MemorySpec& memory);

std::string to_text(const Snapshot& snapshot);
/// None if the text is not what `to_text` gave, or not of a memory of so many channels and bytes.
std::optional<Snapshot> from_text(std::string_view text, std::size_t channels,
                                  std::uint64_t capacity);

}  // namespace diffram::library
