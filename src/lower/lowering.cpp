// Lowering of a program: events in order, allocations as they happen, each op as its kernel walks
// it. One tile exists at a time, so memory use does not grow with the run.

#include "lower/lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lower/op_survey.h"
#include "lower/placement/placement.h"
#include "lower/traffic/read_history.h"
#include "lower/traffic/request_maker.h"

namespace diffram::lower {
namespace {

/// Tiles of a machine without on-chip memory: they exist only as the order of its requests.
constexpr std::int64_t kOrderingBytes = 1 << 20;

TileBudget budget_of(const spec::MachineSpec& machine) {
  TileBudget budget;
  budget.scratchpad =
      machine.on_chip_bytes > 0 ? static_cast<std::int64_t>(machine.on_chip_bytes) : kOrderingBytes;
  budget.array_rows = machine.array_rows;
  budget.array_columns = machine.array_columns;
  return budget;
}

/// DDR4 and DDR5 devices of 4 data bits have no data mask (JESD79-4, JESD79-5): whoever writes part
/// of a burst must read it first. All others mask.
bool masks_partial_writes(const spec::MemorySpec& memory) {
  const bool can_lack_mask =
      memory.standard.starts_with("DDR4") || memory.standard.starts_with("DDR5");
  return !can_lack_mask || memory.organisation.device_width != 4;
}

struct Parts {
  CapacityPlan plan;
  std::unique_ptr<Allocator> allocator;
  std::unique_ptr<PageMap> pages;
};

class Program final : public Lowering, private TileSource {
 public:
  Program(const trace::TensorTrace& trace, const spec::MachineSpec& machine,
          const spec::MemorySpec& memory, const LoweringOptions& options, Parts parts)
      : trace_(trace),
        budget_(budget_of(machine)),
        seed_(options.seed),
        survey_(
            survey_ops(trace, machine, budget_, memory.organisation.burst_bytes(), options.seed)),
        capacity_(std::move(parts.plan.report)),
        allocator_(std::move(parts.allocator)),
        pages_(std::move(parts.pages)),
        history_(trace.storages.size(), memory.organisation.burst_bytes()),
        flow_(survey_.table.origins.size()),
        maker_({.line_bytes = memory.organisation.burst_bytes(),
                .keeps_on_chip = machine.on_chip != spec::OnChip::none,
                .masks_partial_writes = masks_partial_writes(memory),
                .capacity = memory.organisation.capacity_bytes()},
               *pages_, history_, flow_),
        occurrences_(trace.steps.size(), 0) {
    survey_.assumptions.push_back({"lowering.partial_writes",
                                   masks_partial_writes(memory) ? "masked" : "read first",
                                   "JESD79-4: data mask is not available on x4 devices"});
    // A program that does not fit is only described: nobody may ask for its steps.
    if (!capacity_.fits && !options.allow_overcommit) return;
    for (std::uint32_t storage = 0; storage < trace_.storages.size(); ++storage)
      if (trace_.storages[storage].alive_at_start) allocate(storage);
  }

  const CapacityReport& capacity() const override { return capacity_; }
  const OriginTable& origins() const override { return survey_.table; }
  const std::vector<Flow>& flow() const override { return flow_; }
  const std::vector<base::Diagnostic>& diagnostics() const override { return survey_.diagnostics; }
  const std::vector<base::Assumption>& assumptions() const override { return survey_.assumptions; }

  TileSource& begin_step(std::uint32_t step) override {
    enter(step);
    std::fill(flow_.begin(), flow_.end(), Flow{});
    return *this;
  }

  void skip_step(std::uint32_t step) override {
    enter(step);
    finish_events();
  }

 private:
  void enter(std::uint32_t step) {
    finish_events();
    step_ = step;
    event_ = 0;
    if (occurrences_[step]++ > 0) {
      note_failure(allocator_->carry(trace_.steps[step].carries));
      history_.carry(trace_.steps[step].carries);
    }
  }

  /// What the consumer did not ask for still allocates and frees.
  void finish_events() {
    walk_.reset();
    if (step_ == kNoStep) return;
    const auto& events = trace_.steps[step_].events;
    while (event_ < events.size()) play(events[event_++]);
  }

  void play(const trace::Event& event) {
    if (event.kind == trace::EventKind::allocate) allocate(event.index);
    if (event.kind == trace::EventKind::release) {
      note_failure(allocator_->release(event.index));
      history_.forget(event.index);
    }
  }

  void allocate(std::uint32_t storage) {
    history_.forget(storage);
    const auto result = allocator_->allocate(storage, trace_.storages[storage].bytes);
    if (!result) note_failure(tl::unexpected<base::Errors>(result.error()));
  }

