#pragma once
// The parts of the page that are plain HTML: with scripts off they are the whole report. Class
// names and ids are the contract with web/src.

#include <string>

#include "report/model.h"

namespace diffram::report {

std::string escaped(const std::string& text);
/// A sentence of words.h: escaped, what stands in back quotes as code.
std::string prose(const std::string& sentence);

/// A stacked bar by cause: flex weights in stack order, zero parts left out. `kind` is a CSS class.
std::string cause_bar(const PerCause& causes, const std::string& kind);
std::string class_bar(const PerClass<double>& parts, const std::string& kind);
/// A module path in code type, cut in the middle by the page where it does not fit.
std::string code(const std::string& text);

std::string rail_markup(const Model& model);
std::string verdict_part(const Model& model);
std::string time_part(const Model& model);
std::string evict_part(const Model& model);
std::string banks_part(const Model& model);
std::string energy_part(const Model& model);
std::string heat_part(const Model& model);
std::string run_part(const Model& model);

}  // namespace diffram::report
