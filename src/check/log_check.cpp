#include "check/log_check.h"

#include <algorithm>
#include <memory>

namespace diffram::check {

namespace {

using trace::Level;

Level innermost_of(spec::Command name) {
  if (is_column(name)) return Level::column;
  if (name == spec::Command::ACT) return Level::row;
  return has_bank(name) ? Level::bank : Level::rank;
}

Command command_of(const trace::LoggedCommand& logged, int line) {
  const auto at = [&](Level level) { return logged.place[static_cast<std::size_t>(level)]; };
  return {logged.cycle,      static_cast<spec::Command>(logged.command),
          at(Level::rank),   at(Level::bank_group),
          at(Level::bank),   at(Level::row),
          at(Level::column), static_cast<std::uint64_t>(line)};
}

}  // namespace

trace::CommandLogOptions log_options(const spec::MemorySpec& memory) {
  trace::CommandLogOptions options;
  for (std::size_t i = 0; i < spec::kCommandCount; ++i) {
    const auto name = static_cast<spec::Command>(i);
    options.commands.push_back({spec::name_of(name), innermost_of(name)});
  }
  const auto& o = memory.organisation;
  options.counts = {o.channels,        o.ranks, o.bank_groups,
                    o.banks_per_group, o.rows,  o.bursts_per_row()};
  return options;
}

base::Result<Verdict> check_log(const std::string& file, const spec::MemorySpec& memory,
                                const LogCheckOptions& options) {
  auto source = trace::open_command_log(file, log_options(memory));
  if (!source) return tl::unexpected(source.error());

  Verdict verdict;
  verdict.file = file;
  verdict.format = (*source)->format();
  verdict.memory = memory.name;
  for (const auto& rule : rules_of(memory)) verdict.rules.push_back({rule, 0, 0});
  const auto count = [&](const Violation& violation) {
    RuleCount& rule = verdict.rules[violation.rule];
    ++rule.violations;
    rule.worst_shortfall = std::max(rule.worst_shortfall, violation.shortfall());
    if (verdict.violations++ < options.top) verdict.first.push_back(violation);
  };
  std::vector<std::unique_ptr<ChannelProtocol>> channels(memory.organisation.channels);

  constexpr std::uint64_t kProgressEvery = 1 << 16;  // commands
  trace::LoggedCommand logged;
  while (true) {
    auto more = (*source)->next(logged);
    if (!more) return tl::unexpected(more.error());
    if (!*more) break;
    const std::uint32_t channel = logged.place[static_cast<std::size_t>(Level::channel)];
    if (!channels[channel]) {
      channels[channel] = std::make_unique<ChannelProtocol>(memory, channel, count);
      ++verdict.channels_seen;
    }
    channels[channel]->command(command_of(logged, (*source)->line()));
    verdict.first_cycle =
        verdict.commands == 0 ? logged.cycle : std::min(verdict.first_cycle, logged.cycle);
    verdict.last_cycle = std::max(verdict.last_cycle, logged.cycle);
    if (++verdict.commands % kProgressEvery == 0 && options.progress) {
      options.progress((*source)->bytes());
    }
  }
  for (const auto& channel : channels) {
    if (!channel) continue;
    channel->finish();
    verdict.idle_precharges += channel->idle_precharges();
  }
  return verdict;
}

}  // namespace diffram::check
