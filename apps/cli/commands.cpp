#include "commands.h"

#include <fmt/format.h>
#include <memory>

#include "progress.h"

namespace diffram::cli {

namespace {

using session::Outcome;

/// "key=value" → pair; CLI11 has checked the "=".
session::Settings pairs_of(const std::vector<std::string>& words) {
  session::Settings pairs;
  for (const auto& word : words) {
    const auto equals = word.find('=');
    pairs.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return pairs;
}

const CLI::Validator& key_value() {
  static const CLI::Validator validator(
      [](const std::string& text) {
        const auto equals = text.find('=');
        return equals == std::string::npos || equals == 0
                   ? fmt::format("\"{}\" is not key=value", text)
                   : std::string();
      },
      "KEY=VALUE");
  return validator;
}

CLI::App* add_command(CLI::App& app, Invocation& invocation, const std::string& name,
                      const std::string& what, const std::string& example) {
  auto* command = app.add_subcommand(name, what);
  command->footer("Example:\n  " + example);
  command->add_flag("--json", invocation.json, "One JSON object on stdout");
  return command;
}

CLI::Option* add_set(CLI::App* command, std::vector<std::string>& words,
                     const std::string& what = "memory.KEY=VALUE") {
  return command->add_option("--set", words, "Override one field: " + what + "; repeatable")
      ->check(key_value());
}

/// `work(options)` while its progress is shown.
template <class Options, class Work>
auto with_progress(Options& options, Work work) {
  ProgressLine line;
  options.progress = [&line](const session::Progress& progress) { line.show(progress); };
  auto result = work(options);
  line.clear();
  return result;
}

/// Warnings to stderr, the result to stdout.
int tell(const std::vector<base::Diagnostic>& diagnostics, const std::string& text) {
  for (const auto& d : diagnostics)
    fmt::print(stderr, "{}: {}: {} ({})\n", base::name_of(d.severity), d.code, d.message,
               d.evidence);
  fmt::print("{}", text);
  return session::kDone;
}

/// Write the run file and print the summary.
int finish_run(const session::Run& run, const std::string& file, bool json) {
  if (!file.empty()) {
    if (auto saved = session::save_run(run.record, file); !saved)
      return report_failure(saved.error(), json);
  }
  if (json) {
    fmt::print("{}\n", session::json_of(run));
    return session::kDone;
  }
  auto text = session::terminal_summary(run, file);
  if (!text) return report_failure(text.error(), json);
  fmt::print("{}", *text);
  fmt::print(
      stderr,
      "simulated {:.3g} M bursts in {:.3g} s: lowering {:.3g} s, engine {:.3g} s, attribution "
      "{:.3g} s, energy {:.3g} s{}\n",
      static_cast<double>(run.requests) / 1e6, run.wall.total, run.wall.lowering, run.wall.engine,
      run.wall.attribution, run.wall.energy,
      run.mean_run_bursts > 0 ? fmt::format("; mean run {:.3g} bursts", run.mean_run_bursts) : "");
  return session::kDone;
}

int finish_dramsim3(const session::Dramsim3Run& run, bool json) {
  return json ? tell({}, run.json + "\n") : tell(run.diagnostics, run.text);
}

/// What temperatures need.
template <class Options>
CLI::Option* add_heat(CLI::App& c, Options& options) {
  auto* package =
      c.add_option("--package", options.package,
                   "Temperatures in a package: a name (diffram list packages) or a TOML file");
  c.add_option("--initial-temperature", options.initial,
               "Degrees Celsius when the run begins; default as if its load had lasted")
      ->check(CLI::Range(-55.0, 150.0))
      ->needs(package);
  return package;
}

void add_run(CLI::App& app, Invocation& invocation) {
  struct Words {
    session::RunOptions options;
    std::string fidelity = "steady", bounds, checkpointing = "off", file;
    std::vector<std::string> set, allocator;
  };
  auto words = std::make_shared<Words>();
  auto* c = add_command(app, invocation, "run", "Simulate a workload on a machine with a memory",
                        "diffram run sd14-sample --memory ddr4-3200-8g-2ch -o sd14.dfr");
  c->add_option("WORKLOAD", words->options.workload,
                "A name (diffram list workloads) or a trace file *.dft.zst")
      ->required();
  c->add_option("--machine", words->options.machine, "Machine: a name or a TOML file")
      ->capture_default_str();
  c->add_option("--memory", words->options.memory,
                "Memory: a name or a TOML file; default the machine's own");
  c->add_option("--batch", words->options.images, "Images (guidance doubles the UNet's batch)")
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{4096}));
  c->add_option("--steps", words->options.steps,
                "Steps of the program; default as the workload says")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
  c->add_option("--fidelity", words->fidelity,
                "exact: every request; steady: repeated steps until two agree")
      ->capture_default_str()
      ->check(CLI::IsMember({"exact", "steady"}));
  c->add_option("--bounds", words->bounds,
                "Simulate the memory-only bound too; default on for steady, off for exact")
      ->check(CLI::IsMember({"on", "off"}));
  c->add_option("--checkpointing", words->checkpointing,
                "Gradient checkpointing (training workloads)")
      ->capture_default_str()
      ->check(CLI::IsMember({"on", "off"}));
  c->add_option("--allocator", words->allocator,
                "Allocator option, such as max_split_size_mb=128; repeatable")
      ->check(key_value());
  c->add_option("--threads", words->options.threads, "Threads; the result does not depend on it")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1024}));
  c->add_option("--seed", words->options.seed, "Seed of random page maps")->capture_default_str();
  c->add_option("--power-epoch", words->options.power_epoch,
                "Sample power over time: cycles of the memory clock between samples")
      ->check(CLI::Range(std::int64_t{100}, std::int64_t{1} << 40));
  auto* package = add_heat(*c, words->options);
  auto* epoch = c->add_option("--epoch", words->options.epoch,
                              "Heat answers after so many memory cycles: refresh rate by "
                              "temperature, throttling; power is sampled by them. Without a "
                              "number: 1000000")
                    ->expected(0, 1)
                    ->default_str("1000000")
                    ->check(CLI::Range(std::int64_t{1000}, std::int64_t{1} << 40))
                    ->needs(package)
                    ->excludes("--power-epoch");
  c->add_option("--throttling-threshold", words->options.throttling_threshold,
                "Degrees Celsius above which the memory gets fewer column slots")
      ->check(CLI::Range(-55.0, 150.0))
      ->needs(epoch);
  c->add_option("--hysteresis", words->options.hysteresis,
                "Kelvin below a limit at which what it brought is taken back")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 50.0))
      ->needs(epoch);
  c->add_option("--heat-stretch", words->options.heat_stretch,
                "An epoch heats as if it lasted so many times as long (a package needs seconds)")
      ->capture_default_str()
      ->check(CLI::Range(1.0, 1e9))
      ->needs(epoch);
  c->add_flag("--allow-overcommit", words->options.allow_overcommit,
              "Run though it does not fit; addresses wrap");
  add_set(c, words->set,
          "memory.KEY=VALUE, machine.KEY=VALUE, package.KEY=VALUE or data.CLASS.ones|toggle=SHARE");
  auto* output = c->add_option("-o,--output", words->file, "Run file to write (.dfr)");
  c->add_flag("--resume", words->options.resume,
              "Go on from the checkpoint beside the run file, if there is one")
      ->needs(output)
      ->excludes(epoch);
  c->add_option("--checkpoint-every", words->options.checkpoint_every_s,
                "Seconds between checkpoints (FILE.checkpoint), kept while a run with -o lasts")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1e6));
  c->callback([words, &invocation] {
    invocation.action = [words, &invocation] {
      auto& options = words->options;
      options.run_file = words->file;
      options.exact = words->fidelity == "exact";
      options.checkpointing = words->checkpointing == "on";
      if (!words->bounds.empty()) options.bounds = words->bounds == "on";
      options.set = pairs_of(words->set);
      options.allocator = pairs_of(words->allocator);
      options.command_line = invocation.command_line;
      options.stop = invocation.stop;
      auto run = with_progress(options, session::run_workload);
      if (!run) return report_failure(run.error(), invocation.json);
      return finish_run(*run, words->file, invocation.json);
    };
  });
}

