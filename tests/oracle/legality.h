#pragma once
// Three independent answers to "is this command legal now": the engine's device, which keeps
// next-legal times, the naive model's look back through history, and the checker of command logs.
// Every timing oracle asks all.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "check/protocol.h"
#include "dram/device.h"
#include "naive/naive_channel.h"
#include "spec/memory.h"

namespace diffram::oracle {

class Legality {
 public:
  virtual ~Legality() = default;
  virtual void issue(spec::Command command, const naive::Place& place, std::int64_t cycle) = 0;
  virtual bool legal(spec::Command command, const naive::Place& place, std::int64_t cycle) = 0;

  /// The first legal cycle from `from` on, at most 4096 later.
  std::int64_t earliest(spec::Command command, const naive::Place& place, std::int64_t from) {
    auto cycle = from;
    while (cycle < from + 4096 && !legal(command, place, cycle)) ++cycle;
    return cycle;
  }
};

class LookBack final : public Legality {
 public:
  explicit LookBack(const spec::MemorySpec& spec) : history_(spec) {}
  void issue(spec::Command command, const naive::Place& place, std::int64_t cycle) override {
    history_.record(command, place, cycle);
  }
  bool legal(spec::Command command, const naive::Place& place, std::int64_t cycle) override {
    return history_.legal(command, place, cycle);
  }

 private:
  naive::History history_;
};

class NextLegal final : public Legality {
 public:
  explicit NextLegal(const spec::MemorySpec& spec) : device_(spec) {}
  void issue(spec::Command command, const naive::Place& place, std::int64_t cycle) override {
    device_.issue(command, {place.rank, place.bank_group, place.bank}, base::Cycles(cycle));
  }
  bool legal(spec::Command command, const naive::Place& place, std::int64_t cycle) override {
    return cycle >= device_.earliest(command, {place.rank, place.bank_group, place.bank}).value;
  }

 private:
  dram::Device device_;
};

/// The rows of the table only: what is open is the oracles' own matter.
class LogChecker final : public Legality {
 public:
  explicit LogChecker(const spec::MemorySpec& spec)
      : table_rules_(spec.rules.size()),
        seen_(spec, 0, [this](const check::Violation& v) { broken_ += v.rule < table_rules_; }) {}
  LogChecker(const LogChecker&) = delete;
  LogChecker& operator=(const LogChecker&) = delete;

  void issue(spec::Command command, const naive::Place& place, std::int64_t cycle) override {
    seen_.command({cycle, command, place.rank, place.bank_group, place.bank});
  }
  bool legal(spec::Command command, const naive::Place& place, std::int64_t cycle) override {
    broken_ = 0;
    check::ChannelProtocol with_it = seen_;
    with_it.command({cycle, command, place.rank, place.bank_group, place.bank});
    return broken_ == 0;
  }

 private:
  std::size_t table_rules_, broken_ = 0;
  check::ChannelProtocol seen_;
};

struct Judge {
  const char* name;
  std::function<std::unique_ptr<Legality>(const spec::MemorySpec&)> make;
};

inline std::vector<Judge> judges() {
  return {{"look back", [](const auto& s) { return std::make_unique<LookBack>(s); }},
          {"next legal", [](const auto& s) { return std::make_unique<NextLegal>(s); }},
          {"log checker", [](const auto& s) { return std::make_unique<LogChecker>(s); }}};
}

}  // namespace diffram::oracle
