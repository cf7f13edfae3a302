// The schedulers by name. A new one is a file in policy/ and a line here.

#include <algorithm>
#include <array>
#include <stdexcept>

#include "ctrl/channel.h"
#include "ctrl/frfcfs.h"
#include "ctrl/policy/policy_channel.h"

namespace diffram::ctrl {
namespace {

struct Scheduler {
  const char* name;
  std::unique_ptr<Scheduling> (*make)(const spec::MemorySpec&);
};

constexpr std::array kSchedulers = {
    Scheduler{"frfcfs", make_row_hits_first},
    Scheduler{"frfcfs-strict", make_strict},
    Scheduler{"frfcfs-grouped", make_grouped},
    Scheduler{"fcfs", make_fcfs},
};

/// With two buses `Frfcfs` decides the column and the row command of a cycle at once: neither may
/// be what the other waits for in that cycle.
bool buses_are_apart(const std::vector<spec::Constraint>& table) {
  using spec::Command;
  using spec::Scope;
  const auto is_column = [](Command c) { return c >= Command::RD && c <= Command::WRA; };
  const auto is_row = [](Command c) { return c == Command::ACT || c == Command::PRE; };
  const auto is_refresh = [](Command c) { return c == Command::PREA || c == Command::REFab; };
  const auto holds_back = [&](Command before, Command after) {
    return std::ranges::any_of(table, [&](const spec::Constraint& c) {
      return c.before == before && c.after == after && c.scope == Scope::bank && c.window == 1;
    });
  };
  return holds_back(Command::RD, Command::PRE) && holds_back(Command::WR, Command::PRE) &&
         holds_back(Command::RDA, Command::ACT) && holds_back(Command::WRA, Command::ACT) &&
         std::ranges::none_of(table, [&](const spec::Constraint& c) {
           if (is_column(c.before) && is_row(c.after)) return c.scope != Scope::bank;
           return is_refresh(c.before) && is_column(c.after) &&
                  (c.scope == Scope::other_rank || c.scope == Scope::channel);
         });
}

/// The combination that `Frfcfs` is made for (docs/decisions/0005): of policies, and of a table
/// with no data clock to start and no command of ours that has to wait for a whole clock.
bool has_fast_twin(const spec::MemorySpec& spec) {
  const spec::Controller& policy = spec.controller;
  const spec::Protocol& protocol = spec.protocol;
  constexpr std::uint32_t kOurs = (2u << static_cast<int>(spec::Command::REFab)) - 1;
  const bool powers_down = policy.power_down_after > 0;
  constexpr std::uint32_t kPowerDown =
      1u << static_cast<int>(spec::Command::PDE) | 1u << static_cast<int>(spec::Command::PDX);
  return (!protocol.split_buses || (!powers_down && buses_are_apart(spec.constraints))) &&
         (protocol.rising_edge_only & (powers_down ? kOurs | kPowerDown : kOurs)) == 0 &&
         protocol.clock_after_read == 0 && protocol.clock_after_write == 0 &&
         !policy.refresh_by_parts && policy.scheduler == "frfcfs" &&
         policy.queue_shape == spec::QueueShape::shared &&
         (policy.page_policy == spec::PagePolicy::open ||
          policy.page_policy == spec::PagePolicy::closed) &&
         policy.refresh_postpone == 0 && policy.refresh_pull_in == 0 &&
         policy.self_refresh_after == 0;
}

}  // namespace

std::unique_ptr<Channel> make_channel(const spec::MemorySpec& spec, base::ChannelId channel,
                                      const ChannelOptions& options) {
  if (options.fast && !options.throttles && has_fast_twin(spec))
    return make_frfcfs(spec, channel, options);
  for (const Scheduler& scheduler : kSchedulers) {
    if (spec.controller.scheduler == scheduler.name)
      return std::make_unique<PolicyChannel>(spec, channel, options, scheduler.make(spec));
  }
  // `spec` refuses unknown names (scheduler_names) before a channel is made.
  throw std::invalid_argument("no scheduler named " + spec.controller.scheduler);
}

std::vector<std::string> scheduler_names() {
  std::vector<std::string> names;
  names.reserve(kSchedulers.size());
  for (const Scheduler& scheduler : kSchedulers) names.emplace_back(scheduler.name);
  return names;
}

}  // namespace diffram::ctrl
