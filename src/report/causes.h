#pragma once
// The words for causes, families of causes, tensor classes and energy components that every view
// prints. Colours live in web/src/colour.css under the same tokens.

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "base/cause.h"

namespace diffram::report {

/// A family of causes: one hue on the page, one line in the terminal.
struct CauseFamily {
  const char* token;     ///< "data", "rows" …: also the terminal's colour group
  const char* title;     ///< page: "Moving data"
  const char* sentence;  ///< inside a headline: "row openings"
  std::vector<base::Cause> causes;
};

const std::vector<CauseFamily>& cause_families();
const char* page_name(base::Cause cause);        ///< "Row conflict"
std::string css_token(const std::string& name);  ///< "row.conflict" → "row-conflict"

/// The 12 class tokens and "(none)" for time and energy that no tensor made.
inline constexpr std::size_t kClasses = 12, kClassSlots = 13;
inline constexpr std::size_t kNoClass = 12;
inline constexpr std::array<const char*, kClassSlots> kClassTokens = {"parameter",
                                                                      "buffer",
                                                                      "optimizer_state",
                                                                      "gradient",
                                                                      "ema",
                                                                      "input",
                                                                      "weight_cast",
                                                                      "recomputed_activation",
                                                                      "activation",
                                                                      "activation_gradient",
                                                                      "external",
                                                                      "temporary",
                                                                      "(none)"};
std::size_t class_slot(const std::string& token);  ///< kNoClass for an unknown one
std::string class_name(std::size_t slot);          ///< "recomputed activation"

std::string component_name(const std::string& component);  ///< "bank_open" → "Row held open"

}  // namespace diffram::report
