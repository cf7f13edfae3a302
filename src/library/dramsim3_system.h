#pragma once
// What stands behind the names of DRAMsim3's library (dramsim3-behaviour.md 4.5).

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "spec/dramsim3_config.h"

namespace diffram::library {

class Dramsim3System {
 public:
  using Callback = std::function<void(std::uint64_t address)>;
  struct Callbacks {
    Callback read_done, write_done;

    void call(std::uint64_t address, bool is_write) const {
      const Callback& one = is_write ? write_done : read_done;
      if (one) one(address);
    }
  };

  explicit Dramsim3System(const spec::Dramsim3Config& config) : config_(config) {}
  virtual ~Dramsim3System() = default;
  Dramsim3System(const Dramsim3System&) = delete;
  Dramsim3System& operator=(const Dramsim3System&) = delete;

  /// One cycle. An error is an end of the process in DRAMsim3; nothing may follow it.
  virtual base::Result<void> tick() = 0;
  virtual bool will_accept(std::uint64_t address, bool is_write) const = 0;
  /// `will_accept` was asked.
  virtual void add(std::uint64_t address, bool is_write) = 0;
  /// DRAMsim3's statistics file, as JSON.
  virtual std::string statistics() = 0;
  virtual void reset_statistics() = 0;

  void register_callbacks(Callbacks callbacks) { callbacks_ = std::move(callbacks); }
  const spec::Dramsim3Config& config() const { return config_; }

 protected:
  std::uint32_t channel_of(std::uint64_t address) const {
    return static_cast<std::uint32_t>(config_.map.channel.of(address >> config_.map.shift));
  }

  const spec::Dramsim3Config config_;
  Callbacks callbacks_;
};

/// Equal to DRAMsim3.
std::unique_ptr<Dramsim3System> make_compat_system(const spec::Dramsim3Config& config);
/// diffram's controller on the same memory. Errors: what `memory_of` refuses.
base::Result<std::unique_ptr<Dramsim3System>> make_native_system(
    const spec::Dramsim3Config& config);

/// A system from a configuration file; `who` is compat, native, or empty for compat.
base::Result<std::unique_ptr<Dramsim3System>> open_dramsim3(const std::string& config_file,
                                                            const std::string& who);

}  // namespace diffram::library
