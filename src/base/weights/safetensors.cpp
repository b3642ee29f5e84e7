#include "sdbench/base/weights/safetensors.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "renaming.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/descriptor.h"
#include "sdbench/base/files/git_lfs.h"

namespace sdbench {
namespace {

constexpr std::uint64_t kLengthBytes = 8;

/// The first 8 bytes: the header's length, little-endian, checked against the file's size.
std::uint64_t header_length(std::span<const std::byte> file, const std::string& origin) {
  if (file.size() < kLengthBytes) {
    throw Error(origin + " must be a safetensors file of at least 8 bytes, but has " +
                std::to_string(file.size()) + "; the download may be incomplete");
  }
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i) {
    length |= std::to_integer<std::uint64_t>(file[i]) << (8 * i);
  }
  if (length > kMaxSafetensorsHeader) {
    throw Error(origin + " must have a header of at most " + std::to_string(kMaxSafetensorsHeader) +
                " bytes, but says " + std::to_string(length) + "; it is not a safetensors file");
  }
  if (length > file.size() - kLengthBytes) {
    throw Error(origin + " must hold its whole header of " + std::to_string(length) +
                " bytes, but ends after " + std::to_string(file.size()) +
                " bytes; the download may be incomplete");
  }
  return length;
}

/// Maps the whole file read-only. `owner` unmaps it.
std::span<const std::byte> map_file(const std::filesystem::path& path,
                                    std::shared_ptr<const void>& owner) {
  const Descriptor file = open_regular_file(path);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) {
    throw Error("cannot read " + path.string() + ": " + std::strerror(errno));
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) {
    return {}; // mmap refuses an empty range; the length check names the file
  }
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (address == MAP_FAILED) {
    throw Error("cannot map " + path.string() + " into memory: " + std::strerror(errno));
  }
  owner = std::shared_ptr<void>(address, [size](void* start) { ::munmap(start, size); });
  return {static_cast<const std::byte*>(address), size};
}

} // namespace

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : path_(path) {
  const std::span<const std::byte> file = map_file(path, mapping_);
  refuse_git_lfs_pointer({reinterpret_cast<const char*>(file.data()), file.size()}, path);
  const std::uint64_t length = header_length(file, path.string());
  header_text_ = {reinterpret_cast<const char*>(file.data()) + kLengthBytes, length};
  header_ =
      parse_safetensors_header(header_text_, file.subspan(kLengthBytes + length), path.string());
  taken_off_ = take_off_wrappers(header_.tensors, path.string());
}

void drop_pages(std::span<const std::byte> mapped) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t begins_in_page = reinterpret_cast<std::uintptr_t>(mapped.data()) % page;
  const std::size_t skipped = begins_in_page == 0 ? 0 : page - begins_in_page;
  if (mapped.size() < skipped + page) {
    return;
  }
  const std::size_t size = (mapped.size() - skipped) / page * page;
  // Only a hint: if it fails, the pages stay.
  ::madvise(const_cast<std::byte*>(mapped.data()) + skipped, size, MADV_DONTNEED);
}

} // namespace sdbench
