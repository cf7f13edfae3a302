#pragma once
// A kernel model: for which ops it stands and how it walks them. One file each in this folder and
// one entry in registry.cpp.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "lower/walk/walk.h"
#include "trace/tensor_trace.h"

namespace diffram::lower {

struct OpContext {
  const trace::Op& op;
  const trace::Function& function;
  std::string name;  ///< ATen name without namespace and overload: "convolution"
  const TileBudget& budget;
  std::uint64_t seed = 1;  ///< of this op: rows of gathers whose index is not in the trace

  std::uint32_t read(std::size_t i) const { return static_cast<std::uint32_t>(i); }
  std::uint32_t write(std::size_t i) const {
    return static_cast<std::uint32_t>(op.reads.size() + i);
  }
  /// Position in Op::reads of the argument `argument`, or reads.size() when it was not read.
  std::size_t read_named(const std::string& argument) const;
  /// First number of an attribute, or `otherwise`.
  std::int64_t number(const char* attribute, std::int64_t otherwise) const;
};

struct KernelModel {
  const char* name;
  bool (*stands_for)(const OpContext&);
  std::unique_ptr<Walk> (*walk)(const OpContext&);  ///< null = cannot walk this call after all
};

/// By precedence; the first that stands for an op and can walk it is used.
std::span<const KernelModel> kernel_models();

/// The walk of an op: by its kernel model, else the fallback.
std::unique_ptr<Walk> make_walk(const OpContext& context);

}  // namespace diffram::lower
