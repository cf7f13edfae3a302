#include "check/protocol.h"

#include <algorithm>
#include <utility>

namespace diffram::check {

using spec::Scope;
using Name = spec::Command;

ChannelProtocol::ChannelProtocol(const spec::MemorySpec& memory, std::uint32_t channel,
                                 OnViolation found)
    : memory_(memory),
      read_latency_(memory.timing("nCL")),
      write_latency_(memory.timing("nCWL")),
      burst_(memory.timing("nBL")),
      refresh_interval_(memory.timing("nREFI")),
      channel_(channel),
      found_(std::move(found)),
      history_(memory),
      rows_(spec::kCommandCount),
      banks_(std::size_t{memory.organisation.ranks} * memory.organisation.banks()),
      open_(banks_.size(), false),
      ranks_(memory.organisation.ranks) {
  for (const auto& row : memory.constraints) {
    rows_[static_cast<std::size_t>(row.after)].push_back(row);
  }
}

void ChannelProtocol::command(const Command& command) {
  if (!first_) first_ = command;
  look_at_refreshes(command);
  const bool table_is_kept = look_at_table(command);
  look_at_bank(command);
  look_at_rank(command);
  look_at_clocks(command);
  look_at_buses(command, table_is_kept);
  follow(command);
}

void ChannelProtocol::finish() {
  if (!last_) return;
  Command end = *last_;
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    end.rank = rank;
    look_at_refreshes(end);
  }
}

void ChannelProtocol::report(StateRule rule, const std::optional<Command>& before,
                             const Command& after, std::int64_t required, std::int64_t found) {
  found_({index_of(memory_, rule), channel_, before, after, required, found});
}

// A PRE of a closed bank does nothing and may come while the bank is being closed: the rows that
// guard an open row are not about it. A refresh of the bank bars it all the same.
bool ChannelProtocol::row_applies(const spec::Constraint& row, const Command& command) const {
  if (command.name != Name::PRE || row.scope != Scope::bank) return true;
  if (refreshes_banks(row.before)) return true;
  return open_[history_.bank_index(command)];
}

bool ChannelProtocol::look_at_table(const Command& command) {
  std::vector<Violation> worst;  // one a rule
  const auto compare = [&](const spec::Constraint& row, const Command& place) {
    if (!row_applies(row, place)) return;
    const Command* before = history_.look_back(row.before, row.scope, place, row.window);
    if (before == nullptr || command.cycle - before->cycle >= row.cycles) return;
    Violation violation{row.rule, channel_,   *before,
                        command,  row.cycles, command.cycle - before->cycle};
    const auto same = std::find_if(worst.begin(), worst.end(),
                                   [&](const Violation& v) { return v.rule == row.rule; });
    if (same == worst.end()) {
      worst.push_back(violation);
    } else if (violation.shortfall() > same->shortfall()) {
      *same = violation;
    }
  };
  const auto& organisation = memory_.organisation;
  for (const auto& row : rows_[static_cast<std::size_t>(command.name)]) {
    const bool of_rank = row.scope != Scope::bank && row.scope != Scope::bank_group &&
                         row.scope != Scope::other_group && row.scope != Scope::other_stack;
    if (of_rank || has_bank(command.name)) {
      for (const Command& in_bank : history_.in_banks(command)) compare(row, in_bank);
      continue;
    }
    // A command of a whole rank keeps the rule in each bank.
    Command place = command;
    for (place.bank_group = 0; place.bank_group < organisation.bank_groups; ++place.bank_group) {
      for (place.bank = 0; place.bank < organisation.banks_per_group; ++place.bank) {
        compare(row, place);
      }
    }
  }
  // PREA must be a legal PRE of every open bank.
  if (command.name == Name::PREA) {
    Command place = command;
    place.name = Name::PRE;
    for (const auto& row : rows_[static_cast<std::size_t>(Name::PRE)]) {
      for (std::size_t bank = 0; bank < organisation.banks(); ++bank) {
        if (!open_[first_bank(command.rank) + bank]) continue;
        place.bank_group = static_cast<std::uint32_t>(bank) / organisation.banks_per_group;
        place.bank = static_cast<std::uint32_t>(bank) % organisation.banks_per_group;
        compare(row, place);
      }
    }
  }
  for (const auto& violation : worst) found_(violation);
  return worst.empty();
}

