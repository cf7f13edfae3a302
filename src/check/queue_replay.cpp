#include "check/queue_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace diffram::check {

namespace {

using base::Direction;

std::uint32_t field_of(const std::vector<std::uint64_t>& masks, std::uint64_t address) {
  std::uint32_t value = 0;
  for (std::size_t bit = 0; bit < masks.size(); ++bit) {
    value |= static_cast<std::uint32_t>(std::popcount(masks[bit] & address) & 1) << bit;
  }
  return value;
}

class QueueReplay {
 public:
  QueueReplay(const spec::MemorySpec& memory, const BillInput& input)
      : memory_(memory), policy_(memory.controller), input_(input) {}

  base::Result<ServedLog> run() {
    for (const Arrival& arrival : input_.arrivals) split(arrival);
    look_at_edges();
    while (next_command_ < input_.log.size() || !lists_[0].empty() || !lists_[1].empty()) {
      admit();
      turn();
      while (next_command_ < input_.log.size() && input_.log[next_command_].cycle == t_) {
        if (!serve(input_.log[next_command_])) return does_not_fit();
        ++next_command_;
      }
      if (t_ >= input_.end) return does_not_fit();
      t_ = next_cycle();
      look_at_edges();
    }
    out_.waiting_at_edge.resize(input_.edges.size());
    if (!queues_[0].empty() || !queues_[1].empty()) return does_not_fit();
    return std::move(out_);
  }

 private:
  struct Waiting {
    std::uint64_t submission = 0;
    Burst burst;
  };
  using Queue = std::deque<Burst>;  ///< the oldest first

  static std::size_t index(Direction direction) { return direction == Direction::read ? 0 : 1; }

  tl::unexpected<base::Errors> does_not_fit() const {
    return base::failure({.code = "log_does_not_fit",
                          .message = fmt::format("the commands do not serve the arrivals; seen in "
                                                 "cycle {}, at command {}",
                                                 t_, next_command_),
                          .file = "",
                          .line = 0,
                          .field = "",
                          .expected = "the log and the arrivals of one run"});
  }

  /// The bursts of a run that lie in this channel, in address order.
  void split(const Arrival& arrival) {
    ++submissions_;
    const auto& map = memory_.map;
    const std::uint64_t size = memory_.organisation.burst_bytes();
    const base::Request& request = arrival.request;
    for (std::uint64_t burst = request.address / size;
         burst <= (request.address + request.bytes - 1) / size; ++burst) {
      const std::uint64_t address = burst * size;
      if (field_of(map.channel, address) != input_.channel) continue;
      lists_[index(request.direction)].push_back(
          {submissions_,
           {arrival.cycle, -1, 0, request.origin, request.direction, field_of(map.rank, address),
            field_of(map.bank_group, address), field_of(map.bank, address),
            field_of(map.row, address), field_of(map.column, address)}});
    }
  }

  /// Every cycle before t_ is done, and none between it and an edge that was jumped over counts.
  void look_at_edges() {
    for (auto& next = out_.waiting_at_edge;
         next.size() < input_.edges.size() && input_.edges[next.size()] <= t_;) {
      next.push_back(waiting_at(input_.edges[next.size()]));
    }
  }

  std::optional<Burst> waiting_at(std::int64_t edge) const {
    std::optional<Burst> oldest;  // by arrival, of the oldest read and the oldest write
    const auto offer = [&oldest](const Burst& burst) {
      if (!oldest || burst.arrival < oldest->arrival) oldest = burst;
    };
    for (const Queue& queue : queues_) {
      if (!queue.empty()) offer(queue.front());
    }
    if (oldest) return oldest;
    for (const auto& list : lists_) {
      if (!list.empty() && list.front().burst.arrival < edge) offer(list.front().burst);
    }
    if (oldest) oldest->acceptance = edge;
    return oldest;
  }

  bool can_enter(Direction direction) const {
    const auto& list = lists_[index(direction)];
    if (list.empty() || list.front().burst.arrival > t_) return false;
    const Burst& burst = list.front().burst;
    const Queue& queue = queues_[index(direction)];
    const bool read = direction == Direction::read;
    if (queue.size() >= (read ? policy_.read_queue : policy_.write_queue)) return false;
    if (policy_.queue_shape == spec::QueueShape::per_bank) {
      const auto of_bank = std::count_if(queue.begin(), queue.end(), [&](const Burst& b) {
        return b.rank == burst.rank && b.bank_group == burst.bank_group && b.bank == burst.bank;
      });
      if (of_bank >= static_cast<std::ptrdiff_t>(policy_.bank_queue)) return false;
    }
    return read || !holds(Direction::read, burst);
  }

  bool holds(Direction direction, const Burst& burst) const {
    const Queue& queue = queues_[index(direction)];
    return std::any_of(queue.begin(), queue.end(),
                       [&](const Burst& b) { return b.has_place_of(burst); });
  }

