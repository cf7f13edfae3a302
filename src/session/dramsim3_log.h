#pragma once
// DRAMsim3's commands as a log: channels one after another, each begun by "# channel N".

#include <functional>
#include <string>
#include <vector>

#include "ctrl/compat/command.h"

namespace diffram::session {

class Dramsim3Log {
 public:
  explicit Dramsim3Log(std::uint32_t channels) : lines_(channels) {}

  std::function<void(std::uint32_t, const ctrl::compat::IssuedCommand&)> sink() {
    return [this](std::uint32_t channel, const ctrl::compat::IssuedCommand& command) {
      append_line(command, lines_[channel]);
    };
  }

  /// Channels run ahead of each other; DRAMsim3 ends all of them in the same cycle.
  void cut_after(std::uint64_t cycle);
  const std::string& lines(std::uint32_t channel) const { return lines_[channel]; }
  std::string text() const;

 private:
  std::vector<std::string> lines_;
};

}  // namespace diffram::session
