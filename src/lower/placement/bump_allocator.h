#pragma once
// One pointer: a new storage goes behind the last. Freed bytes are reused only from the end, when
// everything behind a live storage is gone: what a hand-planned accelerator buffer does, and the
// plainest layout to study a mapping with.

#include <map>

#include "lower/placement/storage_book.h"

namespace diffram::lower {

class BumpAllocator : public BookedAllocator {
 public:
  explicit BumpAllocator(std::uint64_t capacity_bytes) : BookedAllocator(capacity_bytes) {}

 protected:
  std::optional<std::uint64_t> take(std::uint64_t bytes) override;
  void put_back(std::uint64_t address) override;
  std::vector<Block> pieces() const override;

 private:
  std::uint64_t end() const;
  void reserve_up_to(std::uint64_t end);

  std::map<std::uint64_t, std::uint64_t> live_;  ///< address → bytes
};

}  // namespace diffram::lower
