#pragma once
// The built page (web/, committed as page/report.html), embedded by CMake.

#include <string_view>

namespace diffram::report {

std::string_view page_template();

}  // namespace diffram::report
