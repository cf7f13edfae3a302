// The doors of libdiffram.so.

#include "diffram/memory.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "ctrl/memory_tables.h"
#include "library/channel_feed.h"
#include "library/snapshot.h"
#include "library/spec_folder.h"
#include "library/ticket_table.h"

namespace diffram {

namespace {

constexpr std::int64_t kDrainStep = 1024;  // cycles between two looks at what is left

}  // namespace

class Memory::Inside {
 public:
  Inside(spec::MemorySpec memory, bool snapshots)
      : spec_(std::move(memory)),
        keeps_log_(snapshots),
        tables_(std::make_shared<ctrl::MemoryTables>(spec_)) {
    const std::shared_ptr<const ctrl::AddressTables> addresses(tables_, &tables_->addresses);
    for (std::uint32_t i = 0; i < spec_.organisation.channels; ++i)
      walks_.emplace_back(addresses, i);
    make_channels();
    if (keeps_log_) start_log();
  }

  bool submit(const MemoryRequest& request);
  void advance(std::int64_t until);
  std::int64_t drain();
  std::vector<MemoryReply> take_replies();
  std::string snapshot() const;
  bool restore(std::string_view text, std::string& error);

  const spec::MemorySpec& spec() const { return spec_; }
  std::int64_t now() const { return now_; }
  std::size_t outstanding() const { return pending_.size(); }

 private:
  struct Pending {
    MemoryReply reply;
    std::uint32_t parts = 0;  ///< channels that have not answered
  };

  void make_channels() {
    feeds_.clear();
    for (std::uint32_t i = 0; i < spec_.organisation.channels; ++i)
      feeds_.emplace_back(spec_, base::ChannelId{i}, tables_);
  }
  bool idle() const {
    return std::all_of(feeds_.begin(), feeds_.end(), [](const auto& feed) { return feed.idle(); });
  }
  void start_log() {
    log_.begin = now_;
    log_.channels.clear();
    for (const auto& feed : feeds_) log_.channels.push_back(library::saved(feed.channel()));
    log_.requests.clear();
  }

