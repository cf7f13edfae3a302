#pragma once
// Tensor uses and attributes of an op line.

#include <vector>

#include "trace/tensor_reader/batch_slopes.h"
#include "trace/tensor_reader/json_line.h"
#include "trace/tensor_trace.h"

namespace diffram::trace {

/// The uses of `field` ("r" or "w"): [storage, byte offset, dtype code, sizes, strides]. Their
/// numbers are unchecked until the batch is applied.
std::vector<TensorUse> read_uses(JsonLine& line, const char* field, std::size_t storage_count);

/// The object "a": numbers, booleans and lists of them; anything else is ignored.
/// `whole_numbers` gets the place of each integer, in order: they may depend on the batch.
struct AttributeNumber {
  std::size_t attribute = 0, position = 0;
};
std::vector<Attribute> read_attributes(JsonLine& line, std::vector<AttributeNumber>& whole_numbers);

/// Complains about a view that is negative or reaches outside its storage.
void check_use(JsonLine& line, const TensorUse& use, const Storage& storage, const char* field,
               std::size_t position);

}  // namespace diffram::trace
