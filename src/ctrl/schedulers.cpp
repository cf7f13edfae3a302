// The schedulers by name. A new one is a file in policy/ and a line here.

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

/// The combination that `Frfcfs` is made for (docs/decisions/0005): of policies, and of a table
/// with one command bus, no data clock to start and no stack ids.
bool has_fast_twin(const spec::MemorySpec& spec) {
  const spec::Controller& policy = spec.controller;
  const spec::Protocol& protocol = spec.protocol;
  return !protocol.split_buses && protocol.clock_after_read == 0 &&
         protocol.clock_after_write == 0 && spec.organisation.stack_ids == 1 &&
         !policy.refresh_by_parts && policy.scheduler == "frfcfs" &&
         policy.queue_shape == spec::QueueShape::shared &&
         (policy.page_policy == spec::PagePolicy::open ||
          policy.page_policy == spec::PagePolicy::closed) &&
         policy.refresh_postpone == 0 && policy.refresh_pull_in == 0 &&
         policy.power_down_after == 0 && policy.self_refresh_after == 0;
}

}  // namespace

std::unique_ptr<Channel> make_channel(const spec::MemorySpec& spec, base::ChannelId channel,
                                      const ChannelOptions& options) {
  if (options.fast && has_fast_twin(spec)) return make_frfcfs(spec, channel, options);
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
