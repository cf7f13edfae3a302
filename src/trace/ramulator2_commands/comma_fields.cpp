#include "trace/ramulator2_commands/comma_fields.h"

#include "trace/input/words.h"

namespace diffram::trace {

namespace {
constexpr Translation kTranslations[] = {{"PREpb", "PRE"}, {"PREab", "PREA"}};
}

std::string_view next_comma_field(std::string_view& rest) {
  const std::size_t comma = rest.find(',');
  std::string_view field = rest.substr(0, comma);
  rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  while (!field.empty() && is_blank(field.front())) field.remove_prefix(1);
  while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
  return field;
}

std::string_view jedec_name_of_ramulator2(std::string_view word) {
  return jedec_name_of(word, kTranslations);
}

}  // namespace diffram::trace
