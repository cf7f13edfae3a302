// The state of an idle channel as bytes, for checkpoints: each class lists what the past has left
// in it (`serialize`); queues and lists are empty, scratch is worked out again.

#include <cassert>
#include <cereal/archives/binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>

#include "base/archive.h"
#include "ctrl/frfcfs.h"

namespace diffram::ctrl {

void Frfcfs::save(std::ostream& out) const {
  assert(idle());
  cereal::BinaryOutputArchive archive(out);
  archive(*this);
}

void Frfcfs::restore(std::istream& in) {
  cereal::BinaryInputArchive archive(in);
  archive(*this);
  for (std::uint32_t bank = 0; bank < device_.banks(); ++bank) {
    if (rows_[bank] == kNone) {
      open_.remove(bank);
    } else {
      open_.add(bank);
    }
  }
  active_ = &queue(direction_);
  event_at_ = 0;
  usual_until_ = -1;
}

}  // namespace diffram::ctrl
