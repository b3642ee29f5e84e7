#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "sdbench/weights/tensor_view.h"

namespace sdbench {

/// A memory-mapped safetensors file. The header is checked in full before anything is handed out: length, JSON,
/// dtypes, shapes against byte ranges, order, overlaps, holes and the file's end.
/// Format: https://github.com/huggingface/safetensors#format
class SafetensorsFile {
public:
  /// Throws Error (one line, names the file and the tensor) for anything malformed.
  explicit SafetensorsFile(const std::filesystem::path& path);
  ~SafetensorsFile();
  SafetensorsFile(SafetensorsFile&&) noexcept;
  SafetensorsFile& operator=(SafetensorsFile&&) noexcept;

  [[nodiscard]] const std::map<std::string, TensorView>& tensors() const { return tensors_; }
  [[nodiscard]] const std::map<std::string, std::string>& metadata() const { return metadata_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  class Mapping;
  std::filesystem::path path_;
  std::unique_ptr<Mapping> mapping_;
  std::map<std::string, TensorView> tensors_;
  std::map<std::string, std::string> metadata_;
};

/// Checks a header (without the 8 length bytes) against the size of the data that follow it; the pure part of
/// SafetensorsFile, for tests and the fuzzer. `data` is what follows the header in the file.
void parse_safetensors_header(std::string_view header, std::span<const std::byte> data,
                              std::map<std::string, TensorView>& tensors,
                              std::map<std::string, std::string>& metadata);

} // namespace sdbench
