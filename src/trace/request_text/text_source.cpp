#include "trace/request_text/text_source.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

namespace diffram::trace {

namespace {

/// Read ahead in one go: some 2,000 lines, about what one round of a replay takes.
constexpr std::size_t kBytesAhead = std::size_t{1} << 16;
/// The first part is no text to be read but bytes to be fetched, behind that text: the longest
/// part, so it is begun first.
constexpr std::size_t kReadsBehind = 1;
constexpr std::size_t kShortestLine = 4;  // "R 0\n"

std::uint64_t capped_sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::uint64_t>::max() : sum;
}

}  // namespace

base::Result<std::size_t> TextSource::read(std::span<TraceRequest> out) {
  if (!errors_.empty()) return tl::unexpected(std::exchange(errors_, {}));
  std::size_t count = 0;
  if (holds_one_ && !out.empty()) {
    out[count++] = held_;
    holds_one_ = false;
  }
  while (count < out.size()) {
    const std::size_t usual = read_here(out.subspan(count));
    count += usual;
    if (usual > 0) continue;
    // A line of another form, or one that is not in memory as a whole, or two requests for one
    // place.
    auto more = read_long_way(out, count);
    if (!more) {
      if (count == 0) return tl::unexpected(more.error());
      errors_ = std::move(more.error());
      break;
    }
    if (!*more) break;
  }
  return count;
}

std::size_t TextSource::read_here(std::span<TraceRequest> out) {
  const std::uint64_t here = lines_.offset();
  drop_parts_before(here);
  std::string_view text = lines_.whole_lines();
  if (first_part_ < ends_) {
    Part& part = parts_[first_part_];
    if (part.begin == here && part.given < part.read.requests) return give_from(part, out);
    text = text.substr(0, (part.begin > here ? 0 : part.bytes) + part.begin - here);
  }
  const UsualLines read = format_->read_usual(text.data(), text.data() + text.size(), out);
  const int before = lines_.number();
  for (TraceRequest& request : out.first(read.requests)) request.line += before;
  lines_.pass(static_cast<std::size_t>(read.stopped - text.data()), read.lines);
  settle(out.first(read.requests));
  return read.requests;
}

/// The part begins where the file stands until all its requests are given.
std::size_t TextSource::give_from(Part& part, std::span<TraceRequest> out) {
  const std::size_t count = std::min(out.size(), part.read.requests - part.given);
  const int before = lines_.number();
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = part.requests[part.given + i];
    out[i].line += before;
  }
  part.given += count;
  if (part.given == part.read.requests)
    lines_.pass(static_cast<std::size_t>(part.read.stopped - part.text), part.read.lines);
  settle(out.first(count));
  return count;
}

base::Result<bool> TextSource::read_long_way(std::span<TraceRequest> out, std::size_t& count) {
  std::string_view line;
  auto more = lines_.next(line);
  if (!more || !*more) return more;
  std::array<TraceRequest, kRequestsALine> requests;
  auto found = format_->read_line(line, {lines_, options_, counts_}, requests);
  if (!found) return tl::unexpected(found.error());
  for (TraceRequest& request : std::span(requests).first(*found)) request.line = lines_.number();
  settle(std::span(requests).first(*found));
  if (*found > 0) out[count++] = requests[0];
  if (*found < kRequestsALine) return true;
  if (count < out.size()) {
    out[count++] = requests[1];
  } else {
    held_ = requests[1];
    holds_one_ = true;
  }
  return true;
}

template <LineTime kTime>
void TextSource::settle_as(std::span<TraceRequest> requests) {
  for (TraceRequest& request : requests) {
    const bool writes = request.direction == base::Direction::write;
    if constexpr (kTime == LineTime::relative)
      request.cycle = capped_sum(last_cycle_, request.cycle);
    if constexpr (kTime == LineTime::none) request.cycle = next_cycle_++;
    if constexpr (kTime == LineTime::bubbles) {
      request.cycle = writes ? last_cycle_ : capped_sum(next_cycle_, request.cycle);
      next_cycle_ = capped_sum(request.cycle, 1);
    }
    counts_.writes += writes ? 1 : 0;
    counts_.reads += writes ? 0 : 1;
    counts_.with_bytes += request.bytes > 0 ? 1 : 0;
    counts_.cycles_going_back += request.cycle < last_cycle_ ? 1 : 0;
    last_cycle_ = request.cycle;
  }
}

void TextSource::settle(std::span<TraceRequest> requests) {
  switch (format_->time()) {
    case LineTime::absolute:
      return settle_as<LineTime::absolute>(requests);
    case LineTime::relative:
      return settle_as<LineTime::relative>(requests);
    case LineTime::none:
      return settle_as<LineTime::none>(requests);
    case LineTime::bubbles:
      return settle_as<LineTime::bubbles>(requests);
  }
}

std::size_t TextSource::prepare_ahead(std::size_t most) {
  if (most <= kReadsBehind) return 0;
  lines_.fetch(kBytesAhead);
  const std::string_view text = lines_.whole_lines();
  const std::uint64_t here = lines_.offset();
  const std::size_t all = std::min(text.size(), kBytesAhead);
  // What was read ahead and is not used up comes first.
  drop_parts_before(here);
  std::rotate(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(first_part_),
              parts_.end());
  ends_ -= first_part_;
  first_part_ = 0;
  const std::size_t kept = ends_;
  first_ahead_ = kept;
  most -= kReadsBehind;
  parts_.resize(std::max(parts_.size(), kept + most));
  std::size_t begin =
      kept == 0 ? 0
                : static_cast<std::size_t>(parts_[kept - 1].begin - here) + parts_[kept - 1].bytes;
  const std::size_t each = begin < all ? (all - begin) / most + 1 : 1;
  while (ends_ - kept < most && begin < all) {
    const std::size_t line_end = text.find('\n', std::min(begin + each, all) - 1);
    Part& part = parts_[ends_++];
    part.begin = here + begin;
    part.text = text.data() + begin;
    part.bytes = line_end + 1 - begin;
    part.given = 0;
    begin = line_end + 1;
  }
  return kReadsBehind + ends_ - kept;
}

void TextSource::read_ahead(std::size_t index) {
  if (index < kReadsBehind) return lines_.read_behind();
  Part& part = parts_[first_ahead_ + index - kReadsBehind];
  const std::size_t room = part.bytes / kShortestLine + kRequestsALine;
  if (part.requests.size() < room) part.requests.resize(room);
  part.read = format_->read_usual(part.text, part.text + part.bytes, part.requests);
}

void TextSource::drop_parts_before(std::uint64_t offset) {
  while (first_part_ < ends_ && parts_[first_part_].begin + parts_[first_part_].bytes <= offset)
    ++first_part_;
}

}  // namespace diffram::trace
