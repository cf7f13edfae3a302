#include "session/dramsim3_log.h"

#include <fmt/format.h>

#include <cstdlib>

namespace diffram::session {

void Dramsim3Log::cut_after(std::uint64_t cycle) {
  for (std::string& lines : lines_) {
    while (!lines.empty()) {
      const std::size_t before = lines.rfind('\n', lines.size() - 2);
      const std::size_t begin = before == std::string::npos ? 0 : before + 1;
      if (std::strtoull(lines.c_str() + begin, nullptr, 10) <= cycle) break;
      lines.resize(begin);
    }
  }
}

std::string Dramsim3Log::text() const {
  std::string text;
  for (std::size_t channel = 0; channel < lines_.size(); ++channel)
    text += fmt::format("# channel {}\n{}", channel, lines_[channel]);
  return text;
}

}  // namespace diffram::session
