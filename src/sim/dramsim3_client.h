#pragma once
// DRAMsim3's front end and its channels: one injection a cycle for the whole system, in file order,
// and what happens at the end of the file (dramsim3-behaviour.md 4). The channels are advanced
// lazily: what a request meets depends on its own channel's ticks alone.

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "ctrl/compat/controller.h"
#include "spec/dramsim3_config.h"

namespace diffram::sim {

struct ClientRequest {
  std::uint64_t address = 0;
  std::uint64_t cycle = 0;
  bool is_write = false;
};

/// Where the client gets its requests. What `fetch` cannot read stays as it was.
class ClientFeed {
 public:
  enum class Fetched : std::uint8_t {
    whole,   ///< a request of the trace
    partly,  ///< a request whose line lacks a field or has a number that is none
    nothing  ///< the request before, as a read
  };
  virtual ~ClientFeed() = default;
  virtual Fetched fetch(ClientRequest& request) = 0;
  /// The end of the file was touched: nothing is tried after this iteration.
  virtual bool at_end() const = 0;
  /// Reading failed, and `fetch` gave nothing; the run ends.
  virtual bool has_failed() const { return false; }
};

struct ClientOptions {
  std::uint64_t cycles = 0;  ///< simulated, whatever is left to do
  /// Empty = no log. Calls of one channel are in order; channels interleave.
  std::function<void(std::uint32_t channel, const ctrl::compat::IssuedCommand&)> on_command;
  std::function<void(std::uint64_t cycle)> progress;
  const std::atomic<bool>* stop = nullptr;
};

struct ClientResult {
  std::uint64_t requests_read = 0;  ///< fetched from the trace
  std::uint64_t requests_sent = 0;  ///< accepted by a channel, phantoms included
  std::uint64_t phantom_reads = 0;  ///< reads that no line asked for
  bool last_request_lost = false;   ///< it stood at the end of a file without newline
  std::uint64_t blocked_since = 0;  ///< the first cycle of the request that waited to the end
  bool is_blocked = false;          ///< a full queue held the trace up to the end
  bool stopped = false;             ///< asked to
  std::optional<ctrl::compat::Abort> abort;
  std::uint32_t aborted_channel = 0;
  std::vector<ctrl::compat::Counters> channels;
  std::vector<ctrl::compat::Leftovers> leftovers;
};

ClientResult run_dramsim3(const spec::Dramsim3Config& config, ClientFeed& feed,
                          const ClientOptions& options);

}  // namespace diffram::sim
