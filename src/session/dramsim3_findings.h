#pragma once
// What DRAMsim3's oddities did in a run: each diagnostic names one quirk of docs/compat-quirks.md.

#include <vector>

#include "base/diagnostic.h"
#include "session/token_feed.h"
#include "sim/dramsim3_client.h"
#include "spec/dramsim3_config.h"

namespace diffram::session {

/// `unsent`: requests of the trace that were never tried.
std::vector<base::Diagnostic> dramsim3_findings(const spec::Dramsim3Config& config,
                                                const sim::ClientResult& result,
                                                const TokenFeed& feed, std::uint64_t unsent);

}  // namespace diffram::session
