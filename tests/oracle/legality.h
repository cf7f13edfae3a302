#pragma once
// Two independent answers to "is this command legal now": the engine's device, which keeps
// next-legal times, and the naive model's look back through history. Every timing oracle asks both.

#include <functional>
#include <memory>
#include <string>
#include <vector>

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

struct Judge {
  const char* name;
  std::function<std::unique_ptr<Legality>(const spec::MemorySpec&)> make;
};

inline std::vector<Judge> judges() {
  return {{"look back", [](const auto& s) { return std::make_unique<LookBack>(s); }},
          {"next legal", [](const auto& s) { return std::make_unique<NextLegal>(s); }}};
}

}  // namespace diffram::oracle