void add_replay(CLI::App& app, Invocation& invocation) {
  struct Words {
    session::ReplayOptions options;
    bool drain = false;
    std::vector<std::string> set;
    std::string file;
  };
  auto words = std::make_shared<Words>();
  auto* c = add_command(app, invocation, "replay",
                        "Replay a request trace (of DRAMsim3, Ramulator, DRAMSys, gem5 or diffram; "
                        "plain, .gz or .zst) on a memory",
                        "diffram replay my.trace.gz --memory ddr4-3200-8g-2ch --json\n"
                        "  diffram replay my.trace.gz --dramsim3-config DDR4_8Gb_x8_3200.ini "
                        "--cycles 1000000 --stats dramsim3.json");
  c->add_option("TRACE", words->options.trace, "The trace; its format is seen from its content")
      ->required();
  auto* where = c->add_option_group("memory");
  where->add_option("--memory", words->options.memory, "Memory: a name or a TOML file");
  auto* ini = where->add_option("--dramsim3-config", words->options.dramsim3_config,
                                "A DRAMsim3 configuration (.ini): runs exactly as DRAMsim3 does, "
                                "oddities included");
  where->require_option(1);
  auto* cycles = c->add_option("--cycles", words->options.cycles,
                               "Stop after so many memory cycles; default: drain, with "
                               "--dramsim3-config 100000")
                     ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 60));
  c->add_flag("--drain", words->drain, "Run until every request is answered (the default)")
      ->excludes(cycles)
      ->excludes(ini);
  c->add_option("--trace-clock", words->options.trace_clock_ns,
                "Nanoseconds a cycle of the trace; default the memory clock")
      ->excludes(ini);
  c->add_option(
       "--sample", words->options.sample,
       "Only a part: windows:N:LINES, N stretches of LINES requests; or every:N, each N-th")
      ->excludes(ini);
  c->add_flag("--lenient", words->options.lenient, "Unknown operation words are reads, counted")
      ->excludes(ini);
  c->add_flag("--allow-overcommit", words->options.allow_overcommit,
              "Wrap addresses beyond the capacity")
      ->excludes(ini);
  c->add_option("--threads", words->options.threads, "Threads; the result does not depend on it")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1024}));
  c->add_option("--commands", words->options.commands_file, "Write the command log to FILE");
  c->add_option("--stats", words->options.stats_file, "Write DRAMsim3's final statistics (JSON)")
      ->needs(ini);
  add_heat(*c, words->options)->excludes(ini);
  add_set(c, words->set)->excludes(ini);
  c->add_option("-o,--output", words->file, "Run file to write (.dfr); not with --dramsim3-config")
      ->excludes(ini);
  c->callback([words, &invocation] {
    invocation.action = [words, &invocation] {
      auto& options = words->options;
      options.set = pairs_of(words->set);
      options.command_line = invocation.command_line;
      options.stop = invocation.stop;
      if (!options.dramsim3_config.empty()) {
        auto run = with_progress(options, session::replay_dramsim3);
        if (!run) return report_failure(run.error(), invocation.json);
        return finish_dramsim3(*run, invocation.json);
      }
      options.announce = [](const std::string& text) { fmt::print(stderr, "{}\n", text); };
      auto run = with_progress(options, session::replay_trace);
      if (!run) return report_failure(run.error(), invocation.json);
      return finish_run(*run, words->file, invocation.json);
    };
  });
}

