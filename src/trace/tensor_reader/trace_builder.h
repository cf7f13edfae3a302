#pragma once
// Builds the trace line by line: one function for each kind of line, every id and range checked,
// and the totals proved at the end. Nothing is reserved by what a header promises.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/clock.h"
#include "trace/tensor_reader/batch_slopes.h"
#include "trace/tensor_reader/json_line.h"
#include "trace/tensor_reader/liveness.h"
#include "trace/tensor_trace.h"

namespace diffram::trace {

class TraceBuilder {
 public:
  TraceBuilder(std::string file, std::int64_t batch);

  /// One parsed line; its complaints are in `line`.
  void take(JsonLine& line);
  /// The `end` line has been seen.
  bool is_complete() const { return part_ == Part::ended; }
  TensorTrace finish() && { return std::move(trace_); }

 private:
  enum class Part { nothing, tables, events, ended };
  struct Totals {
    base::WideInteger read = 0, write = 0, macs = 0, ops = 0;
  };

  void header(JsonLine& line);
  void choose_batch(JsonLine& line);
  void module(JsonLine& line);
  void function(JsonLine& line);
  void storage(JsonLine& line);
  void start_events(JsonLine& line);
  void phase(JsonLine& line);
  void allocate(JsonLine& line);
  void release(JsonLine& line);
  void op(JsonLine& line);
  void check_uses(JsonLine& line, const std::vector<TensorUse>& uses, const char* field);
  void replay(JsonLine& line);
  void end(JsonLine& line);

  bool expect_open_step(JsonLine& line);
  std::optional<std::uint32_t> storage_of(JsonLine& line);
  void expect_count(JsonLine& line, const char* field, const std::optional<std::int64_t>& promised,
                    std::size_t found);
  void close_step();

  TensorTrace trace_;
  std::int64_t wanted_batch_;
  BatchSlopes slopes_{0};
  Part part_ = Part::nothing;
  std::optional<std::int64_t> promised_modules_, promised_functions_, promised_storages_,
      promised_ops_, promised_stored_steps_, promised_steps_;
  std::unordered_map<std::string, std::uint32_t> phase_numbers_;
  Liveness liveness_;
  bool step_is_open_ = false;
  std::int64_t first_op_of_step_ = 0;  ///< number over the whole file
  std::int64_t stored_ops_ = 0;
  std::int64_t stored_events_ = 0;
  Totals step_totals_, totals_;
};

}  // namespace diffram::trace
