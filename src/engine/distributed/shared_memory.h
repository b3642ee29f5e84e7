#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sdbench/base/files/descriptor.h"

namespace sdbench {

/// Memory that processes of one user share, zero at first. It has no name in any folder, so nothing
/// of it remains when the processes end, and the size of /dev/shm does not matter.
class SharedMemory {
public:
  /// Allocates all pages at once, because the process would be killed if a page could not be
  /// allocated later. Throws Error if the system refuses.
  [[nodiscard]] static SharedMemory make(std::size_t bytes);
  /// Opens memory that another process has made and still holds. Throws Error.
  [[nodiscard]] static SharedMemory open(const std::string& path);
  ~SharedMemory();
  SharedMemory(SharedMemory&& other) noexcept = default;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  SharedMemory& operator=(SharedMemory&&) = delete;

  /// The path at which other processes can open this memory.
  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

private:
  SharedMemory(Descriptor file, std::size_t bytes);

  Descriptor file_;
  std::span<std::byte> bytes_;
};

} // namespace sdbench
