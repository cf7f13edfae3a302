#include "sim/checkpoint.h"

#include <fmt/format.h>
#include <zstd.h>

#include <cereal/archives/binary.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/whole_file.h"
#include "ledger/archive.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace diffram::sim {

template <class Archive>
void serialize(Archive& archive, StepTimes& times) {
  archive(times.cycles, times.ops);
}
template <class Archive>
void serialize(Archive& archive, OpenStep& step) {
  archive(step.start, step.now, step.next_ticket, step.ops, step.times);
}
template <class Archive>
void serialize(Archive& archive, OpenEpoch& open) {
  archive(open.length, open.epoch, open.known);
}
template <class Archive>
void serialize(Archive& archive, ProgramState& state) {
  archive(state.records, state.step, state.channels, state.epochs, state.open_epoch);
}

namespace {

// One line of text, then the state: an archive of cereal in the byte order of this machine, as one
// zstd frame. The hash is that of the frame, so damage is found before anything is made of it.
constexpr const char* kMagic = "diffram-checkpoint 2";
constexpr int kCompression = 1;  // zstd's fastest usual level: the state changes every few seconds

std::string hash_of(std::string_view bytes) {
  return fmt::format("{:016x}", XXH64(bytes.data(), bytes.size(), 0));
}

std::string head_of(const std::string& identity, std::string_view frame, std::size_t size) {
  return fmt::format("{} {} {} {} {}\n", kMagic, hash_of(identity), hash_of(frame), frame.size(),
                     size);
}

tl::unexpected<base::Errors> refuse(std::string code, std::string message, const std::string& path,
                                    std::string expected) {
  return base::failure({.code = std::move(code),
                        .message = std::move(message),
                        .file = path,
                        .line = 0,
                        .field = "--resume",
                        .expected = std::move(expected)});
}

}  // namespace

base::Result<void> write_checkpoint(const ProgramState& state, const std::string& identity,
                                    const std::string& path) {
  std::ostringstream out;
  cereal::BinaryOutputArchive archive(out);
  archive(state);
  const std::string whole = std::move(out).str();
  std::string frame(ZSTD_compressBound(whole.size()), '\0');
  frame.resize(ZSTD_compress(frame.data(), frame.size(), whole.data(), whole.size(), kCompression));
  return base::write_whole_file(path, head_of(identity, frame, whole.size()) + frame);
}

base::Result<ProgramState> read_checkpoint(const std::string& path, const std::string& identity) {
  const std::string again = "the file removed, or the run without --resume";
  std::ifstream in(path, std::ios::binary);
  if (!in) return refuse("cannot_open", "the checkpoint cannot be read", path, again);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t newline = text.find('\n');
  std::istringstream head(text.substr(0, newline));
  std::string name, version, of_identity, of_frame;
  std::size_t frame_size = 0, size = 0;
  head >> name >> version >> of_identity >> of_frame >> frame_size >> size;
  const std::string_view frame = newline == std::string::npos
                                     ? std::string_view()
                                     : std::string_view(text).substr(newline + 1);
  if (!head || name + " " + version != kMagic || frame.size() != frame_size ||
      hash_of(frame) != of_frame) {
    return refuse("corrupt", "the checkpoint is damaged or of another version", path, again);
  }
  if (of_identity != hash_of(identity)) {
    return refuse("other_run",
                  "the checkpoint belongs to another run: workload, memory, machine, an option or "
                  "the version differs",
                  path, "the options that the run was started with; else " + again);
  }
  std::string whole(size, '\0');
  const std::size_t got = ZSTD_decompress(whole.data(), whole.size(), frame.data(), frame.size());
  if (ZSTD_isError(got) != 0 || got != size) {
    return refuse("corrupt", "the checkpoint is damaged", path, again);
  }
  ProgramState state;
  std::istringstream stored(whole);
  cereal::BinaryInputArchive archive(stored);
  archive(state);
  return state;
}

}  // namespace diffram::sim
