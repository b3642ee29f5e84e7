#include "sdbench/base/files/atomic_folder.h"

#include <string>
#include <system_error>

#include "sdbench/base/errors/error.h"
#include "unique_number.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

void check_target(const fs::path& target, const fs::path& parent) {
  std::error_code ignored;
  if (!fs::is_directory(parent, ignored)) {
    throw Error("folder " + target.string() + " must have a parent that is there, but " +
                parent.string() + " is not a folder; make it first");
  }
  if (fs::exists(fs::symlink_status(target, ignored)) &&
      !(fs::is_directory(target, ignored) && fs::is_empty(target, ignored))) {
    throw Error("folder " + target.string() +
                " must be new or empty, but is there already; name another, or remove it");
  }
}

} // namespace

AtomicFolder::AtomicFolder(const fs::path& target) {
  // "out/" and "out" are the same folder; a relative path has its parent too.
  const fs::path absolute = fs::absolute(target).lexically_normal();
  target_ = absolute.has_filename() ? absolute : absolute.parent_path();
  check_target(target_, target_.parent_path());
  temporary_ = target_;
  temporary_ += std::string(kPartialFolder) + unique_number();
  std::error_code error;
  if (!fs::create_directory(temporary_, error)) {
    throw Error("folder " + target_.string() + " must be writable, but making " +
                temporary_.string() + " failed: " + (error ? error.message() : "it is there"));
  }
}

AtomicFolder::~AtomicFolder() {
  if (!committed_) {
    std::error_code ignored; // another error is being thrown
    fs::remove_all(temporary_, ignored);
  }
}

void AtomicFolder::commit() {
  std::error_code error;
  fs::rename(temporary_, target_, error);
  if (error) {
    throw Error("folder " + target_.string() +
                " must be writable, but renaming failed: " + error.message());
  }
  committed_ = true;
}

} // namespace sdbench
