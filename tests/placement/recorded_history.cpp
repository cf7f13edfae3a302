#include "placement/recorded_history.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "lower/placement/cuda_allocator.h"
#include "lower/placement/storage_book.h"
#include "trace/input/line_reader.h"

namespace diffram::lower {

namespace {

RecordedEvent::Action action_of(const std::string& word) {
  if (word == "alloc") return RecordedEvent::Action::alloc;
  if (word == "free_completed") return RecordedEvent::Action::release;
  if (word == "segment_alloc") return RecordedEvent::Action::segment_alloc;
  if (word == "segment_free") return RecordedEvent::Action::segment_free;
  throw std::runtime_error("unknown action " + word);
}

void take_line(const nlohmann::json& line, RecordedHistory& history) {
  if (line.contains("event")) {
    const auto& event = line["event"];
    // A request to free takes effect with free_completed.
    if (event[0] == "free_requested") return;
    history.events.push_back({action_of(event[0]), event[1], event[2]});
  }
  if (!line.contains("segment")) return;
  const auto& segment = line["segment"];
  for (const auto& block : segment["blocks"]) {
    history.final_blocks.push_back({block["address"], block["size"], block["requested_size"],
                                    segment["address"], block["state"] == "active_allocated"});
  }
}

/// Segment addresses in the order of the file.
class RecordedSegments : public SegmentSource {
 public:
  explicit RecordedSegments(ReplayScore& score) : score_(score) {}

  void expect(std::uint64_t address, std::uint64_t bytes) {
    expected_.emplace_back(address, bytes);
  }
  std::optional<std::uint64_t> reserve(std::uint64_t bytes) override {
    if (expected_.empty()) return std::nullopt;
    const auto [address, recorded] = expected_.front();
    expected_.pop_front();
    if (bytes == recorded) ++score_.segment_sizes_predicted;
    return address;
  }
  void give_back(std::uint64_t, std::uint64_t) override {}

 private:
  ReplayScore& score_;
  std::deque<std::pair<std::uint64_t, std::uint64_t>> expected_;
};

}  // namespace

RecordedHistory read_history(const std::string& file) {
  auto bytes = trace::open_file(file);
  if (!bytes) throw std::runtime_error(bytes.error().front().text());
  trace::LineReader lines(std::move(*bytes), file);
  RecordedHistory history;
  std::string_view line;
  while (true) {
    const auto more = lines.next(line);
    if (!more) throw std::runtime_error(more.error().front().text());
    if (!*more) break;
    take_line(nlohmann::json::parse(line), history);
  }
  std::sort(history.final_blocks.begin(), history.final_blocks.end(),
            [](const auto& a, const auto& b) { return a.address < b.address; });
  return history;
}

std::vector<Block> blocks_at_start(const RecordedHistory& history) {
  std::map<std::uint64_t, std::uint64_t> segments;  // address → bytes
  std::map<std::uint64_t, std::int64_t> live;       // address → requested bytes
  for (const auto& block : history.final_blocks) {
    segments[block.segment] += block.bytes;
    if (block.is_live) live[block.address] = block.requested;
  }
  for (auto event = history.events.rbegin(); event != history.events.rend(); ++event) {
    switch (event->action) {
      case RecordedEvent::Action::alloc:
        live.erase(event->address);
        break;
      case RecordedEvent::Action::release:
        live[event->address] = event->bytes;
        break;
      case RecordedEvent::Action::segment_alloc:
        segments.erase(event->address);
        break;
      case RecordedEvent::Action::segment_free:
        segments[event->address] = static_cast<std::uint64_t>(event->bytes);
        break;
    }
  }

  const CudaSizeRules rules;
  std::vector<Block> blocks;
  std::uint32_t storage = 0;
  for (const auto& [segment, segment_bytes] : segments) {
    const std::uint64_t end = segment + segment_bytes;
    const std::uint64_t largest_unsplit_rest =
        segment_bytes == kSmallSegment ? 0 : kLargestSmallRequest;
    std::uint64_t at = segment;
    while (at < end) {
      auto next = live.lower_bound(at);
      const std::uint64_t next_live = next == live.end() || next->first >= end ? end : next->first;
      if (next_live > at) {
        blocks.push_back({at, next_live - at, segment, Block::kCached});
        at = next_live;
        continue;
      }
      std::uint64_t bytes = rules.block_bytes(static_cast<std::uint64_t>(next->second));
      ++next;
      const std::uint64_t limit = next == live.end() || next->first >= end ? end : next->first;
      if (limit - at - bytes <= largest_unsplit_rest) bytes = limit - at;
      blocks.push_back({at, bytes, segment, storage++});
      at += bytes;
    }
  }
  return blocks;
}

ReplayScore replay(const RecordedHistory& history) {
  ReplayScore score;
  auto source = std::make_unique<RecordedSegments>(score);
  RecordedSegments& segments = *source;
  CudaAllocator allocator(kUnlimitedCapacity, CudaSizeRules(), std::move(source));
  const auto start = blocks_at_start(history);
  allocator.restore(start);
  std::map<std::uint64_t, std::uint32_t> storage_at;
  std::uint32_t next_storage = 0;
  std::set<std::uint64_t> old_segments;
  for (const auto& block : start) {
    old_segments.insert(block.segment);
    if (block.storage == Block::kCached) continue;
    storage_at[block.address] = block.storage;
    next_storage = std::max(next_storage, block.storage + 1);
  }
  score.segments_at_start = old_segments.size();

  for (const auto& event : history.events) {
    if (event.action == RecordedEvent::Action::segment_alloc) {
      ++score.segment_allocs;
      segments.expect(event.address, static_cast<std::uint64_t>(event.bytes));
    } else if (event.action == RecordedEvent::Action::alloc) {
      ++score.allocations;
      const auto address = allocator.allocate(next_storage, event.bytes);
      if (!address || *address != event.address) return score;  // all later ones follow from it
      ++score.addresses_predicted;
      storage_at[event.address] = next_storage++;
    } else if (event.action == RecordedEvent::Action::release) {
      if (!allocator.release(storage_at.at(event.address))) return score;
      storage_at.erase(event.address);
    }
  }

  const auto blocks = allocator.blocks();
  score.final_blocks_are_equal = std::equal(
      blocks.begin(), blocks.end(), history.final_blocks.begin(), history.final_blocks.end(),
      [](const Block& ours, const RecordedBlock& theirs) {
        return ours.address == theirs.address && ours.bytes == theirs.bytes &&
               ours.segment == theirs.segment && (ours.storage != Block::kCached) == theirs.is_live;
      });
  return score;
}

}  // namespace diffram::lower
