#include "sim/epochs.h"

#include <utility>

#include "base/archive.h"

namespace diffram::sim {

namespace {

/// Every field of a counter, in the order of its archive.
struct Fields {
  std::vector<std::int64_t*> all;

  template <class... Field>
  void operator()(Field&... fields) {
    (all.push_back(&fields), ...);
  }
};

template <class Counter>
std::vector<std::int64_t*> fields_of(Counter& counter) {
  Fields fields;
  serialize(fields, counter);
  return std::move(fields.all);
}

/// to += now − before, field by field; `before` may be empty.
template <class Counter>
void add_difference(std::vector<Counter>& to, std::vector<Counter> now,
                    std::vector<Counter> before) {
  to.resize(now.size());
  before.resize(now.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto sum = fields_of(to[i]), present = fields_of(now[i]), past = fields_of(before[i]);
    for (std::size_t field = 0; field < sum.size(); ++field)
      *sum[field] += *present[field] - *past[field];
  }
}

}  // namespace

void Epochs::look_at(const Channels& channels) {
  auto& [length, epoch, known] = open_;
  epoch.channels.resize(channels.size());
  known.resize(channels.size());
  for (std::size_t c = 0; c < channels.size(); ++c) {
    base::ChannelCounters now = channels[c]->so_far();
    base::ChannelCounters& sum = epoch.channels[c];
    sum.cycles += now.cycles - known[c].cycles;
    add_difference(sum.banks, now.banks, known[c].banks);
    add_difference(sum.ranks, now.ranks, known[c].ranks);
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
  sum.cycles = epoch.cycles;
  for (const base::ChannelCounters& channel : epoch.channels) {
    for (const auto& bank : channel.banks) add_difference(sum.banks, {bank}, {});
    for (const auto& rank : channel.ranks) add_difference(sum.ranks, {rank}, {});
  }
  return {epoch.begin, epoch.cycles, {std::move(sum)}};
}

void join_pairs(std::vector<ledger::Epoch>& epochs) {
  for (std::size_t i = 0; i + 1 < epochs.size(); i += 2) {
    ledger::Epoch first = std::move(epochs[i]);
    const ledger::Epoch& second = epochs[i + 1];
    first.cycles += second.cycles;
    for (std::size_t c = 0; c < first.channels.size(); ++c) {
      first.channels[c].cycles += second.channels[c].cycles;
      add_difference(first.channels[c].banks, second.channels[c].banks, {});
      add_difference(first.channels[c].ranks, second.channels[c].ranks, {});
    }
    epochs[i / 2] = std::move(first);
  }
  epochs.resize(epochs.size() / 2);
}

}  // namespace diffram::sim
