#include "sdbench/base/weights/safetensors_writer.h"

#include <algorithm>
#include <limits>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/atomic_file.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/weights/safetensors_header.h"

namespace sdbench {
namespace {

std::size_t byte_size(const TensorDeclaration& tensor) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  auto bytes = static_cast<std::int64_t>(size_of(tensor.dtype));
  for (const std::int64_t extent : tensor.shape) {
    if (extent < 0 || (extent != 0 && bytes > kMost / extent)) {
      throw Error("the shape of tensor " + in_quotes(tensor.name) +
                  " must be non-negative and fit a file, but is " + Json(tensor.shape).dump());
    }
    bytes *= extent;
  }
  return static_cast<std::size_t>(bytes);
}

/// Header length and header, ready to be written.
std::string header_of(const std::vector<TensorDeclaration>& tensors,
                      const std::map<std::string, std::string>& metadata) {
  Json header = Json::object();
  if (!metadata.empty()) {
    header["__metadata__"] = metadata;
  }
  std::size_t offset = 0;
  for (const TensorDeclaration& tensor : tensors) {
    if (header.contains(tensor.name) || tensor.name == "__metadata__") {
      throw Error("tensor names must differ, but " + in_quotes(tensor.name) + " comes twice");
    }
    const std::size_t end = offset + byte_size(tensor);
    header[tensor.name] = {{"dtype", safetensors_name(tensor.dtype)},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  if (text.size() > kMaxSafetensorsHeader) {
    throw Error("a safetensors header must be at most " + std::to_string(kMaxSafetensorsHeader) +
                " bytes, but would be " + std::to_string(text.size()));
  }
  std::string length(8, '\0');
  for (std::size_t i = 0; i < length.size(); ++i) {
    length[i] = static_cast<char>((text.size() >> (8 * i)) & 0xff);
  }
  return length + text;
}

} // namespace

void write_safetensors(const std::filesystem::path& path,
                       const std::vector<TensorDeclaration>& tensors,
                       const std::function<void(std::size_t, std::span<std::byte>)>& fill,
                       const std::map<std::string, std::string>& metadata) {
  const std::string header = header_of(tensors, metadata);
  std::size_t largest = 0;
  for (const TensorDeclaration& tensor : tensors) {
    largest = std::max(largest, byte_size(tensor));
  }
  AtomicFile file(path);
  file.write(header);
  std::vector<std::byte> buffer(largest);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::span<std::byte> bytes(buffer.data(), byte_size(tensors[i]));
    fill(i, bytes);
    file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  file.commit();
}

} // namespace sdbench
