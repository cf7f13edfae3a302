#include "dram/device.h"

#include <utility>

namespace diffram::dram {

using spec::Command;
using spec::Scope;

Device::Device(const spec::MemorySpec& spec, std::shared_ptr<const RaiseTable> raises)
    : table_(spec),
      ranks_(spec.organisation.ranks),
      groups_(spec.organisation.ranks * spec.organisation.bank_groups),
      banks_(spec.organisation.ranks * spec.organisation.banks()),
      groups_per_rank_(spec.organisation.bank_groups),
      banks_per_group_(spec.organisation.banks_per_group),
      banks_per_rank_(spec.organisation.banks()),
      stacks_per_rank_(spec.organisation.stack_ids),
      groups_per_stack_(spec.organisation.groups_per_stack()),
      group_of_(banks_),
      stack_of_(banks_),
      rank_of_(banks_),
      lanes_(whole_pairs(banks_)),
      next_(std::size_t{kCold} * lanes_),
      raises_(raises ? std::move(raises) : std::make_shared<RaiseTable>(spec, table_)),
      last_(std::size_t{spec::kCommandCount} * banks_),
      rings_(table_.histories()),
      open_(banks_, 0) {
  for (std::uint32_t bank = 0; bank < banks_; ++bank) {
    group_of_[bank] = bank / banks_per_group_;
    stack_of_[bank] = group_of_[bank] / groups_per_stack_;
    rank_of_[bank] = bank / banks_per_rank_;
  }
  for (std::size_t before = 0; before < spec::kCommandCount; ++before) {
    for (const auto& window : table_.windows(static_cast<Command>(before))) {
      Ring& ring = rings_[window.history];
      ring.last.resize(std::size_t{banks_} * window.constraint.window);
      ring.next.resize(banks_, 0);
    }
  }
  compile_parts(spec::groups_refreshed_apart(spec.organisation, spec.protocol.refresh_unit));
  compile_windows();
}

void Device::compile_parts(std::uint32_t groups_apart) {
  parts_per_rank_ = groups_apart * banks_per_group_;
  parts_.resize(std::size_t{ranks_} * parts_per_rank_);
  for (std::uint32_t bank = 0; bank < banks_per_rank_; ++bank) {
    const std::uint32_t group = bank / banks_per_group_ % groups_apart;
    part_in_rank_.push_back(group * banks_per_group_ + bank % banks_per_group_);
  }
  for (std::uint32_t bank = 0; bank < banks_; ++bank) {
    const std::uint32_t part = part_in_rank_[bank % banks_per_rank_];
    parts_[rank_of_[bank] * parts_per_rank_ + part].push_back(bank);
  }
}

Place Device::place(std::uint32_t bank) const {
  const std::uint32_t in_rank = bank % banks_per_rank_;
  return {bank / banks_per_rank_, in_rank / banks_per_group_, in_rank % banks_per_group_};
}

void Device::compile_windows() {
  for (std::uint32_t b = 0; b < spec::kCommandCount; ++b) {
    for (const Window& window : table_.windows(static_cast<Command>(b))) {
      const spec::Constraint& c = window.constraint;
      CountedWindow counted;
      counted.last = rings_[window.history].last.data();
      counted.next = rings_[window.history].next.data();
      counted.depth = c.window;
      counted.cycles = c.cycles;
      if (hot_row(c.after) != kCold) counted.row = hot_row(c.after) * lanes_;
      counted.width = banks_per_rank_;
      counted.history = window.history;
      if (c.scope == Scope::bank) counted.width = 1;
      if (c.scope == Scope::bank_group) counted.width = banks_per_group_;
      if (c.scope == Scope::channel) counted.width = banks_;
      for (std::uint32_t bank = 0; bank < banks_; ++bank) {
        counted.instance.push_back(instance(c.scope, bank));
      }
      windows_[b].push_back(std::move(counted));
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
      return issue_activate(bank, cycle, tag);
    case Command::PRE:
      return issue_precharge(bank, cycle, tag);
    case Command::RD:
    case Command::WR:
      return issue_column(command, bank, cycle, tag);
    case Command::RDA:
    case Command::WRA:
      open_[bank] = 0;
      break;
    case Command::PREA:
      for (std::uint32_t b = rank * banks_per_rank_; b < (rank + 1) * banks_per_rank_; ++b) {
        if (open_[b]) issue_precharge(b, cycle, tag);
      }
      break;
    case Command::REFpb:
    case Command::REFsb:
      for (const std::uint32_t b : part_of(bank)) {
        raise<BasePath>(command, b, cycle);
        last_[static_cast<std::size_t>(command) * banks_ + b] = {cycle, b, tag};
      }
      return count_windows<BasePath>(command, bank, cycle, tag);
    default:
      break;
  }
  tell<BasePath>(command, bank, cycle, tag);
}

void Device::lift_few(std::int16_t* next, std::size_t count, std::int16_t t) {
  for (std::size_t i = 0; i < count; ++i) next[i] = std::max(next[i], t);
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

Device::Past Device::latest_of(Command command, std::uint32_t from, std::uint32_t to) const {
  const Past* const row = &last_[static_cast<std::size_t>(command) * banks_];
  Past latest;
  for (std::uint32_t bank = from; bank < to; ++bank) {
    if (row[bank].cycle >= latest.cycle) latest = row[bank];
  }
  return latest;
}

Device::Past Device::latest_of_group(Command command, std::uint32_t group) const {
  return latest_of(command, group * banks_per_group_, (group + 1) * banks_per_group_);
}

Device::Past Device::latest_of_rank(Command command, std::uint32_t rank) const {
  return latest_of(command, rank * banks_per_rank_, (rank + 1) * banks_per_rank_);
}

Device::Past Device::last_before(const spec::Constraint& c, std::uint32_t index, std::uint32_t bank,
                                 bool rank_wide) const {
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
      if (rank_wide) return latest_of_rank(c.before, rank);
      return last_[static_cast<std::size_t>(c.before) * banks_ + bank];
    case Scope::bank_group:
      if (rank_wide) return latest_of_rank(c.before, rank);
      return latest_of_group(c.before, group_of_[bank]);
    case Scope::rank:
      return latest_of_rank(c.before, rank);
    case Scope::other_group:
      if (rank_wide && groups_per_rank_ > 1) return latest_of_rank(c.before, rank);
      for (std::uint32_t g = rank * groups_per_rank_; g < (rank + 1) * groups_per_rank_; ++g) {
        if (g != group_of_[bank]) consider(latest_of_group(c.before, g));
      }
      return latest;
    case Scope::channel:
      return latest_of(c.before, 0, banks_);
    case Scope::other_stack:
      if (rank_wide && stacks_per_rank_ > 1) return latest_of_rank(c.before, rank);
      for (std::uint32_t g = rank * groups_per_rank_; g < (rank + 1) * groups_per_rank_; ++g) {
        if (g / groups_per_stack_ != group_of_[bank] / groups_per_stack_)
          consider(latest_of_group(c.before, g));
      }
      return latest;
    case Scope::other_rank:
      for (std::uint32_t r = 0; r < ranks_; ++r) {
        if (r != rank) consider(latest_of_rank(c.before, r));
      }
      return latest;
  }
  return latest;
}

Device::Reasons Device::reasons(Command after, std::uint32_t issued) const {
  Reasons out;
  for (const std::uint32_t index : table_.on(after)) {
    const spec::Constraint& c = table_.constraints()[index];
    const auto before = static_cast<std::uint32_t>(c.before);
    if ((issued >> before & 1) == 0) continue;
    const bool in_bank = c.scope == Scope::bank && c.window == 1 && !is_rank_command(c.before);
    out.entries.push_back({index, c.cycles, before * banks_, in_bank});
  }
  return out;
}

Device::Past Device::last_of(const Reasons::Entry& entry, std::uint32_t bank) const {
  const spec::Constraint& c = table_.constraints()[entry.constraint];
  return last_before(c, entry.constraint, bank, is_rank_command(c.before));
}

Binding Device::binding_at(Command command, std::uint32_t bank) const {
  if (!spec::refreshes_a_part(command)) return binding_of(command, bank);
  Binding latest;
  for (const std::uint32_t b : part_of(bank)) {
    const Binding of_bank = binding_of(command, b);
    if (of_bank.cycle > latest.cycle) latest = of_bank;
  }
  return latest;
}

// PREA of the bank's rank. The banks' own times are at hand; only the rest is looked up.
std::int64_t Device::earliest_of_all(std::uint32_t bank) const {
  std::int64_t cycle = binding_by_table(Command::PREA, bank).cycle;
  const std::uint32_t first = rank_of_[bank] * banks_per_rank_;
  for (std::uint32_t b = first; b < first + banks_per_rank_; ++b) {
    if (open_[b]) cycle = std::max(cycle, earliest_at(Command::PRE, b));
  }
  return cycle;
}

Binding Device::binding_by_table(Command command, std::uint32_t bank) const {
  Binding binding;
  for (const std::uint32_t index : table_.on(command)) {
    const spec::Constraint& c = table_.constraints()[index];
    const bool rank_wide = is_rank_command(command) || is_rank_command(c.before);
    const Past past = last_before(c, index, bank, rank_wide);
    if (past.cycle + c.cycles > binding.cycle) {
      binding = {&c, past.cycle + c.cycles, past.bank, past.tag};
    }
  }
  return binding;
}

Binding Device::binding_of(Command command, std::uint32_t bank) const {
  Binding binding = binding_by_table(command, bank);
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
