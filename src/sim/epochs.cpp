#include "sim/epochs.h"

#include <utility>

namespace diffram::sim {

namespace {

/// to += now − before; `before` may be empty, and so may those that count nothing.
template <class Counter>
void add_difference(std::vector<Counter>& to, const std::vector<Counter>& now,
                    const std::vector<Counter>& before) {
  to.resize(now.size());
  for (std::size_t i = 0; i < now.size(); ++i)
    to[i] = base::plus_difference(to[i], now[i], before.empty() ? Counter{} : before[i]);
}

/// Of two windows that begin together, or of one and nothing.
void add_difference(base::ChannelCounters& to, const base::ChannelCounters& now,
                    const base::ChannelCounters& before) {
  to.cycles += now.cycles - before.cycles;
  add_difference(to.banks, now.banks, before.banks);
  add_difference(to.part_refreshes, now.part_refreshes, before.part_refreshes);
  add_difference(to.ranks, now.ranks, before.ranks);
}

/// All that is counted by one unit of a kind goes to a single one.
template <class Counter>
void add_all(std::vector<Counter>& sum, const std::vector<Counter>& parts) {
  for (const Counter& part : parts) add_difference(sum, {part}, {});
}

}  // namespace

void Epochs::look_at(const Channels& channels) {
  auto& [length, epoch, known] = open_;
  epoch.channels.resize(channels.size());
  known.resize(channels.size());
  for (std::size_t c = 0; c < channels.size(); ++c) {
    base::ChannelCounters now = channels[c]->so_far();
    add_difference(epoch.channels[c], now, known[c]);
    known[c] = std::move(now);
  }
  if (!channels.empty()) epoch.cycles = epoch.channels.front().cycles;
}

void Epochs::hand_over() {
  closed_(open_.epoch);
  open_.epoch = {open_.epoch.begin + open_.epoch.cycles, 0, {}};
}

void Epochs::close(const Channels& channels) {
  look_at(channels);
  hand_over();
}

void Epochs::before_take(const Channels& channels) {
  if (!has_epochs()) return;
  look_at(channels);
  open_.known.clear();
}

void Epochs::finish(const Channels& channels) {
  if (!has_epochs()) return;
  look_at(channels);
  if (open_.epoch.cycles > 0) hand_over();
}

ledger::Epoch summed(const ledger::Epoch& epoch) {
  base::ChannelCounters sum;
  for (const base::ChannelCounters& channel : epoch.channels) {
    sum.cycles += channel.cycles;
    add_all(sum.banks, channel.banks);
    add_all(sum.part_refreshes, channel.part_refreshes);
    add_all(sum.ranks, channel.ranks);
  }
  return {epoch.begin, epoch.cycles, {std::move(sum)}};
}

void join_pairs(std::vector<ledger::Epoch>& epochs) {
  for (std::size_t i = 0; i + 1 < epochs.size(); i += 2) {
    ledger::Epoch first = std::move(epochs[i]);
    const ledger::Epoch& second = epochs[i + 1];
    first.cycles += second.cycles;
    for (std::size_t c = 0; c < first.channels.size(); ++c)
      add_difference(first.channels[c], second.channels[c], {});
    epochs[i / 2] = std::move(first);
  }
  epochs.resize(epochs.size() / 2);
}

}  // namespace diffram::sim
