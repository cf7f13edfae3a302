#include "trace/tensor_reader/trace_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace diffram::trace {

namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
/// Ids are 32-bit in memory; one value stays free for "none".
constexpr std::int64_t kMostEntries = 0x7FFFFFFF;
/// Far above any training run, and small enough that totals over steps fit 128 bits.
constexpr std::int64_t kMostSteps = std::int64_t{1} << 32;

std::int64_t last_of(std::size_t count) { return static_cast<std::int64_t>(count) - 1; }

}  // namespace

TraceBuilder::TraceBuilder(std::string file, std::int64_t batch) : wanted_batch_(batch) {
  trace_.file = std::move(file);
}

void TraceBuilder::take(JsonLine& line) {
  const std::string kind = line.text("e");
  if (!line.is_sound()) return;
  if (part_ == Part::ended) {
    return line.complain("after_end", "stands after the end line", "e", "no further line");
  }
  if (part_ == Part::nothing) {
    if (kind == "trace") return header(line);
    return line.complain("not_a_trace", "the first line is no trace header", "e", "\"trace\"");
  }
  if (kind == "mod") return module(line);
  if (kind == "fn") return function(line);
  if (kind == "sto") return storage(line);
  if (kind == "end") return end(line);
  ++stored_events_;
  if (part_ == Part::tables) start_events(line);
  if (kind == "phase") return phase(line);
  if (kind == "alloc") return allocate(line);
  if (kind == "free") return release(line);
  if (kind == "op") return op(line);
  if (kind == "replay") return replay(line);
  const std::string near =
      base::nearest(kind, {"mod", "fn", "sto", "phase", "alloc", "free", "op", "replay", "end"});
  line.complain("unknown_event", fmt::format("\"{}\" is no line of trace format 1", kind), "e",
                near.empty() ? "mod fn sto phase alloc free op replay or end" : near);
}

void TraceBuilder::module(JsonLine& line) {
  if (part_ != Part::tables) return line.complain("late_table", "stands after an event", "e");
  const auto next = static_cast<std::int64_t>(trace_.modules.size());
  line.integer("id", next, next);
  Module module;
  // Parents come first, so there is no cycle.
  module.parent = static_cast<std::int32_t>(line.integer_or("up", -1, -1, next - 1));
  module.path = line.text_or("path", {});
  module.type = line.text_or("type", {});
  trace_.modules.push_back(std::move(module));
}

void TraceBuilder::function(JsonLine& line) {
  if (part_ != Part::tables) return line.complain("late_table", "stands after an event", "e");
  const auto next = static_cast<std::int64_t>(trace_.functions.size());
  line.integer("id", next, next);
  Function function{
      .name = line.text("name"), .kind = line.text("kind"), .reads = {}, .writes = {}};
  for (const auto& [field, roles] :
       {std::pair{"reads", &function.reads}, std::pair{"writes", &function.writes}}) {
    const Json* list = line.list(field);
    if (!list) continue;
    for (const auto& entry : *list) {
      std::int64_t count = 0;
      if (!entry.is_array() || entry.size() < 2 || !entry[0].is_string() ||
          !read_integer(entry[1], count) || count < 0 || count > kMostEntries) {
        line.complain("wrong_type", "is no list of roles", field, "[[name, count], …]");
        break;
      }
      roles->push_back({entry[0].get<std::string>(), static_cast<std::uint32_t>(count)});
    }
  }
  trace_.functions.push_back(std::move(function));
}

void TraceBuilder::storage(JsonLine& line) {
  if (part_ != Part::tables) return line.complain("late_table", "stands after an event", "e");
  const auto next = static_cast<std::int64_t>(trace_.storages.size());
  line.integer("id", next, std::min(next, kMostEntries));
  Storage storage;
  storage.bytes = line.integer("bytes", 0, kLargest);
  slopes_.start_line();
  slopes_.add(storage.bytes);
  slopes_.apply(line);
  if (storage.bytes < 0) line.complain("out_of_range", "is negative at this batch", "bytes");
  storage.alive_at_start = line.integer_or("pre", 0, 0, 1) == 1;
  storage.module =
      static_cast<std::int32_t>(line.integer_or("mod", -1, -1, last_of(trace_.modules.size())));
  storage.name = line.text_or("name", {});
  const std::string word = line.text("cls");
  const std::vector<std::string> words(kTensorClassNames.begin(), kTensorClassNames.end());
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) {
    line.complain("unknown_class", fmt::format("\"{}\" is no tensor class", word), "cls",
                  base::nearest(word, words));
  } else {
    storage.tensor_class = static_cast<TensorClass>(found - words.begin());
  }
  liveness_.add_storage(storage.alive_at_start);
  trace_.storages.push_back(std::move(storage));
}

void TraceBuilder::expect_count(JsonLine& line, const char* field,
                                const std::optional<std::int64_t>& promised, std::size_t found) {
  if (!promised || static_cast<std::uint64_t>(*promised) == found) return;
  line.complain("count_mismatch",
                fmt::format("the header promises {} {}, the file has {}", *promised, field, found),
                field);
}

void TraceBuilder::start_events(JsonLine& line) {
  expect_count(line, "modules", promised_modules_, trace_.modules.size());
  expect_count(line, "fns", promised_functions_, trace_.functions.size());
  expect_count(line, "storages", promised_storages_, trace_.storages.size());
  part_ = Part::events;
}

