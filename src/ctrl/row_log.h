#pragma once
// The row commands of a channel, all but those of columns, in a ring. The bill looks up in it which
// cycles were taken, and why a row command had to wait: that is asked of few, so it is worked out
// when a chain asks and not when the command issues (80 instructions a random burst less). Until
// then nothing of what the answer needs may change in the device: a refresh or a column command to
// the same bank settles what is open first.

#include <array>
#include <cstdint>

#include "dram/device.h"

namespace diffram::ctrl {

class RowLog {
 public:
  struct Entry {
    std::int64_t cycle = INT64_MIN / 4;  // before any command
    std::uint32_t tag = 0;
    std::uint16_t bank = 0;
    spec::Command command = spec::Command::REFab;

    template <class Archive>
    void serialize(Archive& archive) {
      archive(cycle, tag, bank, command);
    }
  };
  /// What was legal longer than this before it issued is asked about at once.
  static constexpr std::int64_t kMostWait = 512;
  static_assert(kMostWait <= dram::Device::kRecent);
  static constexpr std::uint32_t kTaken = 1024;  ///< docs/bill.md: how far a slot is looked up

  explicit RowLog(const dram::Device& device);

  /// False if the ring is too short for this table: then all questions are asked at once.
  bool can_answer_later() const { return can_answer_later_; }

  /// Where it lies.
  std::int64_t add(spec::Command command, std::uint32_t bank, std::int64_t cycle,
                   std::uint32_t tag) {
    const std::int64_t position = end_++;
    entries_[position & kMask] = {cycle, tag, static_cast<std::uint16_t>(bank), command};
    return position;
  }
  /// Where the next command will lie.
  std::int64_t end() const { return end_; }
  const Entry& at(std::int64_t position) const { return entries_[position & kMask]; }
  /// After each ACT: is it time to look for questions that are too old to be left open much longer?
  bool is_sweep_due() {
    if (--until_sweep_ != 0) return false;
    until_sweep_ = sweep_ / 2;
    return true;
  }
  /// The command at `question` is too old to be asked about much longer; never if it is settled.
  bool is_old(std::int64_t question) const {
    // As a number without sign kSettled is beyond all positions.
    return static_cast<std::uint64_t>(question) < static_cast<std::uint64_t>(end_ - sweep_ + 1);
  }

  /// Why the command at `position` was not legal before `legal`: the first of `reasons` that ends
  /// then.
  dram::Device::Reason reason_of(const dram::Device::Reasons& reasons, std::int64_t position,
                                 std::uint32_t bank, std::int64_t legal) const;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(entries_, end_, until_sweep_);
  }

 private:
  bool is_by(const Entry& entry, const spec::Constraint& constraint, std::uint32_t bank) const;
  const Entry* find(const spec::Constraint& constraint, std::int64_t position, std::uint32_t bank,
                    std::int64_t legal) const;
  bool is_within(spec::Scope scope, std::uint32_t from, std::uint32_t to) const;

  static constexpr std::int64_t kMask = kTaken - 1;

  const dram::Device& device_;
  std::int64_t sweep_;        ///< commands, about, between two sweeps
  std::int64_t until_sweep_;  ///< activations
  bool can_answer_later_;
  std::array<Entry, kTaken> entries_{};
  std::int64_t end_ = 0;
};

}  // namespace diffram::ctrl
