// The schedulers by name. A new one is a file and a line here.

#include <array>
#include <stdexcept>

#include "ctrl/channel.h"
#include "ctrl/frfcfs.h"

namespace diffram::ctrl {
namespace {

struct Scheduler {
  const char* name;
  std::unique_ptr<Channel> (*make)(const spec::MemorySpec&, base::ChannelId, const ChannelOptions&);
};

constexpr std::array kSchedulers = {
    Scheduler{"frfcfs", make_frfcfs},
};

}  // namespace

std::unique_ptr<Channel> make_channel(const spec::MemorySpec& spec, base::ChannelId channel,
                                      const ChannelOptions& options) {
  for (const Scheduler& scheduler : kSchedulers) {
    if (spec.controller.scheduler == scheduler.name) {
      return scheduler.make(spec, channel, options);
    }
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