  // Step 2.
  void admit() {
    while (true) {
      const bool read = can_enter(Direction::read), write = can_enter(Direction::write);
      if (!read && !write) return;
      const bool read_first =
          read && (!write || lists_[0].front().submission < lists_[1].front().submission);
      const Direction direction = read_first ? Direction::read : Direction::write;
      Burst burst = lists_[index(direction)].front().burst;
      lists_[index(direction)].pop_front();
      if (read_first && holds(Direction::write, burst)) {
        out_.presences.push_back({burst.arrival, t_ + 1});  // forwarded
        continue;
      }
      burst.acceptance = t_;
      burst.age = ++ages_;
      queues_[index(direction)].push_back(burst);
    }
  }

  bool is_overdue(Direction direction) const {
    const Queue& queue = queues_[index(direction)];
    return !queue.empty() && t_ - queue.front().acceptance >= policy_.max_wait;
  }

  // Step 3.
  void turn() {
    const Queue& reads = queues_[0];
    const Queue& writes = queues_[1];
    bool change = false;
    if (policy_.scheduler == "fcfs") {
      if (reads.empty() && writes.empty()) return;
      const bool read =
          writes.empty() || (!reads.empty() && reads.front().age < writes.front().age);
      change = read != (direction_ == Direction::read);
    } else if (policy_.scheduler == "frfcfs-grouped") {
      change = wants_other_group();
    } else if (direction_ == Direction::read) {
      const bool pressed = writes.size() >= policy_.write_high || is_overdue(Direction::write);
      change = !writes.empty() && (reads.empty() || (pressed && (!is_overdue(Direction::read) ||
                                                                 served_ >= policy_.read_queue)));
    } else {
      change =
          !reads.empty() && (writes.empty() || served_ >= policy_.write_queue ||
                             (writes.size() <= policy_.write_low && !is_overdue(Direction::write)));
    }
    if (!change) return;
    direction_ = direction_ == Direction::read ? Direction::write : Direction::read;
    served_ = 0;
  }

  bool wants_other_group() const {
    const bool reading = direction_ == Direction::read;
    const Direction other = reading ? Direction::write : Direction::read;
    const std::size_t mine = queues_[index(direction_)].size();
    const std::size_t others = queues_[index(other)].size();
    if (others == 0) return false;
    const bool worth = others >= policy_.group_high;
    return mine == 0 || (mine <= policy_.group_low && worth && !is_overdue(direction_)) ||
           (served_ >= (reading ? policy_.read_queue : policy_.write_queue) &&
            (worth || is_overdue(other))) ||
           (is_overdue(other) && !is_overdue(direction_));
  }

  bool serve(const Command& command) {
    std::optional<Burst> burst;
    if (is_column(command.name)) {
      Queue& queue = queues_[is_read(command.name) ? 0 : 1];
      const auto served = std::find_if(queue.begin(), queue.end(), [&](const Burst& b) {
        return b.goes_to_bank_of(command) && b.row == command.row && b.column == command.column;
      });
      if (served == queue.end()) return false;
      burst = *served;
      queue.erase(served);
      ++served_;
      const auto latency = memory_.timing(is_read(command.name) ? "nCL" : "nCWL");
      out_.presences.push_back({burst->arrival, t_ + latency + memory_.timing("nBL")});
    } else if (command.name == spec::Command::ACT || command.name == spec::Command::PRE) {
      // For the bank's oldest visible burst of the present direction.
      const Queue& queue = queues_[index(direction_)];
      for (const Burst& b : queue) {
        if (policy_.scheduler == "fcfs" && b.age != queue.front().age) break;
        if (!b.goes_to_bank_of(command) || t_ < b.acceptance + policy_.dispatch) continue;
        burst = b;
        break;
      }
      if (command.name == spec::Command::ACT && (!burst || burst->row != command.row)) return false;
    }
    out_.bursts.push_back(burst);
    return true;
  }

  /// Nothing happens while nothing is queued and nothing arrives.
  std::int64_t next_cycle() const {
    if (!queues_[0].empty() || !queues_[1].empty()) return t_ + 1;
    std::int64_t next = input_.end;
    if (next_command_ < input_.log.size()) next = input_.log[next_command_].cycle;
    for (const auto& list : lists_) {
      if (!list.empty()) next = std::min(next, list.front().burst.arrival);
    }
    return std::max(next, t_ + 1);
  }

  const spec::MemorySpec& memory_;
  const spec::Controller& policy_;
  const BillInput& input_;
  ServedLog out_;
  std::uint64_t submissions_ = 0, ages_ = 0;
  std::deque<Waiting> lists_[2];
  Queue queues_[2];
  Direction direction_ = Direction::read;
  std::uint32_t served_ = 0;
  std::int64_t t_ = 0;
  std::size_t next_command_ = 0;
};

}  // namespace

base::Result<ServedLog> replay_queues(const spec::MemorySpec& memory, const BillInput& input) {
  return QueueReplay(memory, input).run();
}

}  // namespace diffram::check
