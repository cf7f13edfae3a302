#include "spec/small_file.h"

#include <fstream>

namespace diffram::spec {

tl::expected<std::string, NotRead> read_small_file(const std::string& file, std::size_t most) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(most + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.is_open() || stream.bad()) return tl::unexpected(NotRead::unreadable);
  const auto count = static_cast<std::size_t>(stream.gcount());
  if (count > most) return tl::unexpected(NotRead::too_large);
  text.resize(count);
  return text;
}

}  // namespace diffram::spec
