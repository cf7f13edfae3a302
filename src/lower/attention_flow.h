#pragma once
// Materialised attention, found by the flow of storages: a product writes scores, a softmax reads
// them and writes probabilities, a product reads those; backward the same way round. Copies and
// elementwise ops between them (scaling, casts, dropout) belong to it.

#include <cstdint>
#include <string>
#include <vector>

#include "trace/tensor_trace.h"

namespace diffram::lower {

/// What a storage holds for attention; empty = nothing.
enum class AttentionTensor : std::uint8_t {
  none,
  scores,
  probabilities,
  probabilities_gradient,
  scores_gradient
};
const char* name_of(AttentionTensor tensor);  ///< "scores", "probabilities" …

/// By storage: a storage's content is decided by the softmax that reads or writes it.
std::vector<AttentionTensor> find_attention_tensors(const trace::TensorTrace& trace);

}  // namespace diffram::lower