void TraceBuilder::phase(JsonLine& line) {
  const std::string name = line.text("n");
  const std::int64_t number = line.integer("step", 0, kMostSteps);
  if (!line.is_sound()) return;
  if (!step_is_open_ || trace_.steps.back().first != number) {
    close_step();
    const std::int64_t next =
        trace_.steps.empty() ? 0 : trace_.steps.back().first + trace_.steps.back().times;
    if (number != next) {
      return line.complain("out_of_range", fmt::format("{} is not the next step", number), "step",
                           fmt::format("{}", next));
    }
    trace_.steps.push_back({.first = number, .times = 1, .events = {}, .ops = {}, .carries = {}});
    step_is_open_ = true;
    first_op_of_step_ = stored_ops_;
    liveness_.start_step();
  }
  const auto [entry, is_new] =
      phase_numbers_.try_emplace(name, static_cast<std::uint32_t>(trace_.phases.size()));
  if (is_new) trace_.phases.push_back(name);
  trace_.steps.back().events.push_back({EventKind::phase, entry->second});
}

bool TraceBuilder::expect_open_step(JsonLine& line) {
  if (step_is_open_) return true;
  line.complain("no_phase", "an event outside a step", "e", "a phase line first");
  return false;
}

std::optional<std::uint32_t> TraceBuilder::storage_of(JsonLine& line) {
  const std::int64_t storage = line.integer("s", 0, last_of(trace_.storages.size()));
  if (!line.is_sound() || !expect_open_step(line)) return std::nullopt;
  return static_cast<std::uint32_t>(storage);
}

void TraceBuilder::allocate(JsonLine& line) {
  const auto storage = storage_of(line);
  if (!storage) return;
  if (liveness_.is_alive(*storage)) {
    return line.complain("storage_live", fmt::format("storage {} is already alive", *storage), "s",
                         "a storage that is not");
  }
  liveness_.toggle(*storage);
  trace_.steps.back().events.push_back({EventKind::allocate, *storage});
}

void TraceBuilder::release(JsonLine& line) {
  const auto storage = storage_of(line);
  if (!storage) return;
  if (!liveness_.is_alive(*storage)) {
    return line.complain("storage_not_live", fmt::format("storage {} is not alive", *storage), "s",
                         "a storage that is");
  }
  liveness_.toggle(*storage);
  trace_.steps.back().events.push_back({EventKind::release, *storage});
}

void TraceBuilder::close_step() {
  if (!step_is_open_) return;
  const base::WideInteger times = trace_.steps.back().times;
  totals_.read += times * step_totals_.read;
  totals_.write += times * step_totals_.write;
  totals_.macs += times * step_totals_.macs;
  totals_.ops += times * step_totals_.ops;
  step_totals_ = {};
  step_is_open_ = false;
}

void TraceBuilder::replay(JsonLine& line) {
  if (!expect_open_step(line)) return;
  Step& step = trace_.steps.back();
  line.integer("step", step.first + 1, step.first + 1);
  const std::int64_t more = line.integer("times", 1, kMostSteps);
  if (const Json* carries = line.list("carry")) {
    for (const auto& pair : *carries) {
      std::int64_t after = 0, before = 0;
      const std::int64_t last = last_of(trace_.storages.size());
      if (!pair.is_array() || pair.size() != 2 || !read_integer(pair[0], after) ||
          !read_integer(pair[1], before) || after < 0 || before < 0 || after > last ||
          before > last || trace_.storages[after].bytes != trace_.storages[before].bytes) {
        line.complain("bad_carry", "is no pair of storages of the same size", "carry",
                      "[[after, before], …]");
        break;
      }
      step.carries.push_back(
          {static_cast<std::uint32_t>(after), static_cast<std::uint32_t>(before)});
    }
  }
  if (!line.is_sound()) return;
  const std::string problem = liveness_.why_not_repeatable(step.carries);
  if (!problem.empty()) return line.complain("not_repeatable", problem, "times");
  step.times += more;
  close_step();
}

void TraceBuilder::end(JsonLine& line) {
  if (part_ == Part::tables) start_events(line);
  close_step();
  part_ = Part::ended;
  expect_count(line, "ops", promised_ops_, static_cast<std::size_t>(stored_ops_));
  expect_count(line, "stored_steps", promised_stored_steps_, trace_.steps.size());
  expect_count(line, "steps", promised_steps_, static_cast<std::size_t>(trace_.step_count()));
  std::int64_t read = line.integer("read", 0, kLargest);
  std::int64_t write = line.integer("write", 0, kLargest);
  std::int64_t macs = line.integer("mac", 0, kLargest);
  slopes_.start_line();
  slopes_.add(read);
  slopes_.add(write);
  slopes_.add(macs);
  slopes_.apply(line);
  const auto prove = [&](const char* field, base::WideInteger said, base::WideInteger found) {
    if (said == found) return;
    line.complain("totals_differ",
                  fmt::format("the end line says {}, the events sum to {}", said, found), field,
                  "equal sums; the file was edited or damaged");
  };
  prove("events", line.integer("events", 0, kLargest), stored_events_);
  prove("read", read, totals_.read);
  prove("write", write, totals_.write);
  prove("mac", macs, totals_.macs);
  if (line.find("ops")) prove("ops", line.integer("ops", 0, kLargest), totals_.ops);
}

}  // namespace diffram::trace
