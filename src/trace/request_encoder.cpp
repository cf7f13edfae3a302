#include "trace/request_encoder.h"

#include <array>

#include "trace/diffram_requests/request_blocks.h"
#include "trace/dramsim3_text/dramsim3_writer.h"
#include "trace/dramsys_text/stl_writer.h"
#include "trace/gem5_packets/packet_writer.h"
#include "trace/gem5_text/gem5_writer.h"
#include "trace/ramulator_text/address_writer.h"

namespace diffram::trace {

namespace {

template <class Encoder>
std::unique_ptr<RequestEncoder> make() {
  return std::make_unique<Encoder>();
}

constexpr std::array<RequestFormat, 8> kFormats = {{
    {"diffram", ".dfq", WrittenTime::any, true, false, make<RequestBlocks>},
    {"dramsim3", ".trace", WrittenTime::cycles, false, false, make<Dramsim3Writer>},
    {"ramulator1", "", WrittenTime::none, false, false, make<Ramulator1Writer>},
    {"ramulator2", "", WrittenTime::none, false, false, make<Ramulator2Writer>},
    {"dramsys", ".stl", WrittenTime::cycles, true, false, make<StlWriter>},
    {"dramsys-relative", ".rstl", WrittenTime::increments, true, false, make<RelativeStlWriter>},
    {"gem5", ".ptrc", WrittenTime::picoseconds, true, true, make<PacketWriter>},
    {"gem5-text", ".trc", WrittenTime::picoseconds, true, true, make<Gem5Writer>},
}};

}  // namespace

std::span<const RequestFormat> request_formats() { return kFormats; }

}  // namespace diffram::trace
