#include "spec/controller_parser.h"

#include <fmt/format.h>

#include <algorithm>

namespace diffram::spec {

namespace {

constexpr std::int64_t kMostCycles = 10'000'000;
constexpr std::int64_t kMostQueue = 65536;
// JESD79-4 lets eight refreshes be owed or be ahead, and two follow each other by 9 tREFI at most
// (unverified). From `refresh_pull_in` ahead to one more than `refresh_postpone` owed are their sum
// + 1 intervals, and the ninth is needed to close the banks.
constexpr std::int64_t kMostRefreshSlack = 7;

class Reader {
 public:
  Reader(Section& section, Reading& reading) : section_(section), reading_(reading) {}

  void count(const char* key, std::int64_t least, std::int64_t most, std::uint32_t& into) {
    const auto value = section_.whole(key, least, most, Need::optional);
    if (value) into = static_cast<std::uint32_t>(*value);
  }

  template <class Enum, std::size_t N>
  void choice(const char* key, const char* what, const std::array<const char*, N>& names,
              Enum& into) {
    const auto name = section_.text(key, Need::optional);
    if (!name) return;
    const auto found = std::find(names.begin(), names.end(), *name);
    if (found != names.end()) {
      into = static_cast<Enum>(found - names.begin());
      return;
    }
    const auto near = base::nearest(*name, std::vector<std::string>(names.begin(), names.end()));
    refuse("unknown_choice", key, fmt::format("there is no {} '{}'", what, *name),
           near.empty() ? fmt::format("{}", fmt::join(names, ", ")) : near);
  }

  void refuse(const char* code, const char* key, std::string message, std::string expected) {
    reading_.refuse(code, section_.path_of(key), 0, std::move(message), std::move(expected));
  }

 private:
  Section& section_;
  Reading& reading_;
};

void read_queues(Reader& read, Controller& out) {
  read.count("read_queue", 1, kMostQueue, out.read_queue);
  read.count("write_queue", 1, kMostQueue, out.write_queue);
  read.count("write_high", 1, kMostQueue, out.write_high);
  read.count("write_low", 0, kMostQueue, out.write_low);
  read.count("group_high", 1, kMostQueue, out.group_high);
  read.count("group_low", 0, kMostQueue, out.group_low);
  read.choice("queue_shape", "queue shape", kQueueShapeNames, out.queue_shape);
  read.count("bank_queue", 1, kMostQueue, out.bank_queue);
}

void check_queues(Reader& read, const Controller& c) {
  if (c.write_high > c.write_queue)
    read.refuse("inconsistent", "write_high",
                fmt::format("a drain that starts at {} writes cannot start in a queue of {}",
                            c.write_high, c.write_queue),
                "write_high <= write_queue");
  if (c.write_low >= c.write_high)
    read.refuse("inconsistent", "write_low",
                fmt::format("a drain from {} writes cannot stop at {}", c.write_high, c.write_low),
                "write_low < write_high");
  if (c.scheduler != "frfcfs-grouped") return;
  if (c.group_high > std::min(c.read_queue, c.write_queue))
    read.refuse("inconsistent", "group_high",
                fmt::format("a group of {} does not fit into queues of {} and {}", c.group_high,
                            c.read_queue, c.write_queue),
                "group_high <= read_queue and write_queue");
  if (c.group_low >= c.group_high)
    read.refuse("inconsistent", "group_low",
                fmt::format("groups of {} cannot end at {}", c.group_high, c.group_low),
                "group_low < group_high");
}

// A scope other than the rank needs a command of its own in the standard's table.
void read_refresh_scope(Section& section, Reader& read, const Standard* standard, Controller& out) {
  const auto scope = section.text("refresh_scope", Need::optional);
  if (!scope || *scope == "all_bank") return;
  const std::vector<std::string> known = {"all_bank", "per_bank", "same_bank"};
  if (std::find(known.begin(), known.end(), *scope) == known.end()) {
    const auto near = base::nearest(*scope, known);
    read.refuse("unknown_choice", "refresh_scope",
                fmt::format("there is no refresh scope '{}'", *scope),
                near.empty() ? fmt::format("{}", fmt::join(known, ", ")) : near);
    return;
  }
  const auto wanted = *scope == "per_bank" ? Command::REFpb : Command::REFsb;
  if (standard != nullptr && standard->part_refresh == wanted) {
    out.refresh_by_parts = true;
    return;
  }
  std::string has = "all_bank";
  if (standard != nullptr && standard->part_refresh)
    has += *standard->part_refresh == Command::REFpb ? " or per_bank" : " or same_bank";
  read.refuse("no_such_command", "refresh_scope",
              fmt::format("{} has no {} refresh command in its table",
                          standard == nullptr ? "this standard" : standard->name,
                          *scope == "per_bank" ? "per-bank" : "same-bank"),
              has);
}

void read_refresh(Section& section, Reader& read, const Standard* standard, Controller& out) {
  out.refresh_stagger =
      section.flag("refresh_stagger", Need::optional).value_or(out.refresh_stagger);
  read.count("refresh_postpone", 0, kMostRefreshSlack, out.refresh_postpone);
  read.count("refresh_pull_in", 0, kMostRefreshSlack, out.refresh_pull_in);
  if (out.refresh_postpone + out.refresh_pull_in > kMostRefreshSlack) {
    read.refuse("out_of_range", "refresh_pull_in",
                "with refresh_postpone it lets two refreshes be more than 9 tREFI apart",
                fmt::format("at most {} together", kMostRefreshSlack));
  }
  read.count("refresh_granularity", 1, 4, out.refresh_granularity);
  if (out.refresh_granularity == 3)
    read.refuse("unknown_choice", "refresh_granularity", "there is no refresh of granularity 3",
                "1, 2 or 4");
  read_refresh_scope(section, read, standard, out);
  if (out.refresh_by_parts && out.refresh_granularity > 1)
    read.refuse("inconsistent", "refresh_granularity",
                "a refresh of single banks has an interval of its own", "1");
}

}  // namespace

Controller read_controller(Section section, const Standard* standard, Reading& reading) {
  Controller out;
  if (!section.present()) return out;
  Reader read(section, reading);
  out.scheduler = section.text("scheduler", Need::optional).value_or(out.scheduler);
  read.choice("page_policy", "page policy", kPagePolicyNames, out.page_policy);
  read.count("page_timeout", 1, kMostCycles, out.page_timeout);
  read_queues(read, out);
  read.count("row_hit_cap", 0, kMostCycles, out.row_hit_cap);
  read.count("max_wait", 1, kMostCycles, out.max_wait);
  read.count("strict_bypass", 0, kMostCycles, out.strict_bypass);
  read.count("strict_age", 1, kMostCycles, out.strict_age);
  read.count("dispatch", 0, Constraint::kMostCycles, out.dispatch);
  read_refresh(section, read, standard, out);
  read.count("power_down_after", 0, kMostCycles, out.power_down_after);
  read.count("self_refresh_after", 0, kMostCycles, out.self_refresh_after);
  section.refuse_unknown_keys();
  check_queues(read, out);
  return out;
}

}  // namespace diffram::spec
