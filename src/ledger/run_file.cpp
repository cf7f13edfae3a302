#include "ledger/run_file.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/whole_file.h"
#include "ledger/run_tables.h"

namespace diffram::ledger {
namespace {

namespace fs = std::filesystem;

constexpr int kApplicationId = 0x64'66'72'75;  // "dfru", at byte 68 of the file
constexpr int kPageBytes = 4096;               // SQLite's default, pinned: same record, same bytes

// Places in SQLite's file header, https://sqlite.org/fileformat2.html section 1.3.
constexpr std::size_t kHeaderBytes = 100;
constexpr std::size_t kPageSizeAt = 16, kPageCountAt = 28, kUserVersionAt = 60,
                      kApplicationIdAt = 68;

bool is_out_of_room(int system_error) {
  return system_error == ENOSPC || system_error == EDQUOT || system_error == EFBIG;
}

tl::unexpected<base::Errors> refuse(const std::string& code, const std::string& message,
                                    const std::string& path, const std::string& expected) {
  base::Error error;
  error.code = code;
  error.message = message;
  error.file = path;
  error.expected = expected;
  return base::failure(std::move(error));
}

tl::unexpected<base::Errors> refuse_write(const std::string& path, bool out_of_room,
                                          const std::string& reason) {
  if (out_of_room)
    return refuse("disk_full", "no room left to write the run file", path,
                  "more free space, or another folder with -o");
  return refuse("cannot_write", "cannot write the run file: " + reason, path, "");
}

/// Removes the half-written file unless it was kept.
class PartialFile {
 public:
  explicit PartialFile(fs::path path) : path_(std::move(path)) { remove(); }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;
  ~PartialFile() {
    if (!is_kept_) remove();
  }
  const fs::path& path() const { return path_; }
  void keep() { is_kept_ = true; }

 private:
  void remove() const {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  fs::path path_;
  bool is_kept_ = false;
};

/// 0, or errno.
int sync_to_disk(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  return error;
}

/// SQLite reports a quota or a size limit as "disk I/O error" and its errno is stale by then, so
/// the file system is asked once more. 0, or errno.
int error_of_one_more_page(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const std::array<char, kPageBytes> page{};
  const int error = ::write(descriptor, page.data(), page.size()) < 0 ? errno : 0;
  ::close(descriptor);
  return error;
}

void write_database(SQLite::Database& database, const RunRecord& run) {
  // The file is private until it is renamed and synced once as a whole: no journal, no syncs.
  database.exec(
      fmt::format("PRAGMA page_size={}; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
                  "PRAGMA locking_mode=EXCLUSIVE; PRAGMA application_id={};"
                  "PRAGMA user_version={}",
                  kPageBytes, kApplicationId, kRunFileVersion));
  SQLite::Transaction transaction(database);
  create_tables(database);
  insert_run(database, run);
  transaction.commit();
}

std::uint32_t big_endian(const std::array<unsigned char, kHeaderBytes>& header, std::size_t at) {
  return static_cast<std::uint32_t>(header[at]) << 24 |
         static_cast<std::uint32_t>(header[at + 1]) << 16 |
         static_cast<std::uint32_t>(header[at + 2]) << 8 | header[at + 3];
}

/// What can be told from the first 100 bytes and the size, before SQLite sees the file.
base::Result<void> check_header(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || fs::is_directory(path))
    return refuse("cannot_open",
                  std::string("cannot open the run file: ") +
                      std::strerror(fs::exists(path) ? EACCES : ENOENT),
                  path, "a readable .dfr file");
  std::array<unsigned char, kHeaderBytes> header{};
  in.read(reinterpret_cast<char*>(header.data()), kHeaderBytes);
  constexpr char kMagic[16] = "SQLite format 3";
  const bool is_database = std::memcmp(header.data(), kMagic, sizeof kMagic) == 0;
  const bool is_whole_header = in.gcount() == kHeaderBytes;
  if (!is_database || (is_whole_header && big_endian(header, kApplicationIdAt) != kApplicationId))
    return refuse("not_a_run_file", "this is not a run file of diffram", path,
                  "a .dfr file written by diffram run or replay");
  const auto whole = std::uintmax_t{big_endian(header, kPageCountAt)} *
                     (header[kPageSizeAt] << 8 | header[kPageSizeAt + 1]);
  const auto size = fs::file_size(path);
  if (!is_whole_header || size < whole)
    return refuse("truncated", fmt::format("the run file ends after {} bytes", size), path,
                  fmt::format("{} bytes", whole));
  const auto version = big_endian(header, kUserVersionAt);
  if (version != kRunFileVersion)
    return refuse("schema_version", fmt::format("the run file has schema version {}", version),
                  path, fmt::format("version {}: run again with this program", kRunFileVersion));
  return {};
}

}  // namespace

base::Result<void> write_run(const RunRecord& run, const std::string& path) {
  if (auto checked = base::check_replaceable(path); !checked) return checked;
  PartialFile partial(path + ".partial");
  try {
    SQLite::Database database(partial.path().string(),
                              SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    try {
      write_database(database, run);
    } catch (const SQLite::Exception& e) {
      const bool out_of_room =
          e.getErrorCode() == SQLITE_FULL || is_out_of_room(error_of_one_more_page(partial.path()));
      return refuse_write(path, out_of_room, e.what());
    }
  } catch (const SQLite::Exception& e) {
    return refuse_write(path, false, e.what());
  }
  if (const int error = sync_to_disk(partial.path()))
    return refuse_write(path, is_out_of_room(error), std::strerror(error));
  std::error_code renamed;
  fs::rename(partial.path(), path, renamed);
  if (renamed) return refuse_write(path, is_out_of_room(renamed.value()), renamed.message());
  partial.keep();
  // The name itself is on disk only when its folder is.
  const fs::path folder = fs::absolute(path).parent_path();
  if (const int error = sync_to_disk(folder))
    return refuse_write(path, is_out_of_room(error), std::strerror(error));
  return {};
}

base::Result<RunRecord> read_run(const std::string& path) {
  if (auto sound = check_header(path); !sound) return base::failure(sound.error());
  try {
    SQLite::Database database(path, SQLite::OPEN_READONLY);
    return select_run(database);
  } catch (const std::exception& e) {
    return refuse("corrupt", std::string("the run file is damaged: ") + e.what(), path,
                  "a whole file; run again");
  }
}

}  // namespace diffram::ledger
