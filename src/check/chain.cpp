#include "check/chain.h"

#include <algorithm>

namespace diffram::check {

namespace {

using base::Cause;

class Chain {
 public:
  explicit Chain(std::int64_t begin) : at_(begin) {}

  void step(std::int64_t end, Cause cause, base::OriginId culprit = base::kNoOrigin,
            bool was_legal = false) {
    if (end <= at_) return;
    steps_.push_back({at_, end, cause, culprit, was_legal});
    at_ = end;
  }

  void wait(const Wait& wait, std::int64_t issued) {
    const std::int64_t legal = std::min(wait.legal, issued);
    step(std::min(legal, wait.held_since), Cause::policy);
    step(legal, wait.cause, wait.culprit);
    step(issued, Cause::policy, base::kNoOrigin, true);
  }

  std::vector<ChainStep> take() { return std::move(steps_); }

 private:
  std::int64_t at_;
  std::vector<ChainStep> steps_;
};

}  // namespace

std::vector<ChainStep> chain_of(const spec::MemorySpec& memory, const std::vector<Command>& log,
                                const ServedLog& served, const Waits& waits, std::size_t column) {
  const Burst burst = served.bursts[column].value_or(Burst{});
  const BankPast& past = waits.past_column[column];
  const std::int64_t visible = burst.acceptance + memory.controller.dispatch;
  Chain chain(burst.arrival);
  chain.step(burst.acceptance, Cause::front);
  chain.step(visible, Cause::dispatch);
  const Closing& closing = past.closing;
  const std::int64_t closed = log[closing.command].cycle;
  if (closing.by == Closing::By::policy && closed > visible) chain.step(closed, Cause::policy);
  if (closing.by == Closing::By::scheduler && closed > visible) {
    chain.wait(waits.of_command[closing.command], closed);
    chain.step(closed + memory.timing("nRP"), closing.cause, closing.culprit);
  }
  if (past.activate && log[*past.activate].cycle > visible) {
    const std::int64_t activated = log[*past.activate].cycle;
    chain.wait(waits.of_command[*past.activate], activated);
    chain.step(activated + memory.timing("nRCD"), closing.cause, closing.culprit);
  }
  chain.wait(waits.of_command[column], log[column].cycle);
  return chain.take();
}

std::vector<ChainStep> chain_at_edge(const spec::MemorySpec& memory, const Burst& burst,
                                     const Wait& next, std::int64_t edge) {
  Chain chain(burst.arrival);
  chain.step(std::min(burst.acceptance, edge), Cause::front);
  chain.step(std::min(burst.acceptance + memory.controller.dispatch, edge), Cause::dispatch);
  if (next.legal > edge) chain.step(edge, next.cause, next.culprit);
  chain.step(edge, Cause::policy);
  return chain.take();
}

}  // namespace diffram::check