  /// The capacity was planned, so this is a contradiction in the trace: said once, not hidden.
  void note_failure(const base::Result<void>& result) {
    if (result || failed_) return;
    failed_ = true;
    survey_.diagnostics.push_back({"placement_failed", base::Severity::error,
                                   "A storage could not be placed; its addresses are wrong.",
                                   result.error().front().text()});
  }

  // ---- TileSource

  bool next(TileStep& tile) override {
    tile.loads.clear();
    tile.stores.clear();
    tile.compute_cycles = 0;
    const bool first_of_op = walk_ == nullptr;
    if (first_of_op && !start_next_op()) return false;
    tile.op = lowered_op_;
    tile.first_of_op = first_of_op;
    if (first_of_op) has_work_ = fetch_work();
    if (has_work_) {
      maker_.make(work_, operands_, tile);
      tile.compute_cycles = cycles_of(work_, survey_.rates[lowered_op_]);
      has_work_ = fetch_work();
    }
    if (!has_work_) walk_.reset();
    return true;
  }

  bool fetch_work() {
    work_.clear();
    return walk_->next(work_);
  }

  bool start_next_op() {
    if (step_ == kNoStep) return false;
    const trace::Step& step = trace_.steps[step_];
    while (event_ < step.events.size()) {
      const trace::Event& event = step.events[event_++];
      if (event.kind == trace::EventKind::op) {
        start(step.ops[event.index], event.index);
        return true;
      }
      play(event);
    }
    return false;
  }

  void start(const trace::Op& op, std::uint32_t index) {
    lowered_op_ = survey_.first_op[step_] + index;
    walk_ = make_walk({op, trace_.functions[op.function], survey_.function_names[op.function],
                       budget_, seed_of_op(seed_, lowered_op_)});
    operands_.clear();
    const auto place = [&](const trace::TensorUse& use, bool is_write) {
      const std::optional<std::uint64_t> address = allocator_->address_of(use.storage);
      if (!address)
        note_failure(base::failure(base::Error{
            "storage_not_live", fmt::format("storage {} is used but not live", use.storage), "", 0,
            "", ""}));
      const auto origin =
          survey_.first_origin[lowered_op_] + static_cast<std::uint32_t>(operands_.size());
      operands_.push_back({use.storage, trace_.storages[use.storage].bytes, address.value_or(0),
                           base::OriginId(origin), is_write});
    };
    for (const trace::TensorUse& use : op.reads) place(use, false);
    for (const trace::TensorUse& use : op.writes) place(use, true);
  }

  static constexpr std::uint32_t kNoStep = 0xFFFFFFFFu;

  const trace::TensorTrace& trace_;
  TileBudget budget_;
  std::uint64_t seed_;
  OpSurvey survey_;
  CapacityReport capacity_;
  std::unique_ptr<Allocator> allocator_;
  std::unique_ptr<PageMap> pages_;
  ReadHistory history_;
  std::vector<Flow> flow_;
  RequestMaker maker_;
  std::vector<std::int64_t> occurrences_;
  bool failed_ = false;

  std::uint32_t step_ = kNoStep;
  std::size_t event_ = 0;
  std::uint32_t lowered_op_ = 0;
  std::unique_ptr<Walk> walk_;
  std::vector<OperandPlace> operands_;
  TileWork work_;
  bool has_work_ = false;
};

base::Result<Parts> place(const trace::TensorTrace& trace, const spec::MachineSpec& machine,
                          std::uint64_t capacity, const LoweringOptions& options) {
  auto plan = plan_capacity(trace, options.allocator, capacity, options.allocator_options);
  if (!plan) return base::failure(plan.error());
  // Overcommitted addresses are given as if memory had no end; they wrap on the way to DRAM.
  const bool wraps = !plan->report.fits && options.allow_overcommit;
  auto allocator = make_allocator(options.allocator, wraps ? kUnlimitedCapacity : capacity,
                                  options.allocator_options);
  if (!allocator) return base::failure(allocator.error());
  auto pages = make_page_map(options.page_map.empty() ? machine.page_map : options.page_map,
                             capacity, options.seed);
  if (!pages) return base::failure(pages.error());
  return Parts{std::move(*plan), std::move(*allocator), std::move(*pages)};
}

}  // namespace

base::Result<std::unique_ptr<Lowering>> lower(const trace::TensorTrace& trace,
                                              const spec::MachineSpec& machine,
                                              const spec::MemorySpec& memory,
                                              const LoweringOptions& options) {
  if (machine.on_chip == spec::OnChip::cache)
    return base::failure(base::Error{"not_available", "machines with a cache are not lowered yet",
                                     "", 0, "machine.on_chip", "scratchpad or none"});
  if (auto known = PacingRates::check_families(machine); !known)
    return tl::unexpected(known.error());
  auto parts = place(trace, machine, memory.organisation.capacity_bytes(), options);
  if (!parts) return base::failure(parts.error());
  return std::make_unique<Program>(trace, machine, memory, options, std::move(*parts));
}

}  // namespace diffram::lower