std::optional<std::size_t> ChannelProtocol::open_bank_of(std::uint32_t rank) const {
  for (std::size_t bank = first_bank(rank); bank < first_bank(rank + 1); ++bank) {
    if (banks_[bank].open) return bank;
  }
  return {};
}

void ChannelProtocol::look_at_bank(const Command& command) {
  if (command.name == Name::REFab || command.name == Name::SREFE || command.name == Name::RFMab) {
    if (const auto open = open_bank_of(command.rank)) {
      report(command.name == Name::SREFE ? StateRule::self_refresh_open_bank
                                         : StateRule::refresh_open_bank,
             banks_[*open].activated, command);
    }
    return;
  }
  if (!has_bank(command.name)) return;
  if (refreshes_banks(command.name)) {
    for (const Command& in_bank : history_.in_banks(command)) {
      const Bank& bank = banks_[history_.bank_index(in_bank)];
      if (bank.open) return report(StateRule::refresh_open_bank, bank.activated, command);
    }
    return;
  }
  const Bank& bank = banks_[history_.bank_index(command)];
  if (command.name == Name::ACT && bank.open) {
    report(StateRule::activate_open_bank, bank.activated, command);
  }
  if (!is_column(command.name)) return;
  if (!bank.open) {
    report(StateRule::column_closed_bank, bank.closed, command);
  } else if (bank.activated.row != command.row) {
    report(StateRule::column_other_row, bank.activated, command);
  }
}

void ChannelProtocol::look_at_rank(const Command& command) {
  const Rank& rank = ranks_[command.rank];
  const bool exit = command.name == Name::PDX || command.name == Name::SREFX;
  if (rank.sleep == Sleep::awake) {
    if (exit) report(StateRule::rank_awake, {}, command);
    return;
  }
  const Name right = rank.sleep == Sleep::power_down ? Name::PDX : Name::SREFX;
  if (command.name != right) report(StateRule::rank_asleep, rank.entered, command);
}

void ChannelProtocol::look_at_clocks(const Command& command) {
  const auto& protocol = memory_.protocol;
  if (protocol.starts_with_clock(command.name) && command.cycle % protocol.ticks_per_clock != 0)
    report(StateRule::clock_edge, {}, command);
  const std::int64_t after_read = protocol.clock_after_read;
  const std::int64_t after_write = protocol.clock_after_write;
  if (after_read == 0 && after_write == 0) return;
  Rank& rank = ranks_[command.rank];
  if (is_column(command.name) && command.cycle > rank.clock_until)
    report(StateRule::data_clock, {}, command);
  if (is_read(command.name) || command.name == Name::CAS_RD)
    rank.clock_until = std::max(rank.clock_until, command.cycle + after_read);
  if (is_write(command.name) || command.name == Name::CAS_WR)
    rank.clock_until = std::max(rank.clock_until, command.cycle + after_write);
  if (command.name == Name::PDE || command.name == Name::SREFE)
    rank.clock_until = std::min(rank.clock_until, command.cycle);
}

void ChannelProtocol::look_at_buses(const Command& command, bool table_is_kept) {
  // With a bus each, a row command and a column command may begin together.
  const auto on_column_bus = [](Name name) { return is_column(name) || name >= Name::CAS_RD; };
  auto& last = last_on_bus_[memory_.protocol.split_buses && on_column_bus(command.name) ? 1 : 0];
  if (last && last->cycle == command.cycle) {
    report(StateRule::command_bus, last, command, 1, 0);
  }
  last = command;
  if (!is_column(command.name)) return;
  const std::int64_t data =
      command.cycle + (is_read(command.name) ? read_latency_ : write_latency_);
  if (last_burst_ && data < bus_busy_until_ && table_is_kept) {
    const std::int64_t found = command.cycle - last_burst_->cycle;
    report(StateRule::data_bus, last_burst_, command, found + bus_busy_until_ - data, found);
  }
  const std::int64_t end = data + burst_;
  if (end < bus_busy_until_) return;
  bus_busy_until_ = end;
  last_burst_ = command;
}

