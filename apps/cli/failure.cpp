#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "commands.h"

namespace diffram::cli {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const session::Failure& failure) {
  const base::Error error = failure.errors.empty() ? base::Error{} : failure.errors.front();
  Json object = {{"code", error.code},
                 {"message", error.message},
                 {"file", error.file.empty() ? Json(nullptr) : Json(error.file)},
                 {"line", error.line > 0 ? Json(error.line) : Json(nullptr)},
                 {"field", error.field.empty() ? Json(nullptr) : Json(error.field)},
                 {"expected", error.expected.empty() ? Json(nullptr) : Json(error.expected)}};
  if (failure.errors.size() > 1) {
    for (std::size_t i = 1; i < failure.errors.size(); ++i)
      object["further"].push_back(failure.errors[i].text());
  }
  if (failure.capacity) {
    object["missing_bytes"] = failure.capacity->missing_bytes;
    object["capacity_bytes"] = failure.capacity->capacity_bytes;
    object["peak_live_bytes"] = failure.capacity->peak_live_bytes;
    object["peak_op"] = failure.capacity->peak_op;
    if (!failure.capacity->failure.empty()) object["failure"] = failure.capacity->failure;
    object["live_by_class"] = Json::object();
    for (const auto& [name, bytes] : failure.capacity->live_by_class)
      object["live_by_class"][name] = bytes;
    object["largest"] = Json::array();
    for (const auto& [name, bytes] : failure.capacity->largest) {
      object["largest"].push_back({{"tensor", name}, {"bytes", bytes}});
    }
  }
  return {{"error", object}};
}

int simple(const Invocation& invocation, int exit_code, std::string code, std::string message) {
  base::Error error;
  error.code = std::move(code);
  error.message = std::move(message);
  return report_failure({exit_code, {error}, {}}, invocation.json);
}

}  // namespace

int report_failure(const session::Failure& failure, bool json) {
  if (json) {
    fmt::print("{}\n", to_json(failure).dump(2, ' ', false, Json::error_handler_t::replace));
    return failure.exit_code;
  }
  for (const auto& error : failure.errors) fmt::print(stderr, "diffram: {}\n", error.text());
  if (failure.capacity) {
    const auto& report = *failure.capacity;
    fmt::print(stderr, "  missing      {} bytes\n", report.missing_bytes);
    fmt::print(stderr, "  peak         {} bytes live, at {}\n", report.peak_live_bytes,
               report.peak_op);
    if (!report.failure.empty()) fmt::print(stderr, "  {}\n", report.failure);
    for (const auto& [name, bytes] : report.live_by_class) {
      if (bytes > 0) fmt::print(stderr, "  {:<22} {:>15} bytes\n", name, bytes);
    }
  }
  return failure.exit_code;
}

int usage(CLI::App& app, const CLI::ParseError& error, const Invocation& invocation, int argc,
          char** argv) {
  if (error.get_exit_code() == 0) {
    app.exit(error);
    return session::kDone;
  }
  bool json = invocation.json;
  for (int i = 1; i < argc; ++i) json = json || std::string(argv[i]) == "--json";
  std::string expected;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    std::vector<std::string> known;
    for (const auto* command : app.get_subcommands({})) {
      if (i == 1 && word.rfind('-', 0) != 0) known.push_back(command->get_name());
      if (word.rfind("--", 0) == 0 && argc > 1 && command->get_name() == argv[1]) {
        for (const auto* option : command->get_options()) {
          for (const auto& name : option->get_lnames()) known.push_back("--" + name);
        }
      }
    }
    const std::string stem = word.substr(0, word.find('='));
    if (!known.empty() && std::find(known.begin(), known.end(), stem) == known.end() &&
        expected.empty()) {
      expected = base::nearest(stem, known);
    }
  }
  base::Error problem;
  problem.code = "usage";
  problem.message = error.what();
  problem.expected = expected;
  const int code = report_failure({session::kWrongUsage, {problem}, {}}, json);
  if (!json)
    fmt::print(stderr, "Run diffram {}--help for more.\n",
               argc > 1 && argv[1][0] != '-' ? std::string(argv[1]) + " " : "");
  return code;
}

int out_of_host_memory(const Invocation& invocation) {
  return simple(invocation, session::kNotFinished, "host_memory",
                "this computer ran out of memory; nothing was written");
}

int internal_error(const Invocation& invocation, const std::exception& error) {
  return simple(
      invocation, session::kNotFinished, "internal",
      fmt::format("a bug of diffram stopped the run ({}); please report it with the command line",
                  error.what()));
}

}  // namespace diffram::cli
