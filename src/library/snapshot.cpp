#include "library/snapshot.h"

#include <fmt/format.h>

#include <cereal/archives/binary.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <exception>
#include <sstream>

#include "spec/describe.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace diffram {

template <class Archive>
void serialize(Archive& archive, MemoryRequest& r) {
  archive(r.id, r.address, r.bytes, r.is_write, r.priority);
}

}  // namespace diffram

namespace diffram::library {

template <class Archive>
void serialize(Archive& archive, LoggedRequest& logged) {
  archive(logged.cycle, logged.request);
}
template <class Archive>
void serialize(Archive& archive, Snapshot& s) {
  archive(s.mark, s.now, s.taken_until, s.log.begin, s.log.channels, s.log.requests);
}

namespace {

// One line of text, then an archive of cereal in the byte order of this machine.
constexpr std::string_view kMagic = "diffram-snapshot 1";

std::string head_of(std::string_view body) {
  return fmt::format("{} {:016x} {}\n", kMagic, XXH64(body.data(), body.size(), 0), body.size());
}

bool is_possible(const Snapshot& s, std::size_t channels, std::uint64_t capacity) {
  std::int64_t last = s.log.begin;
  for (const auto& [cycle, request] : s.log.requests) {
    if (cycle < last || request.address >= capacity) return false;
    last = cycle;
  }
  return s.log.channels.size() == channels && s.log.begin >= 0 && last <= s.now;
}

}  // namespace

std::string saved(const ctrl::Channel& channel) {
  std::ostringstream out;
  channel.save(out);
  return std::move(out).str();
}

void restore(ctrl::Channel& channel, const std::string& state) {
  std::istringstream in(state);
  channel.restore(in);
}

// `describe` leaves out nothing that replies depend on.
std::uint64_t mark_of(const spec::MemorySpec& memory) {
  const std::string all = spec::describe_json(memory);
  return XXH64(all.data(), all.size(), 0);
}

std::string to_text(const Snapshot& snapshot) {
  std::ostringstream out;
  cereal::BinaryOutputArchive archive(out);
  archive(snapshot);
  const std::string body = std::move(out).str();
  return head_of(body) + body;
}

std::optional<Snapshot> from_text(std::string_view text, std::size_t channels,
                                  std::uint64_t capacity) {
  const std::size_t newline = text.find('\n');
  if (newline == std::string_view::npos) return std::nullopt;
  const std::string_view body = text.substr(newline + 1);
  if (text.substr(0, newline + 1) != head_of(body)) return std::nullopt;
  std::istringstream in{std::string(body)};
  Snapshot snapshot;
  try {
    cereal::BinaryInputArchive archive(in);
    archive(snapshot);
  } catch (const std::exception&) {  // cereal says it so; the hash leaves only forged texts
    return std::nullopt;
  }
  if (!is_possible(snapshot, channels, capacity)) return std::nullopt;
  return snapshot;
}

}  // namespace diffram::library