// A log may begin in the midst of a run: time counts from its first command.
void ChannelProtocol::look_at_refreshes(const Command& command) {
  Rank& rank = ranks_[command.rank];
  if (refresh_interval_ == 0 || rank.sleep == Sleep::self_refresh || rank.refresh_was_late) {
    return;
  }
  const std::int64_t most = kMostRefreshIntervals * refresh_interval_;
  const Command& before = rank.refreshed ? *rank.refreshed : *first_;
  const std::int64_t found = command.cycle - before.cycle;
  if (found <= most) return;
  rank.refresh_was_late = true;
  report(StateRule::refresh_late, rank.refreshed, command, most, found);
}

void ChannelProtocol::follow(const Command& command) {
  history_.record(command, open_);
  last_ = command;
  Rank& rank = ranks_[command.rank];
  const auto close = [&](std::size_t place) {
    banks_[place].open = open_[place] = false;
    banks_[place].closed = command;
  };
  switch (command.name) {
    case Name::ACT: {
      const std::size_t place = history_.bank_index(command);
      banks_[place].open = open_[place] = true;
      banks_[place].activated = command;
      break;
    }
    case Name::PRE: {
      const std::size_t place = history_.bank_index(command);
      if (open_[place]) {
        close(place);
      } else {
        ++idle_precharges_;
      }
      break;
    }
    case Name::PREA: {
      if (!open_bank_of(command.rank)) ++idle_precharges_;
      for (std::size_t place = first_bank(command.rank); place < first_bank(command.rank + 1);
           ++place) {
        if (open_[place]) close(place);
      }
      break;
    }
    case Name::RD:
    case Name::WR:
      open_by_word(command);
      break;
    case Name::RDA:
    case Name::WRA:
      close(history_.bank_index(command));
      break;
    case Name::REFab:
      rank.refreshed = command;
      rank.refresh_was_late = false;
      rank.parts_refreshed.assign(rank.parts_refreshed.size(), false);
      break;
    case Name::REFpb:
    case Name::REFsb:
      follow_part(command);
      break;
    case Name::RFMab:
    case Name::RFMpb:
    case Name::CAS_RD:
    case Name::CAS_WR:
    case Name::RCKSTRT:
    case Name::RCKSTOP:
      break;
    case Name::PDE:
      if (rank.sleep == Sleep::awake) {
        rank.sleep = Sleep::power_down;
        rank.entered = command;
      }
      break;
    case Name::SREFE:
      if (rank.sleep == Sleep::awake) {
        rank.sleep = Sleep::self_refresh;
        rank.entered = command;
      }
      break;
    case Name::PDX:
      if (rank.sleep == Sleep::power_down) rank.sleep = Sleep::awake;
      break;
    case Name::SREFX:
      if (rank.sleep != Sleep::self_refresh) break;
      rank.sleep = Sleep::awake;
      rank.refreshed = command;
      rank.refresh_was_late = false;
      break;
  }
}

// A rank is refreshed once each of its banks was, since it last was. That is as late as the last of
// them: between two rounds no bank waits longer than between two refreshes of the whole rank.
void ChannelProtocol::follow_part(const Command& command) {
  Rank& rank = ranks_[command.rank];
  rank.parts_refreshed.resize(memory_.organisation.banks(), false);
  for (const Command& in_bank : history_.in_banks(command))
    rank.parts_refreshed[history_.bank_index(in_bank) - first_bank(command.rank)] = true;
  if (!std::all_of(rank.parts_refreshed.begin(), rank.parts_refreshed.end(),
                   [](bool done) { return done; }))
    return;
  rank.parts_refreshed.assign(rank.parts_refreshed.size(), false);
  rank.refreshed = command;
  rank.refresh_was_late = false;
}

// A read or write of a row that is not open has been reported; its row counts as open from now on.
void ChannelProtocol::open_by_word(const Command& column) {
  const std::size_t place = history_.bank_index(column);
  Bank& bank = banks_[place];
  if (bank.open && bank.activated.row == column.row) return;
  bank.open = open_[place] = true;
  bank.activated = column;
}

}  // namespace diffram::check
