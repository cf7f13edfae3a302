#include "sim/closed_loop.h"

#include <algorithm>
#include <deque>

namespace diffram::sim {

namespace {

std::int64_t bytes_of(const std::vector<base::Request>& requests) {
  std::int64_t bytes = 0;
  for (const auto& request : requests) bytes += static_cast<std::int64_t>(request.bytes);
  return bytes;
}

}  // namespace

ClosedLoop::ClosedLoop(Channels channels, const ctrl::ChannelFinder& finder, const Pacing& pacing,
                       std::size_t threads)
    : channels_(std::move(channels)),
      finder_(finder),
      pacing_(pacing),
      team_(channels_.size(), threads),
      given_(channels_.size()),
      latest_(channels_.size()) {}

ClosedLoop::Batch ClosedLoop::release(const std::vector<base::Request>& requests, std::int64_t at) {
  const Batch batch{next_ticket_, next_ticket_ + requests.size(), at, bytes_of(requests)};
  for (const auto& request : requests) {
    finder_.for_each(request.address, request.bytes, [&](std::uint32_t c, const auto* first) {
      channels_[c]->submit(request, base::Cycles(at), next_ticket_, first);
      given_[c].tickets.push_back(next_ticket_);
    });
    ++next_ticket_;
  }
  return batch;
}

// Runs of a batch may finish in any order (FR-FCFS), so each is asked for; for those already known
// this is a look-up. Nothing new can be released before a batch that is waited for has finished
// (the next release is the end of the computation that needs it), so each channel may run ahead on
// its own.
std::int64_t ClosedLoop::finish_in_channel(std::size_t index, const Batch& batch) {
  ctrl::Channel& channel = *channels_[index];
  auto& [tickets, cycle] = given_[index];
  const auto take_completions = [&] {
    for (const auto& done : channel.completions()) {
      const std::size_t slot = done.ticket - ticket_base_;
      if (cycle.size() <= slot) cycle.resize(slot + 1, -1);
      cycle[slot] = done.cycle;
    }
    channel.clear_completions();
  };
  take_completions();
  std::int64_t latest = batch.released;
  for (auto ticket = std::ranges::lower_bound(tickets, batch.first_ticket);
       ticket != tickets.end() && *ticket < batch.last_ticket; ++ticket) {
    const std::size_t slot = *ticket - ticket_base_;
    if (slot >= cycle.size() || cycle[slot] < 0) {
      channel.advance_until_complete(*ticket, base::Cycles(edge_));
      take_completions();
      if (slot >= cycle.size() || cycle[slot] < 0) return kUnknown;
    }
    latest = std::max(latest, cycle[slot]);
  }
  return latest;
}

std::int64_t ClosedLoop::finish_of(const Batch& batch) {
  if (batch.empty()) return batch.released;
  while (true) {
    team_.for_each_channel(
        [&](std::size_t index) { latest_[index] = finish_in_channel(index, batch); });
    if (std::ranges::find(latest_, kUnknown) == latest_.end())
      return *std::ranges::max_element(latest_);
    pass_edge();
  }
}

void ClosedLoop::advance_to(std::int64_t cycle) {
  team_.for_each_channel(
      [&](std::size_t index) { channels_[index]->advance(base::Cycles(cycle)); });
}

// The batch that is waited for finishes beyond the edge, and nothing new is released before: no
// channel gets anything more to do on this side.
void ClosedLoop::pass_edge() {
  advance_to(edge_);
  edge_ = at_edge_();
}

std::int64_t ClosedLoop::compute_time(const lower::TileStep& tile) const {
  if (pacing_.zero_compute) return 0;
  return pacing_.memory.cover(tile.compute_cycles, pacing_.machine).value;
}

std::int64_t ClosedLoop::run_op(lower::TileSource& source, lower::TileStep& tile, bool& more,
                                ledger::OpTime& time) {
  const std::uint32_t op = tile.op;
  const std::int64_t gap =
      pacing_.zero_compute ? 0
                           : pacing_.memory.cover(pacing_.launch_gap_cycles, pacing_.machine).value;
  const std::int64_t start = now_ + gap;
  time.launch = gap;

  struct Pending {
    Batch loads;
    std::vector<base::Request> stores;
    std::int64_t compute = 0;
  };
  std::deque<Pending> loading;  // at most two: one about to compute, one prefetched
  std::deque<Batch> storing;    // not known to be done
  std::int64_t storing_bytes = 0;
  std::int64_t computed = start;  // end of the last computation
  std::int64_t stored = start;    // latest known end of a store

  const auto fetch = [&](std::int64_t at) {
    if (!more || tile.op != op) return;
    Pending next{release(tile.loads, at), tile.stores, compute_time(tile)};
    if (moved_) moved_(next.loads.bytes + bytes_of(next.stores));
    loading.push_back(std::move(next));
    more = source.next(tile);
  };
  const auto settle_oldest_store = [&] {
    stored = std::max(stored, finish_of(storing.front()));
    storing_bytes -= storing.front().bytes;
    storing.pop_front();
  };

  fetch(start);
  fetch(start);
  while (!loading.empty()) {
    Pending step = std::move(loading.front());
    loading.pop_front();
    std::int64_t begin = std::max(computed, finish_of(step.loads));
    const std::int64_t bytes = bytes_of(step.stores);
    while (!storing.empty() && storing_bytes + bytes > pacing_.store_buffer_bytes) {
      settle_oldest_store();
      begin = std::max(begin, stored);
    }
    computed = begin + step.compute;
    time.compute += step.compute;
    if (!step.stores.empty()) {
      storing.push_back(release(step.stores, computed));
      storing_bytes += bytes;
    }
    fetch(computed);
  }
  while (!storing.empty()) settle_oldest_store();
  return std::max(computed, stored);
}

StepTimes ClosedLoop::run(lower::TileSource& source, std::uint32_t first_op, std::size_t op_count,
                          const OpenStep* from) {
  OpenStep step;
  if (from != nullptr) {
    step = *from;
    now_ = step.now;
    next_ticket_ = ticket_base_ = step.next_ticket;
  } else {
    step.start = now_;
    step.times.ops.resize(op_count);
  }
  lower::TileStep tile;
  bool more = source.next(tile);
  for (std::uint32_t passed = 0; passed < step.ops && more; ++passed) {
    const std::uint32_t op = tile.op;
    while (more && tile.op == op) more = source.next(tile);
  }
  while (more) {
    auto& time = step.times.ops[tile.op - first_op];
    time.start = now_ - step.start;
    if (tile.op < idle_owner_.size()) {
      for (auto& channel : channels_) {
        channel->set_idle_account(base::Cause::idle_compute, idle_owner_[tile.op]);
      }
    }
    const std::int64_t end = run_op(source, tile, more, time);
    time.wait = (end - now_) - time.compute - time.launch;
    now_ = end;
    while (edge_ <= end) pass_edge();
    advance_to(end);
    for (auto& channel : channels_) channel->clear_completions();
    for (auto& given : given_) {
      given.tickets.clear();
      given.cycle.clear();
    }
    ticket_base_ = next_ticket_;
    step.now = now_;
    step.next_ticket = next_ticket_;
    ++step.ops;
    if (between_ops_ && !between_ops_(step)) break;
  }
  step.times.cycles = now_ - step.start;
  return std::move(step.times);
}

}  // namespace diffram::sim