void add_explain(CLI::App& app, Invocation& invocation) {
  struct Words {
    std::string run, of = "time", csv;
    std::vector<std::string> by{"layer"};
    std::size_t top = 0;
  };
  auto words = std::make_shared<Words>();
  auto* c = add_command(app, invocation, "explain",
                        "Who paid, and who is to blame: any metric of a run by any axes",
                        "diffram explain sd14.dfr --by layer,class --of time --top 20\n"
                        "  diffram explain hot.dfr --by class --of heat   (a run with --package)");
  c->add_option("RUN", words->run, "A run file (.dfr)")->required();
  c->add_option(
       "--by", words->by,
       "Axes: layer op kernel class tensor phase step model channel rank bank cause culprit")
      ->delimiter(',')
      ->capture_default_str();
  c->add_option("--of", words->of, "Metric")
      ->capture_default_str()
      ->check(CLI::IsMember(session::metric_names()));
  c->add_option("--top", words->top, "Only the N largest rows; the rest is one row");
  c->add_option("--csv", words->csv, "Write the table to FILE as CSV");
  c->callback([words, &invocation] {
    invocation.action = [words, &invocation] {
      auto table = session::explain_file(words->run, words->by, words->of, words->top);
      if (!table) return report_failure(table.error(), invocation.json);
      if (!words->csv.empty()) {
        if (auto written = session::write_text(words->csv, session::table_csv(*table)); !written) {
          return report_failure(written.error(), invocation.json);
        }
      }
      fmt::print(
          "{}", invocation.json ? session::table_json(*table) + "\n" : session::table_text(*table));
      return session::kDone;
    };
  });
}

