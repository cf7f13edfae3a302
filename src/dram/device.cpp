#include "dram/device.h"

#include <cassert>

namespace diffram::dram {

using spec::Command;
using spec::Scope;

Device::Device(const spec::MemorySpec& spec)
    : table_(spec),
      ranks_(spec.organisation.ranks),
      groups_(spec.organisation.ranks * spec.organisation.bank_groups),
      banks_(spec.organisation.ranks * spec.organisation.banks()),
      groups_per_rank_(spec.organisation.bank_groups),
      banks_per_group_(spec.organisation.banks_per_group),
      banks_per_rank_(spec.organisation.banks()),
      group_of_(banks_),
      rank_of_(banks_),
      lanes_((banks_ + kLanes - 1) / kLanes * kLanes),
      next_(std::size_t{kCold} * lanes_, 0),
      bank_last_(spec::kCommandCount * banks_),
      group_last_(spec::kCommandCount * groups_),
      rank_last_(spec::kCommandCount * ranks_),
      rings_(table_.histories()),
      open_(banks_, 0),
      open_in_rank_(ranks_, 0) {
  for (std::uint32_t bank = 0; bank < banks_; ++bank) {
    group_of_[bank] = bank / banks_per_group_;
    rank_of_[bank] = bank / banks_per_rank_;
  }
  compile_raises();
  compile_windows();
  list_look_backs();
  for (std::size_t before = 0; before < spec::kCommandCount; ++before) {
    for (const auto& window : table_.windows(static_cast<Command>(before))) {
      Ring& ring = rings_[window.history];
      ring.last.resize(std::size_t{banks_} * window.constraint.window);
      ring.next.resize(banks_, 0);
    }
  }
}

Place Device::place(std::uint32_t bank) const {
  const std::uint32_t in_rank = bank % banks_per_rank_;
  return {bank / banks_per_rank_, in_rank / banks_per_group_, in_rank % banks_per_group_};
}

void Device::compile_raises() {
  constexpr std::array kHot = {Command::ACT, Command::PRE, Command::RD, Command::WR};
  for (std::uint32_t b = 0; b < spec::kCommandCount; ++b) {
    const auto before = static_cast<Command>(b);
    std::vector<std::int16_t> rows(kHot.size() * lanes_ * banks_, INT16_MIN);
    std::uint32_t low = kCold;
    std::uint32_t high = 0;
    for (std::uint32_t hot = 0; hot < kHot.size(); ++hot) {
      Relations r = table_.relations(before, kHot[hot]);
      if (is_rank_command(before)) {  // it is in every bank of its rank
        const std::int32_t across = groups_per_rank_ > 1 ? r.other_group : 0;
        r.same_bank = r.same_group = r.other_group = std::max({r.same_bank, r.same_group, across});
      }
      for (std::uint32_t from = 0; from < banks_; ++from) {
        for (std::uint32_t to = 0; to < banks_; ++to) {
          std::int32_t cycles = r.same_bank;
          if (to != from) cycles = r.same_group;
          if (group_of_[to] != group_of_[from]) cycles = r.other_group;
          if (rank_of_[to] != rank_of_[from]) cycles = r.other_rank;
          if (cycles == 0) continue;
          assert(cycles <= spec::Constraint::kMostCycles);
          rows[(from * kHot.size() + hot) * lanes_ + to] = static_cast<std::int16_t>(cycles);
          low = std::min(low, hot);
          high = std::max(high, hot + 1);
        }
      }
    }
    if (low >= high) continue;
    Raise& raise = raises_[b];
    raise.first = low * lanes_;
    raise.blocks = (high - low) * lanes_ / kLanes;
    for (std::size_t from = 0; from < banks_; ++from) {
      const auto row = rows.begin() + static_cast<std::ptrdiff_t>(from * kHot.size() * lanes_);
      raise.rows.insert(raise.rows.end(), row + low * lanes_, row + high * lanes_);
    }
  }
}

void Device::compile_windows() {
  for (std::uint32_t b = 0; b < spec::kCommandCount; ++b) {
    for (const Window& window : table_.windows(static_cast<Command>(b))) {
      const spec::Constraint& c = window.constraint;
      CountedWindow counted{window.history, c.window, hot_row(c.after), c.cycles, c.scope,
                            banks_per_rank_};
      if (c.scope == Scope::bank) counted.width = 1;
      if (c.scope == Scope::bank_group) counted.width = banks_per_group_;
      if (c.scope == Scope::channel) counted.width = banks_;
      windows_[b].push_back(counted);
    }
  }
}

// Times too long ago for 16 bits stay at the lowest number: `earliest_at` looks back for them.
void Device::move_base(std::int64_t cycle) {
  const std::int64_t by = cycle - base_;
  base_ = cycle;
  for (std::int16_t& next : next_) {
    next = static_cast<std::int16_t>(std::max<std::int64_t>(next - by, INT16_MIN));
  }
}

void Device::issue_at(Command command, std::uint32_t bank, std::int64_t cycle, std::uint32_t tag) {
  const std::uint32_t rank = rank_of_[bank];
  switch (command) {
    case Command::ACT:
      open_in_rank_[rank] += open_[bank] == 0;
      open_[bank] = 1;
      break;
    case Command::PRE:
    case Command::RDA:
    case Command::WRA:
      open_in_rank_[rank] -= open_[bank];
      open_[bank] = 0;
      break;
    case Command::PREA:
      for (std::uint32_t b = rank * banks_per_rank_; b < (rank + 1) * banks_per_rank_; ++b) {
        if (open_[b]) issue_at(Command::PRE, b, cycle, tag);
      }
      break;
    default:
      break;
  }
  raise(command, bank, cycle);
  remember(command, bank, cycle, tag);
  count_windows(command, bank, cycle, tag);
}

std::uint32_t Device::instance(Scope scope, std::uint32_t bank) const {
  switch (scope) {
    case Scope::bank:
      return bank;
    case Scope::bank_group:
      return group_of_[bank];
    case Scope::channel:
      return 0;
    default:
      return rank_of_[bank];
  }
}

void Device::count_windows(Command command, std::uint32_t bank, std::int64_t cycle,
                           std::uint32_t tag) {
  for (const CountedWindow& window : windows_[static_cast<std::size_t>(command)]) {
    const std::uint32_t where = instance(window.scope, bank);
    Ring& ring = rings_[window.history];
    std::uint32_t& next = ring.next[where];
    Past* const slots = &ring.last[std::size_t{where} * window.depth];
    slots[next] = {cycle, bank, tag};
    next = next + 1 == window.depth ? 0 : next + 1;
    const std::int64_t legal = slots[next].cycle + window.cycles - base_;
    if (window.row == kCold || legal <= kLongAgo) continue;
    std::int16_t* const first = &next_[window.row * lanes_ + where * window.width];
    lift_all(first, window.width, static_cast<std::int16_t>(legal));
  }
}

Device::Past Device::last_before(const spec::Constraint& c, std::uint32_t index, std::uint32_t bank,
                                 bool rank_wide) const {
  const auto b = static_cast<std::size_t>(c.before);
  const std::uint32_t rank = rank_of_[bank];
  if (c.window > 1) {
    const Ring& ring = rings_[table_.history_of(index)];
    const std::uint32_t where = instance(c.scope, bank);
    return ring.last[std::size_t{where} * c.window + ring.next[where]];
  }
  Past latest;
  const auto consider = [&latest](const Past& past) {
    if (past.cycle > latest.cycle) latest = past;
  };
  switch (c.scope) {
    case Scope::bank:
      return rank_wide ? rank_last_[b * ranks_ + rank] : bank_last_[b * banks_ + bank];
    case Scope::bank_group:
      return rank_wide ? rank_last_[b * ranks_ + rank] : group_last_[b * groups_ + group_of_[bank]];
    case Scope::rank:
      return rank_last_[b * ranks_ + rank];
    case Scope::other_group:
      if (rank_wide && groups_per_rank_ > 1) return rank_last_[b * ranks_ + rank];
      for (std::uint32_t g = rank * groups_per_rank_; g < (rank + 1) * groups_per_rank_; ++g) {
        if (g != group_of_[bank]) consider(group_last_[b * groups_ + g]);
      }
      return latest;
    case Scope::other_rank:
    case Scope::channel:
      for (std::uint32_t r = 0; r < ranks_; ++r) {
        if (r != rank || c.scope == Scope::channel) consider(rank_last_[b * ranks_ + r]);
      }
      return latest;
  }
  return latest;
}

void Device::list_look_backs() {
  for (std::uint32_t after = 0; after < spec::kCommandCount; ++after) {
    if (is_rank_command(static_cast<Command>(after))) continue;
    for (const std::uint32_t index : table_.on(static_cast<Command>(after))) {
      const spec::Constraint& c = table_.constraints()[index];
      const auto before = static_cast<std::uint32_t>(c.before);
      LookBack entry{index, before * banks_, c.cycles, c.scope, c.window == 1};
      if (c.scope == Scope::bank_group) entry.row = before * groups_;
      if (c.scope == Scope::rank) entry.row = before * ranks_;
      const bool in_rank = c.scope == Scope::bank || c.scope == Scope::bank_group;
      if (c.scope != Scope::rank && (!in_rank || is_rank_command(c.before))) entry.plain = false;
      look_backs_[after].push_back(entry);
    }
  }
}

// The first constraint in the order of ties that ends at `legal` is the binding one.
Binding Device::binding_at(Command command, std::uint32_t bank, std::int64_t legal) const {
  for (const LookBack& entry : look_backs_[static_cast<std::size_t>(command)]) {
    const spec::Constraint& c = table_.constraints()[entry.constraint];
    Past slow;
    const Past* past = &slow;
    if (!entry.plain) {
      slow = last_before(c, entry.constraint, bank, is_rank_command(c.before));
    } else if (entry.scope == Scope::bank) {
      past = &bank_last_[entry.row + bank];
    } else if (entry.scope == Scope::bank_group) {
      past = &group_last_[entry.row + group_of_[bank]];
    } else {
      past = &rank_last_[entry.row + rank_of_[bank]];
    }
    if (past->cycle + entry.cycles == legal) return {&c, legal, past->bank, past->tag};
  }
  return {};
}

Binding Device::binding_at(Command command, std::uint32_t bank) const {
  Binding binding;
  for (const std::uint32_t index : table_.on(command)) {
    const spec::Constraint& c = table_.constraints()[index];
    const bool rank_wide = is_rank_command(command) || is_rank_command(c.before);
    const Past past = last_before(c, index, bank, rank_wide);
    if (past.cycle + c.cycles > binding.cycle) {
      binding = {&c, past.cycle + c.cycles, past.bank, past.tag};
    }
  }
  if (command == Command::PREA) {
    const std::uint32_t first = rank_of_[bank] * banks_per_rank_;
    for (std::uint32_t b = first; b < first + banks_per_rank_; ++b) {
      if (!open_[b]) continue;
      const Binding of_bank = binding_at(Command::PRE, b);
      if (of_bank.cycle > binding.cycle) binding = of_bank;
    }
  }
  return binding;
}

}  // namespace diffram::dram
