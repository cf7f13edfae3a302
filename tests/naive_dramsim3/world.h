#pragma once
// All channels together: the calls of DRAMsim3's library, and the loop of its command line with its
// trace reader and its two generators.

#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "naive_dramsim3/channel.h"
#include "naive_dramsim3/figures.h"

namespace diffram::naive_dramsim3 {

/// The library's `MemorySystem`.
class MemorySystem {
 public:
  using Callback = std::function<void(std::uint64_t address)>;
  /// @throws std::runtime_error where DRAMsim3 refuses the configuration.
  explicit MemorySystem(const std::string& ini_text, Callback read_done = {},
                        Callback write_done = {});

  void register_callbacks(Callback read_done, Callback write_done);
  bool will_accept(std::uint64_t address, bool is_write) const;
  /// False, and nothing done, when it is not acceptable.
  bool add(std::uint64_t address, bool is_write);
  /// One cycle of all channels. @throws Abort
  void tick();

  Cycle clock() const { return clock_; }
  const Configuration& configuration() const { return configuration_; }
  const std::deque<Channel>& channels() const { return channels_; }

 private:
  const Channel& channel_of(std::uint64_t address) const;

  Configuration configuration_;
  std::deque<Channel> channels_;
  Callback read_done_, write_done_;
  Cycle clock_ = 0;
};

struct ChannelResult {
  std::string log;
  Figures figures;
};
struct Result {
  std::vector<ChannelResult> channels;
  std::optional<Cycle> aborted_at;  ///< the cycle of the tick that ended the process
  std::string reason;               ///< of an abort, or why the configuration was refused
  bool refused = false;
};

/// `main CONFIG -c cycles -t TRACE`: exactly so many cycles, no drain.
Result run_trace(const std::string& ini_text, const std::string& trace_text, Cycle cycles);

enum class Generator { random, stream };
/// `main CONFIG -c cycles -s GENERATOR`.
Result run_generator(const std::string& ini_text, Generator generator, Cycle cycles);

}  // namespace diffram::naive_dramsim3
