// The exported names of libdramsim3.so.

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/whole_file.h"
#include "dramsim3.h"
#include "library/dramsim3_system.h"

namespace {

using diffram::base::Errors;

// A program written for DRAMsim3 has no place for an error: DRAMsim3 says it and ends the process.
[[noreturn]] void end_process(const Errors& errors) {
  for (const auto& error : errors) fmt::print(stderr, "dramsim3: {}\n", error.text());
  std::exit(255);
}

std::unique_ptr<diffram::library::Dramsim3System> open(const std::string& config_file) {
  const char* who = std::getenv("DIFFRAM_DRAMSIM3");
  auto system = diffram::library::open_dramsim3(config_file, who == nullptr ? "" : who);
  if (!system) end_process(system.error());
  return std::move(*system);
}

}  // namespace

namespace dramsim3 {

struct MemorySystem::Inside {
  std::unique_ptr<diffram::library::Dramsim3System> system;
  std::string output_dir;
};

MemorySystem::MemorySystem(const std::string& config_file, const std::string& output_dir,
                           std::function<void(std::uint64_t)> read_callback,
                           std::function<void(std::uint64_t)> write_callback)
    : inside_(new Inside{open(config_file), output_dir}) {
  RegisterCallbacks(std::move(read_callback), std::move(write_callback));
}

MemorySystem::~MemorySystem() { delete inside_; }

void MemorySystem::ClockTick() {
  const auto ticked = inside_->system->tick();
  if (!ticked) end_process(ticked.error());
}

void MemorySystem::RegisterCallbacks(std::function<void(std::uint64_t)> read_callback,
                                     std::function<void(std::uint64_t)> write_callback) {
  inside_->system->register_callbacks({std::move(read_callback), std::move(write_callback)});
}

double MemorySystem::GetTCK() const { return inside_->system->config().tCK_ns; }
int MemorySystem::GetBusBits() const {
  return static_cast<int>(inside_->system->config().bus_width);
}
int MemorySystem::GetBurstLength() const {
  return static_cast<int>(inside_->system->config().burst_length);
}
int MemorySystem::GetQueueSize() const {
  return static_cast<int>(inside_->system->config().transaction_queue_entries);
}

void MemorySystem::PrintStats() const {
  const std::string file =
      inside_->output_dir + "/" + inside_->system->config().output_prefix + ".json";
  const auto written = diffram::base::write_whole_file(file, inside_->system->statistics());
  if (!written) fmt::print(stderr, "dramsim3: {}\n", written.error().front().text());
}

void MemorySystem::ResetStats() { inside_->system->reset_statistics(); }

bool MemorySystem::WillAcceptTransaction(std::uint64_t hex_addr, bool is_write) const {
  return inside_->system->will_accept(hex_addr, is_write);
}

bool MemorySystem::AddTransaction(std::uint64_t hex_addr, bool is_write) {
  if (!WillAcceptTransaction(hex_addr, is_write)) return false;
  inside_->system->add(hex_addr, is_write);
  return true;
}

MemorySystem* GetMemorySystem(const std::string& config_file, const std::string& output_dir,
                              std::function<void(std::uint64_t)> read_callback,
                              std::function<void(std::uint64_t)> write_callback) {
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): who calls owns it, as with DRAMsim3.
  return new MemorySystem(config_file, output_dir, std::move(read_callback),
                          std::move(write_callback));
}

}  // namespace dramsim3

extern "C" void libdramsim3_is_present(void) {}
