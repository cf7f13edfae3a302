// Argument parsing only: what each subcommand does is in `session`, what it prints in `report`.

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <string_view>

#include "commands.h"

namespace {

std::atomic<bool> stop_requested{false};

/// The first asks the run to stop where it can be resumed; a second one ends the program at once.
void on_signal(int signal) {
  stop_requested.store(true);
  std::signal(signal, SIG_DFL);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is a full disk, not a crash
  CLI::App app{
      "diffram: where a diffusion model spends its memory time and energy, and who is to blame"};
  app.require_subcommand(1);
  app.set_version_flag("--version", diffram::session::version());
  app.failure_message(CLI::FailureMessage::help);
  app.get_formatter()->column_width(34);

  diffram::cli::Invocation invocation;
  invocation.stop = &stop_requested;
  for (int i = 0; i < argc; ++i) {
    // A resumed run is the same run.
    if (argv[i] == std::string_view("--resume")) continue;
    invocation.command_line += (i == 0 ? "diffram" : std::string(" ") + argv[i]);
  }
  diffram::cli::add_commands(app, invocation);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return diffram::cli::usage(app, error, invocation, argc, argv);
  }
  if (const auto refused = diffram::session::refused_environment()) {
    return diffram::cli::report_failure(*refused, invocation.json);
  }
  try {
    return invocation.action();
  } catch (const std::bad_alloc&) {
    return diffram::cli::out_of_host_memory(invocation);
  } catch (const std::exception& error) {
    return diffram::cli::internal_error(invocation, error);
  }
}
