#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "sdbench/base/weights/safetensors_header.h"

namespace sdbench {

/// A memory-mapped safetensors file. The constructor checks the whole header: length, JSON, dtypes,
/// shapes against byte ranges, overlaps, holes and the file's end. Refuses a file with bytes after
/// its last tensor, like the safetensors library. Nothing is copied: the views point into a private
/// read-only mapping, whose pages the system can drop and read again. So the file must not be
/// changed or truncated while it is mapped: a read past a new end would be a SIGBUS, as with every
/// mapping. Format: https://github.com/huggingface/safetensors#format
class SafetensorsFile {
public:
  /// Throws Error (one line, names the file and the tensor) for anything malformed.
  explicit SafetensorsFile(const std::filesystem::path& path);
  ~SafetensorsFile();
  SafetensorsFile(const SafetensorsFile&) = delete;
  SafetensorsFile& operator=(const SafetensorsFile&) = delete;
  SafetensorsFile(SafetensorsFile&&) noexcept;
  SafetensorsFile& operator=(SafetensorsFile&&) noexcept;

  [[nodiscard]] const TensorMap& tensors() const { return header_.tensors; }
  [[nodiscard]] const std::map<std::string, std::string>& metadata() const {
    return header_.metadata;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Prefix that PyTorch's wrappers put before the file's names and that tensors() omits, such as
  /// `"module."`; empty if there was none.
  [[nodiscard]] const std::string& taken_off_names() const { return taken_off_; }
  /// The header's JSON text, unchanged.
  [[nodiscard]] std::string_view header_text() const { return header_text_; }

private:
  class Mapping;
  std::filesystem::path path_;
  std::unique_ptr<Mapping> mapping_;
  std::string_view header_text_;
  SafetensorsHeader header_;
  std::string taken_off_;
};

/// Drops the pages that lie wholly within `mapped` from this process's memory. For bytes of a
/// mapped file that are not needed for now; a later access reads them again.
void drop_pages(std::span<const std::byte> mapped);

} // namespace sdbench
