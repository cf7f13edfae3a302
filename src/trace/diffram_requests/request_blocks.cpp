#include "trace/diffram_requests/request_blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "trace/diffram_requests/block_checksum.h"

namespace diffram::trace {

namespace {

template <class Header>
void append_header(const Header& header, std::string& out) {
  out.append(reinterpret_cast<const char*>(&header), sizeof header);
}

/// The code of the fewest bytes that hold the number.
template <std::size_t kCodes>
unsigned code_of(std::uint64_t number, const std::array<std::uint8_t, kCodes>& bytes) {
  unsigned code = 0;
  while (bytes[code] < 8 && number >> (8 * bytes[code]) != 0) ++code;
  return code;
}

void append_number(std::uint64_t number, unsigned bytes, std::string& out) {
  for (unsigned i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i));
}

std::int64_t difference(std::uint64_t to, std::uint64_t from) {
  return static_cast<std::int64_t>(to - from);
}

bool cycle_fits(const TraceRequest& next, const TraceRequest& above) {
  return blocks::zigzag(difference(next.cycle, above.cycle)) <=
         std::numeric_limits<std::uint32_t>::max();
}

/// Bits that are 0 in every step from address to address.
std::uint32_t common_shift(const std::vector<TraceRequest>& block) {
  std::uint64_t steps = 0;
  for (std::size_t i = 1; i < block.size(); ++i) steps |= block[i].address - block[i - 1].address;
  return steps == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(steps));
}

}  // namespace

void RequestBlocks::begin(const RequestTraceFacts& facts, std::string& out) {
  blocks::FileHeader header;
  std::copy(blocks::kMagic.begin(), blocks::kMagic.end(), header.magic.begin());
  header.arrivals = static_cast<std::uint32_t>(facts.arrivals);
  if (facts.clock) {
    header.clock_numerator_fs = static_cast<std::uint64_t>(facts.clock->numerator_fs());
    header.clock_denominator = static_cast<std::uint64_t>(facts.clock->denominator());
  }
  header.checksum = blocks::checksum_of(header);
  append_header(header, out);
}

void RequestBlocks::encode(std::span<const TraceRequest> requests, std::string& out) {
  for (const TraceRequest& request : requests) {
    const bool is_full = block_.size() == blocks::kRequestsABlock;
    if (is_full || (!block_.empty() && !cycle_fits(request, block_.back()))) flush(out);
    block_.push_back(request);
  }
}

void RequestBlocks::flush(std::string& out) {
  if (block_.empty()) return;
  const std::uint32_t shift = common_shift(block_);
  blocks::BlockHeader header;
  header.requests = static_cast<std::uint32_t>(block_.size());
  header.cycle = block_.front().cycle;
  header.address = block_.front().address;
  header.bytes = block_.front().bytes;
  header.address_shift = shift;
  payload_.clear();
  TraceRequest above = block_.front();
  for (const TraceRequest& request : block_) {
    const auto address = blocks::zigzag(difference(request.address, above.address) >> shift);
    const auto cycle = blocks::zigzag(difference(request.cycle, above.cycle));
    const unsigned address_code = code_of(address, blocks::kAddressBytes);
    const unsigned cycle_code = code_of(cycle, blocks::kCycleBytes);
    const bool is_other_size = request.bytes != above.bytes;
    const unsigned size_code =
        is_other_size ? std::max(1u, code_of(request.bytes, blocks::kSizeBytes)) : 0;
    const unsigned writes = request.direction == base::Direction::write ? 1 : 0;
    payload_ += static_cast<char>(writes | address_code << 1 | cycle_code << 4 | size_code << 6);
    append_number(address, blocks::kAddressBytes[address_code], payload_);
    append_number(cycle, blocks::kCycleBytes[cycle_code], payload_);
    append_number(request.bytes, blocks::kSizeBytes[size_code], payload_);
    above = request;
  }
  header.payload_bytes = static_cast<std::uint32_t>(payload_.size());
  header.checksum = blocks::checksum_of(header, payload_);
  append_header(header, out);
  out += payload_;
  block_.clear();
}

void RequestBlocks::end(std::string& out) {
  flush(out);
  blocks::BlockHeader last;
  last.checksum = blocks::checksum_of(last, {});
  append_header(last, out);
}

}  // namespace diffram::trace
