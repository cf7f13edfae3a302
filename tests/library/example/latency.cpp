// How long a read waits behind a thousand others, with and without priority.
#include <diffram/memory.h>

#include <cstdio>

int main(int argc, char** argv) {
  std::string error;
  const auto memory = diffram::Memory::open(argc > 1 ? argv[1] : "ddr4-3200-8g-2ch", error);
  if (!memory) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  for (std::uint64_t i = 0; i < 1000; ++i) memory->submit({i, i * 7919 * 64, 64, false, 0});
  memory->submit({1000, 1 << 20, 64, false, 0});
  memory->submit({1001, 2 << 20, 64, false, 1});
  memory->drain();
  for (const diffram::MemoryReply& reply : memory->take_replies()) {
    if (reply.id < 1000) continue;
    std::printf("request %d: %.0f ns\n", static_cast<int>(reply.id),
                static_cast<double>(reply.cycle - reply.arrival) * memory->clock_ns());
  }
  return memory->outstanding() == 0 ? 0 : 1;
}
