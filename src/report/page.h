#pragma once
// `diffram report`: one HTML file that opens from disk, with its data and its code inside.

#include <string>

#include "base/result.h"
#include "report/model.h"

namespace diffram::report {

/// Writes the page under a temporary name and renames it when whole. Errors: "disk_full",
/// "cannot_write".
base::Result<void> write_html(const Model& model, const std::string& path);

/// The page as text: the built template (page/report.html) with the run put in.
std::string page_html(const Model& model);

/// What the page's plots need, columnar; see web/src/data.ts.
std::string page_data_json(const Model& model);

}  // namespace diffram::report
