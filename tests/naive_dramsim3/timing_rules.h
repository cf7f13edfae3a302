#pragma once
// "After this command, that one waits so long", for every pair of commands and every relation of
// their banks.

#include <array>
#include <vector>

#include "naive_dramsim3/configuration.h"

namespace diffram::naive_dramsim3 {

enum Kind { RD, RDA, WR, WRA, ACT, PRE, REFB, REF, SREFE, SREFX, kKinds };

inline bool is_read(Kind kind) { return kind == RD || kind == RDA; }
inline bool is_write(Kind kind) { return kind == WR || kind == WRA; }
inline bool is_column(Kind kind) { return is_read(kind) || is_write(kind); }

/// The bank that waits, seen from the bank of the issued command.
enum Relation { same_bank, same_group, same_rank, other_rank, kRelations };

struct Wait {
  Kind next;
  int cycles;  ///< may be negative
};

class TimingRules {
 public:
  explicit TimingRules(const Configuration& configuration);
  const std::vector<Wait>& after(Kind issued, Relation relation) const {
    return waits_[issued][relation];
  }

 private:
  void add(Kind issued, std::initializer_list<Relation> where, std::initializer_list<Kind> next,
           int cycles);
  std::array<std::array<std::vector<Wait>, kRelations>, kKinds> waits_;
};

}  // namespace diffram::naive_dramsim3
