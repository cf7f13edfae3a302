#include "trace/diffram_requests/request_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "trace/diffram_requests/block_checksum.h"
#include "trace/diffram_requests/block_format.h"
#include "trace/input/trace_error.h"

namespace diffram::trace {

namespace {

/// What a control byte says, looked up at once: a record is read without a branch.
struct Record {
  std::uint64_t address_mask = 0;
  std::uint32_t cycle_mask = 0, size_mask = 0;
  std::uint8_t cycle_at = 0, size_at = 0, total = 0;  ///< bytes from the control byte on
};

constexpr std::uint64_t mask_of(unsigned bytes) {
  return bytes == 8 ? std::numeric_limits<std::uint64_t>::max()
                    : (std::uint64_t{1} << (8 * bytes)) - 1;
}

constexpr std::array<Record, 256> kRecords = [] {
  std::array<Record, 256> records{};
  for (unsigned control = 0; control < 256; ++control) {
    const unsigned address = blocks::kAddressBytes[(control >> 1) & 7];
    const unsigned cycle = blocks::kCycleBytes[(control >> 4) & 3];
    const unsigned size = blocks::kSizeBytes[(control >> 6) & 3];
    Record& record = records[control];
    record.address_mask = mask_of(address);
    record.cycle_mask = static_cast<std::uint32_t>(mask_of(cycle));
    record.size_mask = static_cast<std::uint32_t>(mask_of(size));
    record.cycle_at = static_cast<std::uint8_t>(1 + address);
    record.size_at = static_cast<std::uint8_t>(1 + address + cycle);
    record.total = static_cast<std::uint8_t>(1 + address + cycle + size);
  }
  return records;
}();

template <class Number>
Number load(const char* at) {
  Number number{};
  std::memcpy(&number, at, sizeof number);
  return number;
}

template <class Header>
Header header_of(std::string_view bytes) {
  Header header{};
  bytes.copy(reinterpret_cast<char*>(&header), sizeof header);
  return header;
}

}  // namespace

tl::unexpected<base::Errors> DifframRequests::refuse(const char* code, std::string message,
                                                     std::string expected) const {
  return error_in(file_, 0, code, std::move(message), std::move(expected));
}

base::Result<std::unique_ptr<RequestSource>> DifframRequests::open(
    std::unique_ptr<ByteWindow> bytes, const std::string& file) {
  std::unique_ptr<DifframRequests> source(new DifframRequests(std::move(bytes), file));
  if (auto read = source->read_header(); !read) return tl::unexpected(read.error());
  return source;
}

base::Result<void> DifframRequests::read_header() {
  auto bytes = bytes_->look(sizeof(blocks::FileHeader));
  if (!bytes) return tl::unexpected(bytes.error());
  if (bytes->size() < sizeof(blocks::FileHeader))
    return refuse("truncated", "the file ends inside its header", "a complete file");
  const auto header = header_of<blocks::FileHeader>(*bytes);
  if (header.version != blocks::kVersion) {
    return refuse("unknown_version",
                  fmt::format("version {} is none that this program reads", header.version),
                  fmt::format("version {}", blocks::kVersion));
  }
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (header.arrivals > static_cast<std::uint32_t>(Arrivals::instructions) ||
      header.checksum != blocks::checksum_of(header) || header.clock_denominator == 0 ||
      header.clock_denominator > kLargest || header.clock_numerator_fs > kLargest) {
    return refuse("corrupt", "the header is damaged");
  }
  facts_.format = "diffram";
  facts_.arrivals = static_cast<Arrivals>(header.arrivals);
  if (header.clock_numerator_fs > 0) {
    facts_.clock = base::Clock(static_cast<std::int64_t>(header.clock_numerator_fs),
                               static_cast<std::int64_t>(header.clock_denominator));
  }
  bytes_->pass(sizeof header);
  return {};
}

base::Result<bool> DifframRequests::begin_block() {
  bytes_->pass(block_bytes_);
  block_bytes_ = 0;
  auto bytes = bytes_->look(sizeof(blocks::BlockHeader));
  if (!bytes) return tl::unexpected(bytes.error());
  const auto cut = [this] {
    return refuse("truncated", fmt::format("the file ends in or before block {}", blocks_ + 1),
                  "a complete file; copy or make it again");
  };
  if (bytes->size() < sizeof(blocks::BlockHeader)) return cut();
  const auto header = header_of<blocks::BlockHeader>(*bytes);
  if (header.requests == 0) {
    // The end: nothing may follow it.
    auto more = bytes_->look(sizeof header + 1);
    if (!more) return tl::unexpected(more.error());
    if (more->size() > sizeof header || header.payload_bytes > 0)
      return refuse("corrupt", "the file goes on behind its end");
    if (header.checksum != blocks::checksum_of(header, {}))
      return refuse("corrupt", "the end of the file is damaged", "a good copy");
    at_end_ = true;
    return false;
  }
  if (header.requests > blocks::kRequestsABlock || header.payload_bytes < header.requests ||
      header.payload_bytes > header.requests * blocks::kLargestRecord ||
      header.address_shift > blocks::kLargestShift) {
    return refuse("corrupt", fmt::format("the header of block {} makes no sense", blocks_ + 1));
  }
  // The next header too: records are loaded a few bytes beyond their end.
  const std::size_t whole = sizeof header + header.payload_bytes;
  bytes = bytes_->look(whole + sizeof header);
  if (!bytes) return tl::unexpected(bytes.error());
  if (bytes->size() < whole + sizeof header) return cut();
  at_ = bytes->data() + sizeof header;
  end_ = at_ + header.payload_bytes;
  if (blocks::checksum_of(header, {at_, header.payload_bytes}) != header.checksum)
    return refuse("corrupt", fmt::format("block {} is damaged", blocks_ + 1), "a good copy");
  block_bytes_ = whole;
  left_ = header.requests;
  shift_ = static_cast<std::uint32_t>(header.address_shift);
  cycle_ = header.cycle;
  address_ = header.address;
  request_bytes_ = header.bytes;
  ++blocks_;
  return true;
}

base::Result<std::size_t> DifframRequests::read_records(std::span<TraceRequest> out) {
  const std::size_t count = std::min<std::size_t>(left_, out.size());
  const char* at = at_;
  std::uint64_t writes = 0, sized = 0, back = 0;
  for (TraceRequest& request : out.first(count)) {
    if (at >= end_) return refuse("corrupt", fmt::format("block {} is too short", blocks_));
    const auto control = static_cast<unsigned char>(*at);
    const Record& record = kRecords[control];
    address_ += blocks::unzigzag(load<std::uint64_t>(at + 1) & record.address_mask) << shift_;
    cycle_ += blocks::unzigzag(load<std::uint32_t>(at + record.cycle_at) & record.cycle_mask);
    const std::uint32_t size = load<std::uint32_t>(at + record.size_at) & record.size_mask;
    request_bytes_ = record.size_mask == 0 ? request_bytes_ : size;
    at += record.total;
    request.cycle = cycle_;
    request.address = address_;
    request.bytes = request_bytes_;
    request.line = 0;
    request.direction = (control & 1) != 0 ? base::Direction::write : base::Direction::read;
    writes += control & 1;
    sized += request_bytes_ > 0 ? 1 : 0;
    back += cycle_ < last_cycle_ ? 1 : 0;
    last_cycle_ = cycle_;
  }
  at_ = at;
  left_ -= static_cast<std::uint32_t>(count);
  if (left_ == 0 && at_ != end_)
    return refuse("corrupt", fmt::format("block {} has bytes left over", blocks_));
  counts_.writes += writes;
  counts_.reads += count - writes;
  counts_.with_bytes += sized;
  counts_.cycles_going_back += back;
  return count;
}

base::Result<std::size_t> DifframRequests::read(std::span<TraceRequest> out) {
  if (!errors_.empty()) return tl::unexpected(std::exchange(errors_, {}));
  std::size_t count = 0;
  while (count < out.size() && !at_end_) {
    if (left_ == 0) {
      auto more = begin_block();
      if (more && !*more) break;
      if (!more) {
        at_end_ = true;
        if (count == 0) return tl::unexpected(more.error());
        errors_ = std::move(more.error());
        break;
      }
    }
    auto read = read_records(out.subspan(count));
    if (!read) {
      at_end_ = true;
      if (count == 0) return read;
      errors_ = std::move(read.error());
      break;
    }
    count += *read;
  }
  return count;
}

}  // namespace diffram::trace
