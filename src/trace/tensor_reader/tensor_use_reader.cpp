#include "trace/tensor_reader/tensor_use_reader.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace diffram::trace {

namespace {

/// PyTorch refuses more dimensions (c10 kDimVectorStaticSize is 5, the limit of TensorIterator 64).
constexpr std::size_t kMostDimensions = 64;

bool read_numbers(const Json& list, std::vector<std::int64_t>& out) {
  if (!list.is_array() || list.size() > kMostDimensions) return false;
  out.resize(list.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!read_integer(list[i], out[i])) return false;
  }
  return true;
}

bool read_use(const Json& value, std::size_t storage_count, TensorUse& use) {
  std::int64_t storage = 0, dtype = 0;
  if (!value.is_array() || value.size() < 5 || !read_integer(value[0], storage) ||
      !read_integer(value[1], use.offset) || !read_integer(value[2], dtype) ||
      !read_numbers(value[3], use.sizes) || !read_numbers(value[4], use.strides)) {
    return false;
  }
  if (storage < 0 || static_cast<std::uint64_t>(storage) >= storage_count || dtype < 0 ||
      static_cast<std::uint64_t>(dtype) >= kDTypeCount || use.sizes.size() != use.strides.size()) {
    return false;
  }
  use.storage = static_cast<std::uint32_t>(storage);
  use.dtype = static_cast<DType>(dtype);
  return true;
}

/// Bytes from the start of the storage to the end of the view's last element, and the bytes of
/// its distinct elements, both without overflow; false for negative numbers.
bool measure(const TensorUse& use, std::int64_t& reach, std::int64_t& bytes) {
  const std::int64_t item = size_of(use.dtype);
  std::int64_t last = 0;
  bytes = item;
  bool is_empty = false, overflows = use.offset < 0;
  for (std::size_t i = 0; i < use.sizes.size(); ++i) {
    const std::int64_t size = use.sizes[i], stride = use.strides[i];
    if (size < 0 || stride < 0) return false;
    is_empty |= size == 0;
    if (size == 0) continue;
    std::int64_t span = 0;
    overflows |= __builtin_mul_overflow(size - 1, stride, &span) ||
                 __builtin_add_overflow(last, span, &last) ||
                 (stride != 0 && __builtin_mul_overflow(bytes, size, &bytes));
  }
  if (is_empty) {
    bytes = 0;
    reach = use.offset;
    return use.offset >= 0;
  }
  std::int64_t elements = 0;
  overflows |= __builtin_add_overflow(last, 1, &elements) ||
               __builtin_mul_overflow(elements, item, &reach) ||
               __builtin_add_overflow(reach, use.offset, &reach);
  return !overflows;
}

bool read_attribute_number(const Json& value, double& out) {
  if (value.is_boolean()) {
    out = value.get<bool>() ? 1.0 : 0.0;
    return true;
  }
  if (!value.is_number()) return false;
  out = value.get<double>();
  return true;
}

}  // namespace

std::vector<TensorUse> read_uses(JsonLine& line, const char* field, std::size_t storage_count) {
  std::vector<TensorUse> uses;
  const Json* list = line.list(field);
  if (!list) return uses;
  uses.resize(list->size());
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (read_use((*list)[i], storage_count, uses[i])) continue;
    line.complain("bad_tensor_use", "is no use of a stored tensor", fmt::format("{}[{}]", field, i),
                  fmt::format("[storage below {}, byte offset, dtype code below {}, sizes, strides "
                              "of the same length]",
                              storage_count, kDTypeCount));
  }
  return uses;
}

std::vector<Attribute> read_attributes(JsonLine& line,
                                       std::vector<AttributeNumber>& whole_numbers) {
  std::vector<Attribute> attributes;
  whole_numbers.clear();
  const Json* object = line.find("a");
  if (!object) return attributes;
  if (!object->is_object()) {
    line.complain("wrong_type", "is no object", "a", "an object of numbers and lists");
    return attributes;
  }
  for (const auto& [name, value] : object->items()) {
    Attribute attribute{.name = name, .numbers = {}};
    const auto take = [&](const Json& number) {
      double read = 0;
      if (!read_attribute_number(number, read)) return;
      if (number.is_number_integer()) {
        whole_numbers.push_back({attributes.size(), attribute.numbers.size()});
      }
      attribute.numbers.push_back(read);
    };
    if (value.is_array()) {
      for (const auto& number : value) take(number);
    } else {
      take(value);
    }
    attributes.push_back(std::move(attribute));
  }
  return attributes;
}

void check_use(JsonLine& line, const TensorUse& use, const Storage& storage, const char* field,
               std::size_t position) {
  std::int64_t reach = 0, bytes = 0;
  if (measure(use, reach, bytes) && reach <= storage.bytes) return;
  line.complain("outside_storage",
                fmt::format("the view leaves storage {} ({} bytes)", use.storage, storage.bytes),
                fmt::format("{}[{}]", field, position),
                "an offset, sizes and strides, none negative, that end inside the storage");
}

}  // namespace diffram::trace
