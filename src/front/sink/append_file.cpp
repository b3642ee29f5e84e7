#include "sdbench/front/sink/append_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/atomic_file.h"
#include "sdbench/base/files/locked_file.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

/// Most bytes of a row that was cut off. Without a limit, one stray quote in CSV would make half
/// of the file look like a cut row. JSON lines may be long, because they have raw samples.
constexpr std::uint64_t longest_row(RowEnd row_end) {
  return row_end == RowEnd::kUnquotedLine ? std::uint64_t{256} << 10 : std::uint64_t{64} << 20;
}

struct stat status_of(const Descriptor& file) {
  struct stat status {};
  ::fstat(file.get(), &status); // cannot fail, because the descriptor is open
  return status;
}

std::uint64_t size_of(const Descriptor& file) {
  return static_cast<std::uint64_t>(status_of(file).st_size);
}

std::string read_at(const Descriptor& file, std::uint64_t offset, std::uint64_t count) {
  std::string bytes(count, '\0');
  std::size_t got = 0;
  while (got < count) {
    const ssize_t more =
        ::pread(file.get(), bytes.data() + got, count - got, static_cast<off_t>(offset + got));
    if (more <= 0) {
      break;
    }
    got += static_cast<std::size_t>(more);
  }
  bytes.resize(got);
  return bytes;
}

/// Bytes of the whole rows from `start`, where a row begins.
std::uint64_t whole_rows(const Descriptor& file, std::uint64_t start, RowEnd row_end) {
  constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
  RowEnds ends(row_end);
  for (std::string piece; !(piece = read_at(file, start, kPiece)).empty(); start += piece.size()) {
    ends.append(piece);
  }
  return ends.whole();
}

/// Writes all data to the disk; true on success. EINVAL means a file system that cannot flush,
/// which also counts as success.
bool synchronise(const Descriptor& file) {
  return ::fdatasync(file.get()) == 0 || errno == EINVAL;
}

} // namespace

AppendFile::AppendFile(const fs::path& path, std::string header, RowEnd row_end, Say say, Sync sync)
    : name_(path), path_(fs::absolute(path)), header_(std::move(header)), row_end_(row_end),
      say_(std::move(say)), sync_(sync) {
  std::error_code unknown;
  const bool is_new = !fs::exists(path_, unknown) && !unknown;
  const Descriptor file = open_locked();
  mend(file);
  seen_ = true;
  if (is_new && size_of(file) == 0) {
    // Opening it only tested that the file can be made. The first row makes it, so that a run
    // without rows leaves no file.
    fs::remove(fs::canonical(path_, unknown), unknown); // keeps a link that leads to it
  } else {
    remember(file);
  }
}

void AppendFile::append(const std::string& rows, const EarlierRows& earlier) {
  const Descriptor file = open_locked();
  std::string missing;
  if (!written_ || is_the_one_we_know(file)) {
    mend(file);
  } else {
    whole_ = 0;
    mend(file);
    const std::string content = read_at(file, 0, whole_);
    for (const NamedRow& named : earlier ? earlier() : std::vector<NamedRow>()) {
      missing += content.find(named.name) == std::string::npos ? named.row : "";
    }
    say_(name_.string() + " was removed or replaced by another program; it is made again, with " +
         (!earlier          ? "what comes from now on"
          : missing.empty() ? "its rows"
                            : "the rows that it lacks"));
  }
  add(file, missing + rows);
  remember(file);
}

Descriptor AppendFile::open() const {
  Descriptor file(
      ::open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644));
  if (!file.ok() && errno == ENOENT && seen_) { // the folder was there and is gone
    std::error_code failure;
    fs::create_directories(path_.parent_path(), failure);
    if (!failure) {
      if (!written_) {
        say_("the folder of " + name_.string() +
             " was removed by another program; it is made again");
      }
      return Descriptor(
          ::open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0644));
    }
    errno = failure.value();
  }
  return file;
}

