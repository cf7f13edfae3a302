#include "session/checkpoints.h"

#include <fmt/format.h>

#include <filesystem>

#include "session/file_hash.h"
#include "session/inputs.h"
#include "sim/checkpoint.h"

namespace diffram::session {

std::string checkpoint_file(const std::string& file, bool bound) {
  return file + (bound ? ".checkpoint-bound" : ".checkpoint");
}

void remove_checkpoints(const std::string& file) {
  for (const bool bound : {false, true}) {
    std::error_code ignored;
    std::filesystem::remove(checkpoint_file(file, bound), ignored);
  }
}

std::string identity_of(const Plan& plan, const RunOptions& options, bool bound) {
  std::string text =
      fmt::format("{}\n{}\n{} {} {} {} {} {} {} {} {}\n", version(), hash_of_file(plan.trace_file),
                  options.images, options.steps, counted_steps(plan.trace, plan.repeated_phase),
                  options.checkpointing, options.exact, options.seed, options.allow_overcommit,
                  options.power_epoch, bound);
  for (const auto& [key, value] : options.allocator) text += fmt::format("{}={}\n", key, value);
  for (const auto& [key, value] : options.set) text += fmt::format("{}={}\n", key, value);
  for (const auto* provenance : {&plan.machine.provenance, &plan.memory.provenance}) {
    for (const auto& each : *provenance) text += fmt::format("{}={}\n", each.field, each.value);
  }
  return text;
}

PassCheckpoints::PassCheckpoints(const Plan& plan, const RunOptions& options, bool bound,
                                 std::atomic<bool>& abandoned)
    : options_(options), abandoned_(abandoned) {
  if (options.run_file.empty()) return;
  file_ = checkpoint_file(options.run_file, bound);
  identity_ = identity_of(plan, options, bound);
}

base::Result<void> PassCheckpoints::open() {
  if (!options_.resume || !std::filesystem::exists(file_)) return {};
  auto state = sim::read_checkpoint(file_, identity_);
  if (!state) return tl::unexpected(state.error());
  from_ = std::make_unique<sim::ProgramState>(std::move(*state));
  kept_ = true;
  return {};
}

void PassCheckpoints::attach(sim::ProgramOptions& options) {
  if (file_.empty()) return;
  options.from = from_.get();
  options.between_ops = [this](const std::function<sim::ProgramState()>& state) {
    return between_ops(state);
  };
}

bool PassCheckpoints::between_ops(const std::function<sim::ProgramState()>& state) {
  if (abandoned_.load(std::memory_order_relaxed)) return false;
  if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
    keep(state());
    return false;
  }
  if (Clock::now() - last_ < std::chrono::duration<double>(options_.checkpoint_every_s)) {
    return true;
  }
  return keep(state());
}

bool PassCheckpoints::keep(const sim::ProgramState& state) {
  auto written = sim::write_checkpoint(state, identity_, file_);
  last_ = Clock::now();
  kept_ = true;
  if (written) return true;
  errors_ = written.error();
  abandoned_.store(true);
  return false;
}

void PassCheckpoints::finish(const sim::ProgramResult& result) {
  if (kept_ && !result.stopped) keep({result.records, {}, {}, result.epochs, {}});
}

}  // namespace diffram::session
