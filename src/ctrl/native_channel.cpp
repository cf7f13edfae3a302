#include "ctrl/native_channel.h"

namespace diffram::ctrl {

using base::Direction;
using spec::Command;

namespace {

constexpr std::array kDirections = {Direction::read, Direction::write};

}  // namespace

std::int64_t refresh_interval_of(const spec::MemorySpec& spec) {
  const auto found = spec.timings.find(spec.controller.refresh_by_parts ? "nREFIpb" : "nREFI");
  return found == spec.timings.end() ? 0 : found->second;
}

NativeChannel::NativeChannel(const spec::MemorySpec& spec, base::ChannelId channel,
                             const ChannelOptions& options, std::uint32_t issued)
    : tables_(options.tables ? options.tables : std::make_shared<MemoryTables>(spec)),
      policy_(spec.controller),
      cool_interval_(refresh_interval_of(spec)),
      timing_{spec.timing("nCL"), spec.timing("nCWL"), spec.timing("nBL")},
      unnamed_(static_cast<std::uint32_t>(options.origins)),
      attribution_(options.attribution),
      on_command_(options.on_command),
      walk_({tables_, &tables_->addresses}, channel.value),
      refresh_interval_(cool_interval_),
      device_(spec, {tables_, &tables_->raises}),
      rest_{device_.table().same_bank(Command::ACT, Command::RD),
            device_.table().same_bank(Command::PRE, Command::ACT),
            device_.table().same_bank(Command::REFab, Command::ACT),
            device_.table().same_bank(Command::ACT, Command::PRE),
            device_.table().same_bank(Command::RD, Command::PRE),
            device_.table().same_bank(Command::WR, Command::PRE),
            spec.protocol.part_refresh
                ? device_.table().same_bank(*spec.protocol.part_refresh, Command::ACT)
                : 0},
      queues_{BurstQueue(device_.banks(), policy_.read_queue, policy_.dispatch),
              BurstQueue(device_.banks(), policy_.write_queue, policy_.dispatch)},
      counters_(options.origins, device_.banks(), device_.ranks()),
      attributed_(device_, counters_, timing_, unnamed_, policy_.dispatch, issued) {}

std::int64_t NativeChannel::first_due(std::uint32_t rank) const {
  if (refresh_interval_ <= 0) return kNever;
  return policy_.refresh_stagger ? refresh_interval_ * (rank + 1) / device_.ranks()
                                 : refresh_interval_;
}

base::Cycles NativeChannel::drain() {
  if (!idle()) {
    stop_when_done_ = true;
    run_to(nothing_waits() ? last_data_ : kNever);
    stop_when_done_ = false;
  }
  return base::Cycles(now_);
}

void NativeChannel::advance_until_complete(std::uint64_t ticket, base::Cycles limit) {
  const std::int64_t known = front_.known_completion(ticket);
  if (known >= 0) return advance(base::Cycles(std::min(known, limit.value)));
  if (!is_outstanding(ticket)) return;
  awaited_ticket_ = ticket;
  stop_at_ticket_ = true;
  run_to(limit.value);
  stop_at_ticket_ = false;
}

bool NativeChannel::is_outstanding(std::uint64_t ticket) const {
  return queues_[0].is_part_queued(ticket) || queues_[1].is_part_queued(ticket) ||
         front_.lists(ticket);
}

void NativeChannel::run_to(std::int64_t until) {
  if (until <= now_) return;
  until_ = std::min(until, kNever);
  simulate();
  now_ = until_;
  front_.release(now_, completions_);
}

// No request is present: none is queued, and the runs in the lists have not arrived.
bool NativeChannel::nothing_arrived() const {
  if (waiting() != 0) return false;
  return std::none_of(kDirections.begin(), kDirections.end(), [this](Direction d) {
    const auto& list = front_.list(d);
    return !list.empty() && list.front().next.arrival < now_;
  });
}

void NativeChannel::set_operating_point(const base::OperatingPoint& point) {
  refresh_interval_ =
      static_cast<std::int64_t>(static_cast<double>(cool_interval_) / point.refresh_rate);
  throttle_.set_share(point.column_share);
  attributed_.bill.set_throttle(throttle_);
}

void NativeChannel::set_idle_account(base::Cause cause, base::OriginId owner) {
  if (attribution_ && nothing_arrived()) attributed_.bill.idle_until(now_);
  attributed_.bill.set_idle_account(cause, index_of(owner));
}

void NativeChannel::settle_window_edge() {
  if (nothing_arrived()) return attributed_.bill.idle_until(now_);
  if (waiting() == 0) return settle_window_edge_in_front();
  // The oldest of each queue has the least arrival of its direction.
  const BurstQueue& reads = queues_[static_cast<std::size_t>(Direction::read)];
  const BurstQueue& writes = queues_[static_cast<std::size_t>(Direction::write)];
  const bool read =
      writes.size() == 0 ||
      (reads.size() != 0 && reads[reads.oldest()].of.arrival <= writes[writes.oldest()].of.arrival);
  const QueuedBurst& burst = read ? reads[reads.oldest()] : writes[writes.oldest()];
  const Standing bank = standing(burst.bank());
  if (bank.asleep)
    return attributed_.bill.settle_blocked(burst, read, base::Cause::power_exit, now_);
  Command next = read ? Command::RD : Command::WR;
  if (bank.row == kNone) {
    next = Command::ACT;
  } else if (bank.row != burst.row()) {
    next = Command::PRE;
  }
  attributed_.bill.settle_waiting(burst, read, next, bank.held, now_);
}

// The last queued burst issued in the cycle before, and a burst that waited for it enters at now().
void NativeChannel::settle_window_edge_in_front() {
  const NextBurst* oldest = nullptr;
  bool read = true;
  for (const Direction d : kDirections) {
    const auto& list = front_.list(d);
    if (list.empty()) continue;
    const NextBurst& next = list.front().next;
    if (oldest != nullptr && oldest->arrival <= next.arrival) continue;
    oldest = &next;
    read = d == Direction::read;
  }
  QueuedBurst burst;
  burst.of = *oldest;
  burst.acceptance = now_;
  attributed_.bill.settle_waiting(burst, read, read ? Command::RD : Command::WR, false, now_);
}

base::ChannelCounters NativeChannel::so_far() {
  settle_ranks();
  base::ChannelCounters out;
  out.cycles = now_ - counters_.begin;
  out.banks = counters_.banks;
  out.part_refreshes = counters_.part_refreshes;
  out.ranks = counters_.ranks;
  attributed_.shares.add_open_time(counters_.begin, now_, out);
  return out;
}

base::ChannelCounters NativeChannel::take_counters() {
  std::map<base::BillKey, std::int64_t> bill;
  if (attribution_) {
    settle_window_edge();
    attributed_.bill.take(now_, counters_.origins, bill);
    settle_ranks();
    attributed_.shares.cut(counters_.begin, now_);
  }
  base::ChannelCounters out = counters_.take(now_);
  out.bill = std::move(bill);
  return out;
}

void NativeChannel::count_refresh(std::uint32_t rank) {
  ++counters_.ranks[rank].refreshes;
  const std::uint32_t first = rank * device_.banks_per_rank();
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    ++counters_.banks[bank].refresh;
  }
}

void NativeChannel::log(std::int64_t t, Command command, std::uint32_t bank, std::uint32_t row,
                        std::uint32_t column) const {
  const dram::Place place = device_.place(bank);
  on_command_({t, command, place.rank, place.bank_group, place.bank, row, column});
}

}  // namespace diffram::ctrl
