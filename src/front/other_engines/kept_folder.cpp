#include "kept_folder.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <system_error>

#include <sys/stat.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/cache_folder.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/files/sha256.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSeal = "sealed.json";
constexpr const char* kStamp = "stamp";
constexpr const char* kHash = "sha256";

/// A file's size and times. They include the time of the last change (ctime), which no program can
/// set back.
Json stamp_of(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) {
    throw Error("cannot read " + file.string());
  }
  return Json{status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
              status.st_ctim.tv_nsec};
}

Json sealed_files(const fs::path& folder) {
  Json files = Json::object();
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path() != folder / kSeal) {
      files[entry.path().lexically_relative(folder).string()] = {
          {kStamp, stamp_of(entry.path())}, {kHash, sha256_hex_of(entry.path())}};
    }
  }
  return files;
}

bool has_same_stamps(const fs::path& folder, const Json& files) {
  for (const auto& [name, sealed] : files.items()) {
    if (sealed.at(kStamp) != stamp_of(folder / name)) {
      return false;
    }
  }
  return true;
}

bool has_same_bytes(const Json& files, const Json& others) {
  for (const auto& [name, sealed] : files.items()) {
    if (!others.contains(name) || others[name][kHash] != sealed.at(kHash)) {
      return false;
    }
  }
  return true;
}

void write_seal(const fs::path& folder, const Json& files) {
  write_file_atomically(folder / kSeal, json_text(files, 1));
}

} // namespace

std::filesystem::path kept_folder(std::string_view name) {
  const std::filesystem::path folder = cache_folder();
  if (folder.empty()) {
    throw Error("HOME or XDG_CACHE_HOME must name a folder for what is kept, but neither does");
  }
  return folder / name;
}

Descriptor open_lock(const std::filesystem::path& entry) {
  const std::string file = entry.string() + ".lock";
  Descriptor descriptor(::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!descriptor.ok()) {
    throw Error("cannot write " + file + ": " + std::strerror(errno));
  }
  return descriptor;
}

void seal_folder(const fs::path& folder) {
  write_seal(folder, sealed_files(folder));
}

bool is_as_sealed(const fs::path& folder) {
  Json now;
  try {
    const Json sealed = read_json_file(folder / kSeal);
    if (sealed.empty() || has_same_stamps(folder, sealed)) {
      return !sealed.empty();
    }
    now = sealed_files(folder); // copying also changes stamps, so compare bytes
    if (!has_same_bytes(sealed, now)) {
      return false;
    }
  } catch (const Error&) {
    return false;
  } catch (const Json::exception&) { // not a seal
    return false;
  } catch (const fs::filesystem_error&) {
    return false;
  }
  try {
    write_seal(folder, now);
  } catch (const Error&) { // not writable for this user, so bytes are read again next time
  }
  return true;
}

} // namespace sdbench
