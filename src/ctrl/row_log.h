#pragma once
// The last ACT and PRE commands of a channel. Between two column commands nothing else of what the
// device knows changes (a refresh settles what is open first), so with them the reason of a row
// command can be worked out after others have followed: only the few that a chain of the bill asks
// for are. Asking each at once cost 80 instructions a random burst.

#include <cstdint>
#include <vector>

#include "dram/device.h"

namespace diffram::ctrl {

class RowLog {
 public:
  /// Row commands that may wait for their reason, and how long before they issued they may have
  /// been legal: with the longest wait of one for another that bounds the log.
  static constexpr std::uint32_t kMostUnsettled = 32;
  static constexpr std::int64_t kMostWait = 128;

  explicit RowLog(const dram::Device& device);

  void activate(std::uint32_t bank, std::int64_t cycle, std::uint32_t tag) {
    entries_[end_++ & mask_] = {cycle, tag, static_cast<std::uint16_t>(bank), spec::Command::ACT};
  }
  void precharge(std::uint32_t bank, std::int64_t cycle, std::uint32_t tag) {
    entries_[end_++ & mask_] = {cycle, tag, static_cast<std::uint16_t>(bank), spec::Command::PRE};
  }
  /// Where the next command will lie.
  std::uint32_t end() const { return end_; }

  /// Why the command at `position` was not legal before `legal`: the first of `reasons` that ends
  /// then. No column command and no refresh has followed it.
  dram::Device::Reason reason_of(const dram::Device::Reasons& reasons, std::uint32_t position,
                                 std::uint32_t bank, std::int64_t legal) const;

 private:
  struct Entry {
    std::int64_t cycle = INT64_MIN / 4;  // before any command
    std::uint32_t tag = 0;
    std::uint16_t bank = 0;
    spec::Command command = spec::Command::ACT;
  };
  const Entry* find(const spec::Constraint& constraint, std::uint32_t position, std::uint32_t bank,
                    std::int64_t legal) const;
  bool is_within(spec::Scope scope, std::uint32_t from, std::uint32_t to) const;

  const dram::Device& device_;
  std::vector<Entry> entries_;
  std::uint32_t mask_;
  std::uint32_t end_ = 0;
};

}  // namespace diffram::ctrl
