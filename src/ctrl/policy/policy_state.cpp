// The state of an idle channel as bytes, for checkpoints: what the past has left in each class. The
// queues and lists are empty.

#include <cassert>
#include <cereal/archives/binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>

#include "base/archive.h"
#include "ctrl/policy/policy_channel.h"

namespace diffram::ctrl {

void PolicyChannel::save(std::ostream& out) const {
  assert(idle());
  cereal::BinaryOutputArchive archive(out);
  archive(*this, scheduling_->remembered(), page_->remembered());
}

void PolicyChannel::restore(std::istream& in) {
  cereal::BinaryInputArchive archive(in);
  std::vector<std::int64_t> of_scheduling, of_page;
  archive(*this, of_scheduling, of_page);
  scheduling_->recall(of_scheduling);
  page_->recall(of_page);
}

}  // namespace diffram::ctrl
