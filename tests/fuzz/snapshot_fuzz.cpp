// Any bytes as a snapshot of libdiffram, as they are and behind a head that fits them: none, or one
// that is written and read again as the same text.

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "library/snapshot.h"

namespace {

constexpr std::uint64_t kCapacity = std::uint64_t{1} << 33;

void read(std::string_view text, std::size_t channels) {
  namespace library = diffram::library;
  const auto snapshot = library::from_text(text, channels, kCapacity);
  if (!snapshot) return;
  if (snapshot->log.channels.size() != channels) std::abort();
  for (const auto& logged : snapshot->log.requests) {
    if (logged.request.address >= kCapacity || logged.cycle > snapshot->now) std::abort();
  }
  const auto written = library::to_text(*snapshot);
  const auto again = library::from_text(written, channels, kCapacity);
  if (!again || library::to_text(*again) != written) std::abort();
}

}  // namespace

/// The first byte is the number of channels of the memory.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t channels = data[0] & 3u;
  const std::string body(reinterpret_cast<const char*>(data + 1), size - 1);
  read(body, channels);
  read(fmt::format("diffram-snapshot 1 {:016x} {}\n", XXH64(body.data(), body.size(), 0),
                   body.size()) +
           body,
       channels);
  return 0;
}
