#pragma once
// What a program written for DRAMsim3's library calls, answered by diffram: link libdramsim3.so of
// this project in place of DRAMsim3's. DIFFRAM_DRAMSIM3 in the environment says who answers:
// `compat` (and nothing at all) is DRAMsim3 itself, cycle for cycle; `native` is diffram's own
// controller on the same memory. docs/library.md says what each does.

#include <cstdint>
#include <functional>
#include <string>

namespace dramsim3 {

/// All channels of a memory. One thread at a time.
class [[gnu::visibility("default")]] MemorySystem {
 public:
  /// Ends the process with exit code 255 and a line on stderr where DRAMsim3 would: the file is not
  /// there or names a choice that does not exist. Callbacks get the address as it was added; they
  /// may add and may be empty.
  MemorySystem(const std::string& config_file, const std::string& output_dir,
               std::function<void(std::uint64_t)> read_callback,
               std::function<void(std::uint64_t)> write_callback);
  ~MemorySystem();
  MemorySystem(const MemorySystem&) = delete;
  MemorySystem& operator=(const MemorySystem&) = delete;

  /// One cycle of the memory clock: first the callbacks of what is done by now, channel by channel.
  void ClockTick();
  /// In place of both earlier ones.
  void RegisterCallbacks(std::function<void(std::uint64_t)> read_callback,
                         std::function<void(std::uint64_t)> write_callback);

  double GetTCK() const;       ///< ns
  int GetBusBits() const;      ///< of a channel
  int GetBurstLength() const;  ///< beats
  int GetQueueSize() const;    ///< trans_queue_size
  void PrintStats() const;     ///< writes OUTPUT_DIR/PREFIX.json
  void ResetStats();           ///< counts from here on

  bool WillAcceptTransaction(std::uint64_t hex_addr, bool is_write) const;
  /// False, and nothing done, when it is not acceptable.
  bool AddTransaction(std::uint64_t hex_addr, bool is_write);

 private:
  struct [[gnu::visibility("hidden")]] Inside;
  Inside* inside_;  ///< all that there is: the size of an object never changes
};

/// The caller deletes it.
[[gnu::visibility("default")]] MemorySystem* GetMemorySystem(
    const std::string& config_file, const std::string& output_dir,
    std::function<void(std::uint64_t)> read_callback,
    std::function<void(std::uint64_t)> write_callback);

}  // namespace dramsim3

/// For configure scripts that look for the library.
extern "C" [[gnu::visibility("default")]] void libdramsim3_is_present(void);