  spec::MemorySpec spec_;
  bool keeps_log_;
  std::shared_ptr<const ctrl::MemoryTables> tables_;
  std::vector<ctrl::AddressWalk> walks_;
  std::vector<library::ChannelFeed> feeds_;
  library::TicketTable<Pending> pending_;
  std::vector<MemoryReply> replies_;
  std::vector<ctrl::Completion> done_;
  std::int64_t now_ = 0;
  std::int64_t taken_until_ = -1;  ///< replies up to this cycle were handed over
  library::Log log_;               ///< since the memory idled last
};

bool Memory::Inside::submit(const MemoryRequest& given) {
  const std::uint64_t capacity = spec_.organisation.capacity_bytes();
  const std::uint64_t bytes = std::max<std::uint64_t>(given.bytes, 1);
  if (given.address >= capacity || bytes > capacity - given.address) return false;
  if (keeps_log_) {
    if (log_.is_long() && outstanding() == 0 && idle()) start_log();
    log_.requests.push_back({now_, given});
  }
  const std::uint64_t ticket = pending_.add({{given.id, now_, 0, given.is_write}, 0});
  base::Request request;
  request.address = given.address;
  request.bytes = bytes;
  request.direction = given.is_write ? base::Direction::write : base::Direction::read;
  for (std::size_t i = 0; i < feeds_.size(); ++i) {
    ctrl::AddressWalk::Cursor cursor;
    if (!walks_[i].start(walks_[i].span_of(given.address, bytes), cursor)) continue;
    feeds_[i].submit(request, ticket, given.priority);
    ++pending_[ticket].parts;
  }
  return true;
}

void Memory::Inside::advance(std::int64_t until) {
  if (until <= now_) return;
  const std::size_t before = replies_.size();
  for (auto& feed : feeds_) {
    done_.clear();
    feed.advance(until, done_);
    for (const auto& completion : done_) {
      Pending& pending = pending_[completion.ticket];
      pending.reply.cycle = std::max(pending.reply.cycle, completion.cycle);
      if (--pending.parts != 0) continue;
      replies_.push_back(pending.reply);
      pending_.remove(completion.ticket);
    }
  }
  now_ = until;
  // By cycle; in a cycle the older first, and then by number.
  std::sort(replies_.begin() + static_cast<std::ptrdiff_t>(before), replies_.end(),
            [](const MemoryReply& a, const MemoryReply& b) {
              return std::tuple(a.cycle, a.arrival, a.id) < std::tuple(b.cycle, b.arrival, b.id);
            });
}

std::int64_t Memory::Inside::drain() {
  while (outstanding() != 0) advance(now_ + kDrainStep);
  return now_;
}

std::vector<MemoryReply> Memory::Inside::take_replies() {
  taken_until_ = now_;
  return std::exchange(replies_, {});
}

std::string Memory::Inside::snapshot() const {
  if (!keeps_log_) return {};
  return library::to_text({library::mark_of(spec_), now_, taken_until_, log_});
}

// The channels as they were when they idled, and then the same requests again.
bool Memory::Inside::restore(std::string_view text, std::string& error) {
  auto snapshot = library::from_text(text, feeds_.size(), spec_.organisation.capacity_bytes());
  if (!keeps_log_ || !snapshot || snapshot->mark != library::mark_of(spec_)) {
    error = !keeps_log_ ? "this memory was opened without snapshots"
            : !snapshot ? "the snapshot is damaged, or was made by another version"
                        : "the snapshot is of another memory";
    return false;
  }
  make_channels();
  for (std::size_t i = 0; i < feeds_.size(); ++i)
    library::restore(feeds_[i].channel(), snapshot->log.channels[i]);
  pending_.clear();
  replies_.clear();
  now_ = snapshot->log.begin;
  const auto requests = std::move(snapshot->log.requests);
  snapshot->log.requests.clear();
  log_ = std::move(snapshot->log);
  for (const auto& [cycle, request] : requests) {
    advance(cycle);
    submit(request);
  }
  advance(snapshot->now);
  taken_until_ = snapshot->taken_until;
  std::erase_if(replies_, [this](const auto& reply) { return reply.cycle <= taken_until_; });
  return true;
}

Memory::Memory(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Memory::~Memory() = default;

std::unique_ptr<Memory> Memory::open(const std::string& name_or_file, std::string& error,
                                     const MemoryOptions& options) {
  auto memory = spec::load_memory(library::find_spec_folder(), name_or_file, options.set);
  if (!memory) {
    error.clear();
    for (const auto& one : memory.error()) error += (error.empty() ? "" : "\n") + one.text();
    return nullptr;
  }
  return std::unique_ptr<Memory>(
      new Memory(std::make_unique<Inside>(std::move(*memory), options.snapshots)));
}

bool Memory::submit(const MemoryRequest& request) { return inside_->submit(request); }
void Memory::advance(std::int64_t until) { inside_->advance(until); }
std::int64_t Memory::drain() { return inside_->drain(); }
std::int64_t Memory::now() const { return inside_->now(); }
std::size_t Memory::outstanding() const { return inside_->outstanding(); }
std::vector<MemoryReply> Memory::take_replies() { return inside_->take_replies(); }
std::string Memory::snapshot() const { return inside_->snapshot(); }
bool Memory::restore(std::string_view snapshot, std::string& error) {
  return inside_->restore(snapshot, error);
}
const std::string& Memory::name() const { return inside_->spec().name; }
double Memory::clock_ns() const { return inside_->spec().clock.period_s() * 1e9; }
std::uint64_t Memory::capacity_bytes() const {
  return inside_->spec().organisation.capacity_bytes();
}
std::uint32_t Memory::burst_bytes() const { return inside_->spec().organisation.burst_bytes(); }
std::uint32_t Memory::channels() const { return inside_->spec().organisation.channels; }

}  // namespace diffram
