// A program that knows DRAMsim3's library alone: a read, and the cycle of its answer.
#include <dramsim3.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  int answers = 0;
  const auto count = [&answers](std::uint64_t) { ++answers; };
  dramsim3::MemorySystem* memory = dramsim3::GetMemorySystem(argv[1], argv[2], count, count);
  memory->AddTransaction(0, false);
  int cycle = 0;
  for (; answers == 0 && cycle < 1000; ++cycle) memory->ClockTick();
  std::printf("answered in cycle %d of %.2f ns\n", cycle - 1, memory->GetTCK());
  memory->PrintStats();
  delete memory;
  return answers == 1 ? 0 : 1;
}