/// The file, open and locked until the descriptor closes.
Descriptor AppendFile::open_locked() const {
  const auto open_regular = [&] {
    Descriptor file = open();
    if (!file.ok()) {
      refuse(why_not_writable(name_, errno));
    }
    if (!S_ISREG(status_of(file).st_mode)) {
      refuse("it must be a regular file, but is not");
    }
    return file;
  };
  return locked_file(path_, open_regular, "append to " + name_.string());
}

bool AppendFile::is_the_one_we_know(const Descriptor& file) const {
  const struct stat status = status_of(file);
  return status.st_dev == device_ && status.st_ino == inode_ &&
         static_cast<std::uint64_t>(status.st_size) >= whole_;
}

/// Checks the header and the rows that others added, and moves away a row that was cut off.
void AppendFile::mend(const Descriptor& file) {
  const std::uint64_t size = size_of(file);
  const std::string beginning = read_at(file, 0, std::min<std::uint64_t>(size, header_.size()));
  const bool never_reached_the_disk =
      beginning.find_first_not_of('\0') == std::string::npos && size <= longest_row(row_end_);
  if (!header_.starts_with(beginning) && !never_reached_the_disk) {
    refuse("its first line must be the header of this sdbench's rows, but is another (written by "
           "another version or program); name another file, and join them with sdbench merge");
  }
  whole_ += whole_rows(file, whole_, row_end_);
  if (whole_ == size) {
    return;
  }
  const std::uint64_t cut = size - whole_;
  if (cut > longest_row(row_end_)) {
    refuse("its last row must end in a line end, but none is in its last " + std::to_string(cut) +
           " bytes; correct it, or name another file");
  }
  if (is_whole_row(read_at(file, whole_, cut), row_end_)) {
    add(file, "\n"); // other programs may leave out the last line end
  } else {
    move_cut_row(file, size);
  }
}

void AppendFile::move_cut_row(const Descriptor& file, std::uint64_t size) const {
  const std::string beside = ".cut";
  const std::string bytes = read_at(file, whole_, size - whole_) + "\n";
  const Descriptor keeper(::open((path_.string() + beside).c_str(),
                                 O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0644));
  if (!keeper.ok() ||
      ::write(keeper.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()) ||
      !synchronise(keeper) || ::ftruncate(file.get(), static_cast<off_t>(whole_)) != 0) {
    refuse("its last row is cut off and cannot be moved to " + name_.string() + beside + ": " +
           std::strerror(errno));
  }
  say_("the last row of " + name_.string() + " was cut off (a power failure, a full disk?); its " +
       std::to_string(size - whole_) + " bytes are moved to " + name_.string() + beside);
}

/// Adds bytes behind the whole rows, with one write.
void AppendFile::add(const Descriptor& file, std::string bytes) {
  const std::uint64_t before = size_of(file);
  if (before == 0) {
    bytes.insert(0, header_);
  }
  const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
  const bool whole = written == static_cast<ssize_t>(bytes.size());
  if (!whole || (sync_ == Sync::kEachTime && !synchronise(file))) {
    const std::string reason =
        whole || written < 0 ? std::strerror(errno) : "no space left for a whole row";
    if (::ftruncate(file.get(), static_cast<off_t>(before)) != 0) {
      refuse(reason + ", and the half row could not be taken back");
    }
    refuse(reason);
  }
  if (before == 0 && sync_ == Sync::kEachTime) {
    sync_folder_of(path_);
  }
  whole_ = before + bytes.size();
}

void AppendFile::remember(const Descriptor& file) {
  const struct stat status = status_of(file);
  written_ = true;
  device_ = status.st_dev;
  inode_ = status.st_ino;
}

void AppendFile::refuse(const std::string& reason) const {
  throw Error("cannot append to " + name_.string() + ": " + reason);
}

} // namespace sdbench
