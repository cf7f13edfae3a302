#include "lower/placement/storage_book.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace diffram::lower {

namespace {

tl::unexpected<base::Errors> refusal(std::string code, std::string message,
                                     std::string expected = {}) {
  return base::failure(base::Error{.code = std::move(code),
                                   .message = std::move(message),
                                   .file = {},
                                   .line = 0,
                                   .field = {},
                                   .expected = std::move(expected)});
}

}  // namespace

std::string OutOfMemory::text() const {
  std::string text = fmt::format(
      "storage {} asks for {} bytes ({} from the device), but of {} bytes {} are reserved "
      "({} allocated, {} cached) and {} are free on the device",
      storage, requested, segment_bytes, at.capacity, at.reserved, at.allocated, at.cached(),
      at.device_free());
  if (is_fragmentation()) {
    text += fmt::format("; the {} bytes free in total would hold it: fragmentation",
                        at.cached() + at.device_free());
  }
  return text;
}

BookedAllocator::BookedAllocator(std::uint64_t capacity_bytes) {
  occupancy_.capacity = static_cast<std::int64_t>(capacity_bytes);
}

base::Result<std::uint64_t> BookedAllocator::allocate(std::uint32_t storage, std::int64_t bytes) {
  if (live_.contains(storage)) {
    return refusal("storage_live", fmt::format("storage {} is already allocated", storage),
                   "its release first");
  }
  if (bytes < 0) {
    return refusal("negative_size", fmt::format("storage {} has {} bytes", storage, bytes),
                   "0 or more");
  }
  std::uint64_t address = 0;
  if (bytes > 0) {
    needed_from_device_ = static_cast<std::uint64_t>(bytes);
    const auto taken = bytes <= kLargestRequest ? take(static_cast<std::uint64_t>(bytes))
                                                : std::optional<std::uint64_t>();
    if (!taken) {
      failure_ = OutOfMemory{.storage = storage,
                             .requested = bytes,
                             .segment_bytes = static_cast<std::int64_t>(needed_from_device_),
                             .at = occupancy_};
      return refusal("out_of_memory", failure_->text());
    }
    address = *taken;
  }
  enter(storage, address, bytes);
  return address;
}

void BookedAllocator::enter(std::uint32_t storage, std::uint64_t address, std::int64_t bytes) {
  live_.emplace(storage, Holding{address, bytes});
  occupancy_.live += bytes;
}

base::Result<void> BookedAllocator::release(std::uint32_t storage) {
  const auto found = live_.find(storage);
  if (found == live_.end()) {
    return refusal("storage_not_live", fmt::format("storage {} is not allocated", storage),
                   "a storage that is");
  }
  if (found->second.bytes > 0) put_back(found->second.address);
  occupancy_.live -= found->second.bytes;
  live_.erase(found);
  return {};
}

base::Result<void> BookedAllocator::carry(std::span<const trace::Carry> carries) {
  std::vector<std::pair<std::uint32_t, Holding>> moved;
  for (const auto& pair : carries) {
    const auto found = live_.find(pair.after);
    if (found == live_.end()) {
      return refusal("storage_not_live",
                     fmt::format("storage {} is carried over but not allocated", pair.after));
    }
    moved.emplace_back(pair.before, found->second);
  }
  for (const auto& pair : carries) live_.erase(pair.after);
  for (const auto& [storage, holding] : moved) {
    if (!live_.emplace(storage, holding).second) {
      return refusal("storage_live",
                     fmt::format("storage {} is carried into but still allocated", storage));
    }
  }
  return {};
}

std::optional<std::uint64_t> BookedAllocator::address_of(std::uint32_t storage) const {
  const auto found = live_.find(storage);
  if (found == live_.end()) return std::nullopt;
  return found->second.address;
}

std::vector<Block> BookedAllocator::blocks() const {
  std::map<std::uint64_t, std::uint32_t> storage_at;
  for (const auto& [storage, holding] : live_) {
    if (holding.bytes > 0) storage_at.emplace(holding.address, storage);
  }
  std::vector<Block> blocks = pieces();
  for (auto& block : blocks) {
    const auto found = storage_at.find(block.address);
    if (found != storage_at.end()) block.storage = found->second;
  }
  return blocks;
}

}  // namespace diffram::lower
