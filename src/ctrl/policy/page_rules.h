#pragma once
// What tells one page policy from another: whether a row ends with the last burst that is queued
// for it, and whether an idle row is closed (docs/controller.md 5 and 7). A page policy is a file
// here and a line in `page_rules.cpp`.

#include <cstdint>
#include <memory>
#include <vector>

#include "ctrl/policy/moment.h"
#include "spec/memory.h"

namespace diffram::ctrl {

class PageRules {
 public:
  PageRules() = default;
  PageRules(const PageRules&) = delete;
  PageRules& operator=(const PageRules&) = delete;
  virtual ~PageRules() = default;

  /// An ACT or a column command to this row issues.
  virtual void used(std::uint32_t bank, std::uint32_t row, std::int64_t cycle) = 0;
  /// No queued burst of the direction wants the row again: does the command close it?
  virtual bool ends(std::uint32_t bank, std::uint32_t row) = 0;
  /// May a row close that nobody wants, because it was idle for long?
  virtual bool closes_idle_rows() const { return false; }
  virtual bool is_idle(std::uint32_t /*bank*/, Moment& /*moment*/) const { return false; }
  /// What the past has left in it, as numbers: for the checkpoint of an idle channel.
  virtual std::vector<std::int64_t> remembered() const { return {}; }
  virtual void recall(const std::vector<std::int64_t>& /*numbers*/) {}
};

std::unique_ptr<PageRules> make_open_page(const spec::MemorySpec& spec);
std::unique_ptr<PageRules> make_closed_page(const spec::MemorySpec& spec);
std::unique_ptr<PageRules> make_timeout_page(const spec::MemorySpec& spec);
std::unique_ptr<PageRules> make_adaptive_page(const spec::MemorySpec& spec);

/// The rules that `spec.controller.page_policy` names.
std::unique_ptr<PageRules> make_page_rules(const spec::MemorySpec& spec);

}  // namespace diffram::ctrl
