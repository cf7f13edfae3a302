#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lower/placement/page_permutation.h"
#include "lower/placement/placement.h"

namespace diffram::lower {

namespace {

constexpr std::uint64_t kSmallPage = 4096;
constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;

class IdentityMap : public PageMap {
 public:
  explicit IdentityMap(std::uint64_t capacity) : capacity_(capacity) {}
  std::uint64_t physical(std::uint64_t address) const override { return address; }
  std::uint64_t contiguous_bytes(std::uint64_t address) const override {
    return capacity_ - address;
  }

 private:
  std::uint64_t capacity_;
};

/// Whole pages move; what does not fill one (or a whole round of them) at the end stays put.
class PagedMap : public PageMap {
 public:
  PagedMap(std::uint64_t capacity, std::uint64_t page_bytes, std::uint64_t pages_moved)
      : capacity_(capacity), page_bytes_(page_bytes), moved_(pages_moved) {}

  std::uint64_t physical(std::uint64_t address) const final {
    const std::uint64_t page = address / page_bytes_;
    if (page >= moved_) return address;
    return moved_to(page) * page_bytes_ + address % page_bytes_;
  }
  std::uint64_t contiguous_bytes(std::uint64_t address) const final {
    if (address / page_bytes_ >= moved_) return capacity_ - address;
    return page_bytes_ - address % page_bytes_;
  }

 protected:
  virtual std::uint64_t moved_to(std::uint64_t page) const = 0;

 private:
  std::uint64_t capacity_, page_bytes_, moved_;
};

class RandomMap : public PagedMap {
 public:
  RandomMap(std::uint64_t capacity, std::uint64_t page_bytes, std::uint64_t seed)
      : PagedMap(capacity, page_bytes, capacity / page_bytes),
        shuffled_(capacity / page_bytes, seed) {}

 protected:
  std::uint64_t moved_to(std::uint64_t page) const override { return shuffled_(page); }

 private:
  PagePermutation shuffled_;
};

class InterleavedMap : public PagedMap {
 public:
  explicit InterleavedMap(std::uint64_t capacity)
      : PagedMap(capacity, kSmallPage,
                 capacity / kSmallPage / kInterleavedRegions * kInterleavedRegions),
        pages_of_region_(capacity / kSmallPage / kInterleavedRegions) {}

 protected:
  std::uint64_t moved_to(std::uint64_t page) const override {
    return page % kInterleavedRegions * pages_of_region_ + page / kInterleavedRegions;
  }

 private:
  std::uint64_t pages_of_region_;
};

}  // namespace

base::Result<std::unique_ptr<PageMap>> make_page_map(const std::string& name,
                                                     std::uint64_t capacity_bytes,
                                                     std::uint64_t seed) {
  if (name == "identity") return std::make_unique<IdentityMap>(capacity_bytes);
  if (name == "random-2m") return std::make_unique<RandomMap>(capacity_bytes, kHugePage, seed);
  if (name == "random-4k") return std::make_unique<RandomMap>(capacity_bytes, kSmallPage, seed);
  if (name == "interleaved") return std::make_unique<InterleavedMap>(capacity_bytes);
  const std::string near =
      base::nearest(name, {"identity", "random-2m", "random-4k", "interleaved"});
  return base::failure(base::Error{
      .code = "unknown_name",
      .message = fmt::format("there is no page map \"{}\"", name),
      .file = {},
      .line = 0,
      .field = "page_map",
      .expected = near.empty() ? "identity, random-2m, random-4k or interleaved" : near});
}

}  // namespace diffram::lower