void add_report(CLI::App& app, Invocation& invocation) {
  struct Words {
    std::string run, file = "report.html";
  };
  auto words = std::make_shared<Words>();
  auto* c = add_command(app, invocation, "report", "Write one self-contained page of a run",
                        "diffram report sd14.dfr -o report.html");
  c->add_option("RUN", words->run, "A run file (.dfr)")->required();
  c->add_option("-o,--output", words->file, "Page to write")->capture_default_str();
  c->callback([words, &invocation] {
    invocation.action = [words, &invocation] {
      auto run = session::open_run(words->run);
      if (!run) return report_failure(run.error(), invocation.json);
      if (auto written = session::write_report(*run, words->file); !written) {
        return report_failure(written.error(), invocation.json);
      }
      if (invocation.json) {
        fmt::print("{{\"report\": \"{}\"}}\n", words->file);
      } else {
        fmt::print("{}\n", words->file);
      }
      return session::kDone;
    };
  });
}

void add_check(CLI::App& app, Invocation& invocation) {
  struct Words {
    session::CheckOptions options;
    std::vector<std::string> set;
  };
  auto words = std::make_shared<Words>();
  auto* c = add_command(app, invocation, "check",
                        "Hold a command log of any simulator against a memory's rules",
                        "diffram check my.commands --memory ddr4-3200-8g-2ch --top 20\n\n"
                        "Exit code 0: no violation; 1: violations; 2: wrong usage; 3: bad input.");
  c->add_option("COMMANDS", words->options.commands,
                "Log of diffram, DRAMsim3, Ramulator 2 or DRAMPower; plain, .gz or .zst")
      ->required();
  c->add_option("--memory", words->options.memory, "Memory: a name or a TOML file")->required();
  c->add_option("--top", words->options.top, "Violations to show one by one; all are counted")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{0}, std::size_t{1'000'000}));
  add_set(c, words->set);
  c->callback([words, &invocation] {
    invocation.action = [words, &invocation] {
      auto& options = words->options;
      options.set = pairs_of(words->set);
      options.as_json = invocation.json;
      auto found = with_progress(options, session::check_commands);
      if (!found) return report_failure(found.error(), invocation.json);
      fmt::print("{}", found->text);
      return found->violations == 0 ? session::kDone : session::kFound;
    };
  });
}

void add_energy(CLI::App& app, Invocation& invocation) {
  struct Words {
    session::EnergyOptions options;
    std::string rules = "diffram", inversion = "off";
    std::vector<std::string> set;
  };
  auto words = std::make_shared<Words>();
  auto* c = add_command(app, invocation, "energy",
                        "Energy of a command log of any simulator, core and interface",
                        "diffram energy my.commands --memory ddr4-3200-8g-2ch\n"
                        "  diffram energy my.csv --drampower-memspec ddr4.json --json\n\n"
                        "What the memory's file does not say is not guessed: its energy is null, "
                        "and a note says why.");
  auto& options = words->options;
  c->add_option("COMMANDS", options.commands,
                "Log of diffram, DRAMsim3, Ramulator 2 or DRAMPower; plain, .gz or .zst")
      ->required();
  auto* memory = c->add_option("--memory", options.memory, "Memory: a name or a TOML file");
  auto* memspec = c->add_option("--drampower-memspec", options.memspec,
                                "Memory: DRAMPower 6.2's description, JSON");
  memory->excludes(memspec);
  c->add_option("--cycles", options.cycles, "Window; default as long as the log says, or lasts")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 60));
  c->add_option("--rules", words->rules,
                "Of interface energy: diffram's, or DRAMPower 6.2's with its errors")
      ->capture_default_str()
      ->check(CLI::IsMember({"diffram", "drampower"}));
  c->add_option("--dbi", words->inversion, "Data bus inversion of bursts with data")
      ->capture_default_str()
      ->check(CLI::IsMember({"on", "off"}));
  c->add_option("--toggle", options.toggle,
                "Bursts without data: share of beats in which a data pin changes; default 0.5")
      ->check(CLI::Range(0.0, 1.0));
  c->add_option("--ones", options.ones,
                "Bursts without data: share of beats that are high; default 0.5")
      ->check(CLI::Range(0.0, 1.0));
  add_set(c, words->set);
  c->callback([words, &invocation] {
    if (words->options.memory.empty() && words->options.memspec.empty())
      throw CLI::RequiredError("--memory or --drampower-memspec");
    invocation.action = [words, &invocation] {
      session::EnergyOptions& asked = words->options;
      asked.set = pairs_of(words->set);
      asked.as_json = invocation.json;
      asked.drampower_rules = words->rules == "drampower";
      asked.inverts_data = words->inversion == "on";
      auto found = with_progress(asked, session::energy_of_commands);
      if (!found) return report_failure(found.error(), invocation.json);
      return tell(invocation.json ? std::vector<base::Diagnostic>{} : found->diagnostics,
                  found->text);
    };
  });
}

