#pragma once
// What is known of each request under way, by the ticket it has in a channel. Tickets of what was
// answered are used again, so the table is as long as most were under way at once.

#include <cstdint>
#include <vector>

namespace diffram::library {

template <class Known>
class TicketTable {
 public:
  std::uint64_t add(const Known& known) {
    if (free_.empty()) {
      entries_.push_back(known);
      return entries_.size() - 1;
    }
    const std::uint64_t ticket = free_.back();
    free_.pop_back();
    entries_[ticket] = known;
    return ticket;
  }
  Known& operator[](std::uint64_t ticket) { return entries_[ticket]; }
  void remove(std::uint64_t ticket) { free_.push_back(ticket); }
  void clear() {
    entries_.clear();
    free_.clear();
  }
  /// Requests under way.
  std::size_t size() const { return entries_.size() - free_.size(); }

 private:
  std::vector<Known> entries_;
  std::vector<std::uint64_t> free_;
};

}  // namespace diffram::library
