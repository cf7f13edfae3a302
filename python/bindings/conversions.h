#pragma once
// From the values of `session` to Python's own: failures to DifframError, columns to memory views.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "session/session.h"

namespace diffram::python {

/// Raises diffram.DifframError with every collected error.
[[noreturn]] void raise_failure(const session::Failure& failure);

template <class T>
T value_or_raise(session::Outcome<T> outcome) {
  if (!outcome) raise_failure(outcome.error());
  if constexpr (!std::is_void_v<T>) return std::move(*outcome);
}

/// A column handed over without a copy; it stays alive as long as a view of it does.
template <class T>
using Column = nanobind::ndarray<nanobind::memview, const T, nanobind::ndim<1>>;

template <class T>
Column<T> to_column(std::vector<T> values) {
  auto owner = std::make_unique<std::vector<T>>(std::move(values));
  const T* data = owner->data();
  const std::size_t size = owner->size();
  nanobind::capsule keeper(owner.release(), [](void* pointer) noexcept {
    delete static_cast<std::vector<T>*>(pointer);
  });
  return Column<T>(data, {size}, keeper);
}

}  // namespace diffram::python
