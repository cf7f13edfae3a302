// A command log, ours or another simulator's, held against the rules of a memory.

#include "check/log_check.h"
#include "session/inputs.h"
#include "session/session.h"

namespace diffram::session {

Outcome<CommandCheck> check_commands(const CheckOptions& options) {
  auto memory = load_memory_as_set(options.memory, options.set);
  if (!memory) return bad_input(memory.error());
  check::LogCheckOptions how;
  how.top = options.top;
  if (options.progress) {
    how.progress = [&options](std::uint64_t bytes) {
      options.progress({"checking", -1, static_cast<double>(bytes)});
    };
  }
  auto verdict = check::check_log(options.commands, *memory, how);
  if (!verdict) return bad_input(verdict.error());
  return CommandCheck{verdict->violations, options.as_json ? check::verdict_json(*verdict) + "\n"
                                                           : check::verdict_text(*verdict)};
}

}  // namespace diffram::session
