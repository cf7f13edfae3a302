#include "library/snapshot.h"

#include <fmt/format.h>

#include <cereal/archives/binary.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <exception>
#include <istream>
#include <sstream>
#include <utility>

#include "spec/describe.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace diffram {

template <class Archive>
void save(Archive& archive, const MemoryRequest& r) {
  archive(r.id, r.address, r.bytes, r.is_write, r.priority);
}

}  // namespace diffram

namespace diffram::library {

template <class Archive>
void save(Archive& archive, const LoggedRequest& logged) {
  archive(logged.cycle, logged.request);
}
template <class Archive>
void save(Archive& archive, const Snapshot& s) {
  archive(s.mark, s.now, s.taken_until, s.log.begin, s.log.channels, s.log.requests);
}

namespace {

// One line of text, then an archive of cereal in the byte order of this machine.
constexpr std::string_view kMagic = "diffram-snapshot 1";

std::string head_of(std::string_view body) {
  return fmt::format("{} {:016x} {}\n", kMagic, XXH64(body.data(), body.size(), 0), body.size());
}

/// What `save` wrote. A forged number of things is no reason to make room for them: cereal would,
/// so they are read one by one, and there are no more of them than bytes.
class SnapshotReader {
 public:
  SnapshotReader(std::istream& in, std::size_t bytes) : archive_(in), bytes_(bytes) {}

  /// Throws what cereal throws where the text ends.
  std::optional<Snapshot> read() {
    Snapshot s;
    archive_(s.mark, s.now, s.taken_until, s.log.begin);
    for (auto channels = size(); channels > 0 && fits_; --channels) {
      std::string state(size(), '\0');
      archive_(cereal::binary_data(state.data(), state.size()));
      s.log.channels.push_back(std::move(state));
    }
    for (auto requests = size(); requests > 0 && fits_; --requests)
      s.log.requests.push_back(request());
    if (!fits_) return std::nullopt;
    return s;
  }

 private:
  LoggedRequest request() {
    LoggedRequest out;
    MemoryRequest& r = out.request;
    std::uint8_t is_write = 0;  // any byte is no bool
    archive_(out.cycle, r.id, r.address, r.bytes, is_write, r.priority);
    fits_ = fits_ && is_write <= 1;
    r.is_write = is_write == 1;
    return out;
  }
  std::size_t size() {
    cereal::size_type count = 0;
    if (fits_) archive_(cereal::make_size_tag(count));
    fits_ = fits_ && count <= bytes_;
    return fits_ ? count : 0;
  }

  cereal::BinaryInputArchive archive_;
  std::size_t bytes_;
  bool fits_ = true;
};

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
  std::optional<Snapshot> snapshot;
  try {
    snapshot = SnapshotReader(in, body.size()).read();
  } catch (const std::exception&) {  // cereal says it so; the hash leaves only forged texts
    return std::nullopt;
  }
  if (!snapshot || !is_possible(*snapshot, channels, capacity)) return std::nullopt;
  return snapshot;
}

}  // namespace diffram::library
