#include "naive_dramsim3/world.h"

#include <random>
#include <sstream>
#include <stdexcept>

namespace diffram::naive_dramsim3 {

MemorySystem::MemorySystem(const std::string& ini_text, Callback read_done, Callback write_done)
    : configuration_(ini_text) {
  register_callbacks(std::move(read_done), std::move(write_done));
  for (int i = 0; i < configuration_.channels; ++i) channels_.emplace_back(configuration_);
}

void MemorySystem::register_callbacks(Callback read_done, Callback write_done) {
  read_done_ = std::move(read_done);
  write_done_ = std::move(write_done);
}

const Channel& MemorySystem::channel_of(std::uint64_t address) const {
  return channels_[configuration_.place(address).channel];
}

bool MemorySystem::will_accept(std::uint64_t address, bool is_write) const {
  return channel_of(address).accepts(is_write);
}

bool MemorySystem::add(std::uint64_t address, bool is_write) {
  if (!will_accept(address, is_write)) return false;
  channels_[configuration_.place(address).channel].add(address, is_write);
  return true;
}

void MemorySystem::tick() {
  for (auto& channel : channels_) {
    channel.deliver([this](const Transaction& done) {
      const auto& callback = done.is_write ? write_done_ : read_done_;
      if (callback) callback(done.address);
    });
  }
  for (auto& channel : channels_) channel.tick();
  ++clock_;
  if (clock_ % static_cast<Cycle>(configuration_.epoch_period) == 0)
    for (auto& channel : channels_) channel.end_epoch();
}

namespace {

/// The reader keeps what it has where a token cannot be read, and sees the end of the text only
/// when it runs into it: the stream's own rules, so a stream reads.
class TraceReader {
 public:
  explicit TraceReader(const std::string& text) : text_(text) {}

  void drive(MemorySystem& memory) {
    if (text_.eof()) return;
    if (taken_) {
      std::string word;
      text_ >> std::hex >> address_ >> word >> std::dec >> cycle_;
      is_write_ = word == "WRITE" || word == "write" || word == "P_MEM_WR" || word == "BOFF";
      taken_ = false;
    }
    const Cycle now = memory.clock() - 1;  // the clock has advanced before the client has its turn
    if (cycle_ <= now) taken_ = memory.add(address_, is_write_);
  }

 private:
  std::istringstream text_;
  std::uint64_t address_ = 0;
  Cycle cycle_ = 0;
  bool is_write_ = false, taken_ = true;
};

class RandomGenerator {
 public:
  void drive(MemorySystem& memory) {
    if (taken_) {
      address_ = next_();
      is_write_ = next_() % 3 == 0;
    }
    taken_ = memory.add(address_, is_write_);
  }

 private:
  std::mt19937_64 next_;
  std::uint64_t address_ = 0;
  bool is_write_ = false, taken_ = true;
};

class StreamGenerator {
 public:
  void drive(MemorySystem& memory) {
    if (first_ || offset_ >= kArrayBytes) {
      for (auto& array : arrays_) array = next_();
      offset_ = 0;
      first_ = false;
    }
    bool all = true;
    for (int i = 0; i < kArrays; ++i) {
      const bool is_write = i == kArrays - 1;
      if (!taken_[i]) taken_[i] = memory.add(arrays_[i] + offset_, is_write);
      all = all && taken_[i];
    }
    if (!all) return;
    for (auto& taken : taken_) taken = false;
    offset_ += kStride;
  }

 private:
  static constexpr std::uint64_t kArrayBytes = 2 << 20, kStride = 64;
  static constexpr int kArrays = 3;  // two are read, the last is written
  std::mt19937_64 next_;
  std::uint64_t arrays_[kArrays] = {}, offset_ = 0;
  bool taken_[kArrays] = {}, first_ = true;
};

template <class Client>
Result run(const std::string& ini_text, Client client, Cycle cycles) {
  Result out;
  try {
    MemorySystem memory(ini_text);
    try {
      while (memory.clock() < cycles) {
        memory.tick();
        client.drive(memory);
      }
    } catch (const Abort& abort) {
      out.aborted_at = memory.clock();
      out.reason = abort.reason;
    }
    for (std::size_t i = 0; i < memory.channels().size(); ++i) {
      const auto& channel = memory.channels()[i];
      out.channels.push_back({channel.log(), figures_of(memory.configuration(), channel.counters(),
                                                        static_cast<int>(i))});
    }
  } catch (const std::runtime_error& error) {
    out.refused = true;
    out.reason = error.what();
  }
  return out;
}

}  // namespace

Result run_trace(const std::string& ini_text, const std::string& trace_text, Cycle cycles) {
  return run(ini_text, TraceReader(trace_text), cycles);
}

Result run_generator(const std::string& ini_text, Generator generator, Cycle cycles) {
  return generator == Generator::random ? run(ini_text, RandomGenerator(), cycles)
                                        : run(ini_text, StreamGenerator(), cycles);
}

}  // namespace diffram::naive_dramsim3
