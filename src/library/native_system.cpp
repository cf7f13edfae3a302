// diffram's controllers behind DRAMsim3's calls: every request that is added is answered once, a
// write when its data are in the memory.

#include <nlohmann/json.hpp>
#include <vector>

#include "ctrl/channel.h"
#include "ctrl/memory_tables.h"
#include "library/dramsim3_system.h"
#include "library/native_memory.h"
#include "library/ticket_table.h"

namespace diffram::library {

namespace {

class NativeSystem final : public Dramsim3System {
 public:
  NativeSystem(const spec::Dramsim3Config& config, spec::MemorySpec memory)
      : Dramsim3System(config), memory_(std::move(memory)) {
    ctrl::ChannelOptions options;
    options.attribution = false;
    options.tables = std::make_shared<ctrl::MemoryTables>(memory_);
    channels_.resize(config_.channels);
    for (std::uint32_t i = 0; i < config_.channels; ++i)
      channels_[i].dram = ctrl::make_channel(memory_, base::ChannelId{i}, options);
  }

  base::Result<void> tick() override {
    for (Channel& channel : channels_) {
      done_.clear();
      for (const auto& completion : channel.dram->completions()) done_.push_back(completion.ticket);
      channel.dram->clear_completions();
      for (const std::uint64_t ticket : done_) answer(channel, ticket);
    }
    ++clock_;
    for (Channel& channel : channels_) channel.dram->advance(base::Cycles{clock_});
    return {};
  }

  bool will_accept(std::uint64_t address, bool is_write) const override {
    return channels_[channel_of(address)].waiting[is_write] < config_.transaction_queue_entries;
  }

  void add(std::uint64_t address, bool is_write) override {
    Channel& channel = channels_[channel_of(address)];
    const std::uint64_t ticket = requests_.add({address, clock_, is_write});
    ++channel.waiting[is_write];
    base::Request request;
    request.bytes = 1;  // its burst is touched whole
    request.address = address % memory_.organisation.capacity_bytes();
    request.direction = is_write ? base::Direction::write : base::Direction::read;
    channel.dram->submit(request, base::Cycles{clock_}, ticket);
  }

  // The keys of DRAMsim3's file that count the same thing here.
  std::string statistics() override {
    nlohmann::json json;
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      Channel& channel = channels_[i];
      add_up(channel, channel.dram->take_counters());
      nlohmann::json& one = json[std::to_string(i)];
      one["channel"] = i;
      one["num_cycles"] = channel.cycles;
      one["num_reads_done"] = channel.done[0];
      one["num_writes_done"] = channel.done[1];
      one["num_read_cmds"] = channel.banks.rd + channel.banks.rda;
      one["num_write_cmds"] = channel.banks.wr + channel.banks.wra;
      one["num_act_cmds"] = channel.banks.act;
      one["num_pre_cmds"] = channel.banks.pre;
      one["num_ref_cmds"] = channel.refreshes;
      one["average_read_latency"] =
          channel.done[0] == 0
              ? 0.0
              : static_cast<double>(channel.read_cycles) / static_cast<double>(channel.done[0]);
    }
    return json.dump() + "\n";
  }
  void reset_statistics() override {
    for (Channel& channel : channels_) {
      channel.dram->take_counters();
      channel.banks = {};
      channel.cycles = channel.refreshes = channel.read_cycles = 0;
      channel.done[0] = channel.done[1] = 0;
    }
  }

 private:
  struct Outstanding {
    std::uint64_t address = 0;
    std::int64_t arrival = 0;
    bool is_write = false;
  };
  struct Channel {
    std::unique_ptr<ctrl::Channel> dram;
    std::uint32_t waiting[2] = {0, 0};  ///< reads, writes without an answer
    std::int64_t done[2] = {0, 0};
    std::int64_t cycles = 0, refreshes = 0, read_cycles = 0;
    base::BankCounters banks;
  };

  void answer(Channel& channel, std::uint64_t ticket) {
    const Outstanding request = requests_[ticket];
    requests_.remove(ticket);
    --channel.waiting[request.is_write];
    ++channel.done[request.is_write];
    if (!request.is_write) channel.read_cycles += clock_ - request.arrival;
    callbacks_.call(request.address, request.is_write);
  }

  static void add_up(Channel& channel, const base::ChannelCounters& counters) {
    channel.cycles += counters.cycles;
    for (const auto& bank : counters.banks) {
      channel.banks.act += bank.act;
      channel.banks.pre += bank.pre;
      channel.banks.rd += bank.rd;
      channel.banks.rda += bank.rda;
      channel.banks.wr += bank.wr;
      channel.banks.wra += bank.wra;
    }
    for (const auto& rank : counters.ranks) channel.refreshes += rank.refreshes;
  }

  const spec::MemorySpec memory_;
  std::vector<Channel> channels_;
  TicketTable<Outstanding> requests_;
  std::vector<std::uint64_t> done_;
  std::int64_t clock_ = 0;
};

}  // namespace

base::Result<std::unique_ptr<Dramsim3System>> make_native_system(
    const spec::Dramsim3Config& config) {
  auto memory = memory_of(config);
  if (!memory) return base::failure(memory.error());
  return std::make_unique<NativeSystem>(config, std::move(*memory));
}

}  // namespace diffram::library
