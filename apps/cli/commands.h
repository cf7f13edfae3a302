#pragma once
// The subcommands and their options.

#include <CLI/CLI.hpp>
#include <atomic>
#include <exception>
#include <functional>
#include <string>

#include "session/session.h"

namespace diffram::cli {

struct Invocation {
  std::string command_line;
  const std::atomic<bool>* stop = nullptr;
  bool json = false;
  std::function<int()> action;  ///< set by the subcommand that was parsed
};

void add_commands(CLI::App& app, Invocation& invocation);

/// Help and version end with 0; wrong usage ends with 2, under --json as an error object.
int usage(CLI::App& app, const CLI::ParseError& error, const Invocation& invocation, int argc,
          char** argv);
int out_of_host_memory(const Invocation& invocation);
int internal_error(const Invocation& invocation, const std::exception& error);

/// Errors to stderr, or as one JSON object to stdout; gives the exit code.
int report_failure(const session::Failure& failure, bool json);

}  // namespace diffram::cli
