#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "sdbench/base/weights/safetensors_header.h"

namespace sdbench {

/// A memory-mapped safetensors file. The constructor checks the whole header: its length, its JSON,
/// and the tensors' dtypes, shapes and byte ranges (see parse_safetensors_header). Like the
/// safetensors library, it refuses a file with bytes after its last tensor. No tensor is copied:
/// tensors() are views into a private read-only mapping. The system can drop the mapping's pages
/// and read them again. Do not change or truncate the file while it is mapped: reading beyond a
/// truncated file's end raises SIGBUS. Format: https://github.com/huggingface/safetensors#format
class SafetensorsFile {
public:
  /// Throws Error for a malformed file; the message is one line that names file and tensor.
  explicit SafetensorsFile(const std::filesystem::path& path);

  [[nodiscard]] const TensorMap& tensors() const { return header_.tensors; }
  [[nodiscard]] const std::map<std::string, std::string>& metadata() const {
    return header_.metadata;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Prefix such as `"module."` that a PyTorch wrapper added to all tensor names in the file, and
  /// that tensors() omits. Empty if there is no such prefix.
  [[nodiscard]] const std::string& taken_off_names() const { return taken_off_; }
  /// The header's JSON text, unchanged.
  [[nodiscard]] std::string_view header_text() const { return header_text_; }

private:
  std::filesystem::path path_;
  std::shared_ptr<const void> mapping_; ///< unmaps the file; copies of this object share it
  std::string_view header_text_;
  SafetensorsHeader header_;
  std::string taken_off_;
};

/// Removes the pages that lie wholly within `mapped` from this process's memory. `mapped`: bytes of
/// a mapped file that are not needed at the moment. A later access reads the pages again.
void drop_pages(std::span<const std::byte> mapped);

} // namespace sdbench