void add_convert(CLI::App& app, Invocation& invocation) {
  struct Words {
    session::ConvertOptions options;
    std::vector<std::string> set;
  };
  auto words = std::make_shared<Words>();
  auto* c = add_command(app, invocation, "convert",
                        "Write a request trace in another format, or a DRAMsim3 configuration as a "
                        "memory file",
                        "diffram convert my.stl my.dfq.zst\n"
                        "  diffram convert my.ptrc my.trace --trace-clock 0.625\n"
                        "  diffram convert DDR4_8Gb_x8_2400.ini my-memory.toml");
  c->add_option("IN", words->options.input,
                "The trace, or a DRAMsim3 configuration; what it is is seen from its content")
      ->required();
  c->add_option("OUT,-o,--output", words->options.output,
                "The file to write; .dfq .trace .stl .rstl .trc .ptrc say the format, .gz or .zst "
                "behind it packs; .toml for a configuration")
      ->required();
  c->add_option("--to", words->options.format,
                "Format: diffram, dramsim3, ramulator1, ramulator2, dramsys, dramsys-relative, "
                "gem5 or gem5-text; memory for a configuration");
  c->add_option("--trace-clock", words->options.trace_clock_ns,
                "Nanoseconds a cycle of IN where it says none; else of OUT, and times are scaled");
  c->add_option("--memory", words->options.memory,
                "Memory that a trace of places (R 0,0,1,2,7,3) is of: a name or a TOML file");
  c->add_flag("--lenient", words->options.lenient, "Unknown operation words are reads, counted");
  add_set(c, words->set);
  c->callback([words, &invocation] {
    invocation.action = [words, &invocation] {
      auto& options = words->options;
      options.set = pairs_of(words->set);
      options.as_json = invocation.json;
      options.stop = invocation.stop;
      auto done = with_progress(options, session::convert);
      if (!done) return report_failure(done.error(), invocation.json);
      if (invocation.json) done->diagnostics.clear();  // they are in the object
      return tell(done->diagnostics, done->text);
    };
  });
}

void add_catalogue(CLI::App& app, Invocation& invocation) {
  auto what = std::make_shared<std::string>();
  auto* l = add_command(app, invocation, "list",
                        "Shipped workloads, machines, memories, packages, schedulers and mappings",
                        "diffram list memories");
  l->add_option("WHAT", *what, "One kind only")
      ->check(CLI::IsMember(
          {"workloads", "machines", "memories", "packages", "schedulers", "mappings"}));
  l->callback([what, &invocation] {
    invocation.action = [what, &invocation] {
      auto text = session::list(*what, invocation.json);
      if (!text) return report_failure(text.error(), invocation.json);
      fmt::print("{}", *text);
      return session::kDone;
    };
  });
  auto name = std::make_shared<std::string>();
  auto set = std::make_shared<std::vector<std::string>>();
  auto* d = add_command(app, invocation, "describe",
                        "Everything derived from a memory, machine or workload, with units",
                        "diffram describe ddr4-3200-8g-2ch");
  d->add_option("NAME", *name, "A name (diffram list) or a TOML file")->required();
  add_set(d, *set);
  d->callback([name, set, &invocation] {
    invocation.action = [name, set, &invocation] {
      auto text = session::describe(*name, pairs_of(*set), invocation.json);
      if (!text) return report_failure(text.error(), invocation.json);
      fmt::print("{}", *text);
      return session::kDone;
    };
  });
}

}  // namespace

void add_commands(CLI::App& app, Invocation& invocation) {
  add_run(app, invocation);
  add_replay(app, invocation);
  add_check(app, invocation);
  add_energy(app, invocation);
  add_convert(app, invocation);
  add_explain(app, invocation);
  add_report(app, invocation);
  add_catalogue(app, invocation);
}

}  // namespace diffram::cli
