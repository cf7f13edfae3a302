#include "session/file_hash.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace diffram::session {

struct FileHash::State {
  XXH64_state_t value;
};

FileHash::FileHash(const std::string& path)
    : file_(path, std::ios::binary), state_(std::make_unique<State>()), block_(kBlockBytes) {
  XXH64_reset(&state_->value, 0);
}

FileHash::~FileHash() = default;

void FileHash::read_block() {
  if (!file_) return;  // at its end, or never open
  file_.read(block_.data(), static_cast<std::streamsize>(block_.size()));
  XXH64_update(&state_->value, block_.data(), static_cast<std::size_t>(file_.gcount()));
}

std::string FileHash::finish(const std::atomic<bool>* stop) {
  if (!file_.is_open()) return {};
  while (file_) {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) return {};
    read_block();
  }
  return file_.bad() ? std::string() : fmt::format("{:016x}", XXH64_digest(&state_->value));
}

std::string hash_of_file(const std::string& path, const std::atomic<bool>* stop) {
  return FileHash(path).finish(stop);
}

}  // namespace diffram::session
