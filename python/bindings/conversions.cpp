#include "conversions.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace diffram::python {

namespace {

nb::list to_tuples(const base::Errors& errors) {
  nb::list list;
  for (const base::Error& error : errors) {
    list.append(nb::make_tuple(error.code, error.message, error.file, error.line, error.field,
                               error.expected));
  }
  return list;
}

nb::dict to_dict(const std::vector<std::pair<std::string, std::int64_t>>& rows) {
  nb::dict dict;
  for (const auto& [name, bytes] : rows) dict[nb::cast(name)] = bytes;
  return dict;
}

nb::object to_capacity(const std::optional<lower::CapacityReport>& capacity) {
  if (!capacity) return nb::none();
  nb::dict dict;
  dict["capacity_bytes"] = capacity->capacity_bytes;
  dict["peak_live_bytes"] = capacity->peak_live_bytes;
  dict["missing_bytes"] = capacity->missing_bytes;
  dict["peak_op"] = capacity->peak_op;
  dict["live_by_class"] = to_dict(capacity->live_by_class);
  dict["largest"] = to_dict(capacity->largest);
  return dict;
}

}  // namespace

void raise_failure(const session::Failure& failure) {
  const nb::object type = nb::module_::import_("diffram.failures").attr("DifframError");
  const nb::object raised =
      type(failure.exit_code, to_tuples(failure.errors), to_capacity(failure.capacity));
  PyErr_SetObject(type.ptr(), raised.ptr());
  throw nb::python_error();
}

}  // namespace diffram::python
