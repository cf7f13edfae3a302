#include "session/trace_notes.h"

#include <fmt/format.h>

#include "session/trace_clock.h"

namespace diffram::session {

namespace {

using base::Severity;

std::string requests(std::uint64_t count) {
  return fmt::format("{} {}", count, count == 1 ? "request" : "requests");
}

/// Names of what some requests carry and no replay uses; empty if there is nothing.
std::string unused_fields(const trace::RequestTraceCounts& counts) {
  std::string names;
  const auto add = [&names](const char* name, std::uint64_t count) {
    if (count == 0) return;
    names += fmt::format("{}{} of {}", names.empty() ? "" : ", ", name, requests(count));
  };
  add("data", counts.with_data);
  add("ids", counts.with_ids);
  add("flags", counts.with_flags);
  add("program counters", counts.with_pc);
  return names;
}

}  // namespace

base::Diagnostic note_of_clocks(const spec::MemorySpec& memory,
                                const trace::RequestTraceFacts& facts,
                                const std::optional<base::Clock>& trace_clock) {
  const bool counts_instructions = facts.arrivals == trace::Arrivals::instructions;
  const std::string length =
      trace_clock ? clock_text(*trace_clock) : std::string("one of the memory's cycles");
  return {"clocks", Severity::note,
          fmt::format("{} trace: {} {}; {}: {} a cycle, {} B a burst", facts.format,
                      counts_instructions ? "an instruction is" : "a cycle is", length, memory.name,
                      clock_text(memory.clock), memory.organisation.burst_bytes()),
          trace_clock ? "arrivals follow the clock of the trace, commands that of the memory"
                      : "--trace-clock NS gives the trace a clock of its own"};
}

std::vector<base::Diagnostic> notes_of_trace(const trace::RequestSource& source) {
  const auto counts = source.counts();
  const auto facts = source.facts();
  std::vector<base::Diagnostic> notes;
  if (counts.unknown_words > 0) {
    notes.push_back({"unknown_words", Severity::warning,
                     "Unknown operation words were read as reads (--lenient)",
                     requests(counts.unknown_words)});
  }
  if (counts.bare_addresses > 0) {
    notes.push_back({"bare_addresses", Severity::warning,
                     fmt::format("Addresses without 0x were read in base {}, as {} reads them",
                                 facts.address_base, facts.format),
                     fmt::format("{}, the first in line {}", requests(counts.bare_addresses),
                                 counts.first_bare_address)});
  }
  if (facts.arrivals == trace::Arrivals::order) {
    notes.push_back({"no_times", Severity::note,
                     "The trace has no times: the n-th request comes in cycle n, or when the "
                     "memory has room",
                     requests(counts.reads + counts.writes)});
  }
  if (facts.arrivals == trace::Arrivals::instructions) {
    notes.push_back({"instructions_as_cycles", Severity::note,
                     "The trace counts a CPU's instructions: one a cycle is assumed, and no "
                     "request waits for another",
                     requests(counts.reads + counts.writes)});
  }
  if (counts.cycles_going_back > 0) {
    notes.push_back({"cycles_go_back", Severity::note,
                     "Requests whose cycle is before the one above them come with that one",
                     requests(counts.cycles_going_back)});
  }
  if (counts.writes_dramsim3_reads > 0) {
    notes.push_back({"writes_dramsim3_reads", Severity::note,
                     "Writes that DRAMsim3 itself would read as reads, for their word is not "
                     "exactly WRITE",
                     requests(counts.writes_dramsim3_reads)});
  }
  if (const auto unused = unused_fields(counts); !unused.empty())
    notes.push_back({"unused_fields", Severity::note, "Not simulated, and left out", unused});
  return notes;
}

}  // namespace diffram::session
