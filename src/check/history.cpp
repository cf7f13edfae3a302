#include "check/history.h"

#include <algorithm>

namespace diffram::check {

using spec::Scope;

History::History(const spec::MemorySpec& memory)
    : ranks_(memory.organisation.ranks),
      groups_(memory.organisation.bank_groups),
      groups_per_stack_(memory.organisation.groups_per_stack()),
      banks_per_group_(memory.organisation.banks_per_group),
      banks_per_rank_(groups_ * banks_per_group_),
      unit_(memory.protocol.refresh_unit),
      by_bank_(ranks_ * banks_per_rank_ * spec::kCommandCount),
      by_group_(ranks_ * groups_ * spec::kCommandCount),
      by_rank_(ranks_ * spec::kCommandCount) {
  for (const auto& row : memory.constraints) {
    kept_ = std::max(kept_, static_cast<std::size_t>(row.window));
  }
}

void History::put(std::vector<List>& lists, std::size_t place, spec::Command as, const Past& past) {
  List& list = lists[place * spec::kCommandCount + static_cast<std::size_t>(as)];
  if (list.size() == kept_) list.pop_back();
  list.insert(list.begin(), past);
}

std::vector<Command> History::in_banks(const Command& command) const {
  std::vector<Command> all{command};
  if (!spec::refreshes_a_part(command.name) || unit_ == spec::RefreshUnit::bank) return all;
  const auto half = static_cast<std::uint32_t>(groups_ / 2);
  for (std::uint32_t group = 0; group < groups_; ++group) {
    if (group == command.bank_group) continue;
    if (unit_ == spec::RefreshUnit::bank_pair &&
        (half == 0 || group % half != command.bank_group % half))
      continue;
    all.push_back(command);
    all.back().bank_group = group;
  }
  return all;
}

void History::record(const Command& command, const std::vector<bool>& open_banks) {
  const Past past{command, ++seen_};
  put(by_rank_, command.rank, command.name, past);
  if (has_bank(command.name)) {
    for (const Command& in_bank : in_banks(command)) {
      put(by_bank_, bank_index(in_bank), command.name, past);
      put(by_group_, group_index(in_bank), command.name, past);
    }
    return;
  }
  const bool closes = command.name == spec::Command::PREA;
  bool closed_one = false;
  for (std::size_t group = 0; group < groups_; ++group) {
    put(by_group_, command.rank * groups_ + group, command.name, past);
    bool closed_in_group = false;
    for (std::size_t bank = 0; bank < banks_per_group_; ++bank) {
      const std::size_t place = command.rank * banks_per_rank_ + group * banks_per_group_ + bank;
      put(by_bank_, place, command.name, past);
      if (!closes || !open_banks[place]) continue;
      put(by_bank_, place, spec::Command::PRE, past);
      closed_in_group = true;
    }
    if (closed_in_group) {
      put(by_group_, command.rank * groups_ + group, spec::Command::PRE, past);
      closed_one = true;
    }
  }
  if (closed_one) put(by_rank_, command.rank, spec::Command::PRE, past);
}

const Command* History::look_back(spec::Command before, Scope scope, const Command& later,
                                  std::size_t count) const {
  const auto nth = [count](const List& list) -> const Command* {
    return list.size() < count ? nullptr : &list[count - 1].command;
  };
  if (scope == Scope::bank) return nth(list(by_bank_, bank_index(later), before));
  if (scope == Scope::bank_group) return nth(list(by_group_, group_index(later), before));
  if (scope == Scope::rank) return nth(list(by_rank_, later.rank, before));

  // The other scopes are several lists together.
  std::vector<const Past*> all;
  const auto gather = [&](const List& from) {
    for (const Past& past : from) all.push_back(&past);
  };
  if (scope == Scope::other_group || scope == Scope::other_stack) {
    const std::size_t apart = scope == Scope::other_group ? 1 : groups_per_stack_;
    for (std::size_t group = 0; group < groups_; ++group) {
      if (group / apart != later.bank_group / apart)
        gather(list(by_group_, later.rank * groups_ + group, before));
    }
  } else {
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      if (scope == Scope::channel || rank != later.rank) gather(list(by_rank_, rank, before));
    }
  }
  if (all.size() < count) return nullptr;
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count - 1), all.end(),
                   [](const Past* a, const Past* b) { return a->order > b->order; });
  return &all[count - 1]->command;
}

}  // namespace diffram::check
