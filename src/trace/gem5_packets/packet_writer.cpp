#include "trace/gem5_packets/packet_writer.h"

#include <iterator>
#include <protozero/pbf_builder.hpp>
#include <protozero/varint.hpp>

#include "trace/gem5_packets/packet_fields.h"

namespace diffram::trace {

namespace {

constexpr std::uint64_t kTicksASecond = 1'000'000'000'000;

void append_message(const std::string& message, std::string& out) {
  protozero::write_varint(std::back_inserter(out), message.size());
  out += message;
}

}  // namespace

void PacketWriter::begin(const RequestTraceFacts& /*facts*/, std::string& out) {
  out += kGem5Magic;
  message_.clear();
  protozero::pbf_builder<packets::Header> header(message_);
  header.add_string(packets::Header::object, "diffram");
  header.add_uint64(packets::Header::tick_frequency, kTicksASecond);
  append_message(message_, out);
}

void PacketWriter::encode(std::span<const TraceRequest> requests, std::string& out) {
  for (const TraceRequest& request : requests) {
    message_.clear();
    protozero::pbf_builder<packets::Packet> packet(message_);
    packet.add_uint64(packets::Packet::tick, request.cycle);
    packet.add_uint32(packets::Packet::command, request.direction == base::Direction::write
                                                    ? packets::kWriteRequest
                                                    : packets::kReadRequest);
    packet.add_uint64(packets::Packet::address, request.address);
    packet.add_uint32(packets::Packet::size, request.bytes);
    append_message(message_, out);
  }
}

}  // namespace diffram::trace
