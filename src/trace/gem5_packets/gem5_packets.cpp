#include "trace/gem5_packets/gem5_packets.h"

#include <fmt/format.h>

#include <algorithm>
#include <protozero/exception.hpp>
#include <protozero/pbf_message.hpp>
#include <protozero/varint.hpp>
#include <utility>

#include "trace/gem5_packets/packet_fields.h"
#include "trace/input/trace_error.h"

namespace diffram::trace {

namespace {

using packets::Header;
using packets::kReadRequest;
using packets::kWriteRequest;
using packets::Packet;

/// A packet has some 40 bytes, a header the names of its requestors.
constexpr std::size_t kLargestMessage = std::size_t{1} << 20;
constexpr std::size_t kBufferBytes = std::size_t{1} << 17;
constexpr std::int64_t kLargestFrequency = 1'000'000'000'000'000;  // a femtosecond

}  // namespace

Gem5Packets::Gem5Packets(std::unique_ptr<ByteSource> bytes, std::string file,
                         const RequestTraceOptions& options)
    : bytes_(std::move(bytes)), file_(std::move(file)), options_(options), buffer_(kBufferBytes) {}

tl::unexpected<base::Errors> Gem5Packets::refuse(const char* code, std::string message,
                                                 std::string expected) const {
  return error_in(file_, 0, code, std::move(message), std::move(expected));
}

base::Result<std::unique_ptr<RequestSource>> Gem5Packets::open(std::unique_ptr<ByteSource> bytes,
                                                               const std::string& file,
                                                               const RequestTraceOptions& options) {
  std::unique_ptr<Gem5Packets> source(new Gem5Packets(std::move(bytes), file, options));
  if (auto read = source->read_header(); !read) return tl::unexpected(read.error());
  return source;
}

base::Result<bool> Gem5Packets::hold(std::size_t bytes) {
  if (end_ - begin_ >= bytes) return true;
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
            buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
  if (buffer_.size() < bytes) buffer_.resize(bytes);
  while (end_ < bytes) {
    auto count = bytes_->read(std::span(buffer_).subspan(end_));
    if (!count) return tl::unexpected(count.error());
    if (*count == 0) return false;
    end_ += *count;
  }
  return true;
}

base::Result<bool> Gem5Packets::next_message(std::string_view& message) {
  auto whole = hold(protozero::max_varint_length);  // the last message may be shorter
  if (!whole) return tl::unexpected(whole.error());
  if (begin_ == end_) return false;
  const char* at = buffer_.data() + begin_;
  std::uint64_t length = 0;
  try {
    length = protozero::decode_varint(&at, buffer_.data() + end_);
  } catch (const protozero::exception&) {
    return refuse("truncated", fmt::format("the file ends behind packet {}", packets_),
                  "a complete file; copy or make it again");
  }
  if (length > kLargestMessage) {
    return refuse(
        "corrupt",
        fmt::format("the message behind packet {} claims to have {} bytes", packets_, length),
        "packets of some 40 bytes");
  }
  begin_ = static_cast<std::size_t>(at - buffer_.data());
  whole = hold(length);
  if (!whole) return tl::unexpected(whole.error());
  if (!*whole) {
    return refuse("truncated",
                  fmt::format("the message behind packet {} has {} of {} bytes", packets_,
                              end_ - begin_, length),
                  "a complete file; copy or make it again");
  }
  message = {buffer_.data() + begin_, length};
  begin_ += length;
  return true;
}

base::Result<void> Gem5Packets::read_header() {
  auto whole = hold(kGem5Magic.size());
  if (!whole) return tl::unexpected(whole.error());
  begin_ += kGem5Magic.size();
  std::string_view message;
  auto found = next_message(message);
  if (!found) return tl::unexpected(found.error());
  if (!*found) return refuse("truncated", "the file has no header", "a complete file");
  std::uint64_t frequency = 0;
  try {
    protozero::pbf_message<Header> header(message.data(), message.size());
    while (header.next()) {
      if (header.tag_and_type() ==
          protozero::tag_and_type(Header::tick_frequency, protozero::pbf_wire_type::varint)) {
        frequency = header.get_uint64();
      } else {
        header.skip();
      }
    }
  } catch (const protozero::exception& problem) {
    return refuse("corrupt", fmt::format("the header is no PacketHeader: {}", problem.what()));
  }
  if (frequency == 0 || frequency > kLargestFrequency) {
    return refuse("bad_clock", fmt::format("the header gives {} ticks a second", frequency),
                  "tick_freq, such as 1000000000000");
  }
  clock_ = base::Clock::from_hertz(static_cast<std::int64_t>(frequency));
  return {};
}

base::Result<void> Gem5Packets::read_packet(std::string_view message, TraceRequest& out) {
  constexpr unsigned kTick = 1, kCommand = 2, kAddress = 4, kSize = 8;
  std::uint32_t command = 0;
  unsigned found = 0;
  bool has_flags = false, has_id = false, has_pc = false;
  out = {};
  try {
    protozero::pbf_message<Packet> packet(message.data(), message.size());
    while (packet.next()) {
      if (packet.wire_type() != protozero::pbf_wire_type::varint) {
        packet.skip();
        continue;
      }
      switch (packet.tag()) {
        case Packet::tick:
          out.cycle = packet.get_uint64();
          found |= kTick;
          break;
        case Packet::command:
          command = packet.get_uint32();
          found |= kCommand;
          break;
        case Packet::address:
          out.address = packet.get_uint64();
          found |= kAddress;
          break;
        case Packet::size:
          out.bytes = packet.get_uint32();
          found |= kSize;
          break;
        default:
          has_flags = has_flags || packet.tag() == Packet::flags;
          has_id = has_id || packet.tag() == Packet::id;
          has_pc = has_pc || packet.tag() == Packet::pc;
          packet.skip();
      }
    }
  } catch (const protozero::exception& problem) {
    return refuse("corrupt",
                  fmt::format("packet {} is no Packet: {}", packets_ + 1, problem.what()));
  }
  if (found != (kTick | kCommand | kAddress | kSize)) {
    return refuse("missing_field",
                  fmt::format("packet {} lacks its tick, command, address or size", packets_ + 1));
  }
  if (out.bytes == 0)
    return refuse("bad_size", fmt::format("packet {} has no bytes", packets_ + 1), "1 or more");
  if (command == kWriteRequest) {
    out.direction = base::Direction::write;
  } else if (command != kReadRequest) {
    if (!options_.lenient) {
      return refuse("unknown_operation",
                    fmt::format("packet {} has command {} of gem5's MemCmd", packets_ + 1, command),
                    "1 (ReadReq) or 4 (WriteReq); --lenient takes any other for a read");
    }
    ++counts_.unknown_words;
  }
  counts_.with_flags += has_flags ? 1 : 0;
  counts_.with_ids += has_id ? 1 : 0;
  counts_.with_pc += has_pc ? 1 : 0;
  return {};
}

base::Result<std::size_t> Gem5Packets::read(std::span<TraceRequest> out) {
  if (!errors_.empty()) return tl::unexpected(std::exchange(errors_, {}));
  std::size_t count = 0;
  while (count < out.size()) {
    std::string_view message;
    auto found = next_message(message);
    if (found && !*found) break;
    auto read = found ? read_packet(message, out[count])
                      : base::Result<void>(tl::unexpected(found.error()));
    if (!read) {
      if (count == 0) return tl::unexpected(read.error());
      errors_ = std::move(read.error());
      break;
    }
    TraceRequest& request = out[count++];
    ++packets_;
    ++(request.direction == base::Direction::write ? counts_.writes : counts_.reads);
    ++counts_.with_bytes;
    if (request.cycle < last_cycle_) ++counts_.cycles_going_back;
    last_cycle_ = request.cycle;
  }
  return count;
}

}  // namespace diffram::trace
