// Any bytes as a safetensors file after its length field: the first two say how much is header, the
// rest is header and data. The reader must accept or throw Error with a one-line message, and every
// view it hands out must lie inside the data.
#include <cstdlib>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/weights/safetensors_header.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) {
    return 0;
  }
  const std::string_view rest(reinterpret_cast<const char*>(bytes) + 2, size - 2);
  const std::size_t length = std::min<std::size_t>(bytes[0] | bytes[1] << 8, rest.size());
  const std::span<const std::byte> data =
      std::as_bytes(std::span(rest.data() + length, rest.size() - length));
  try {
    const auto header = sdbench::parse_safetensors_header(rest.substr(0, length), data, "file");
    std::size_t covered = 0;
    for (const auto& [name, view] : header.tensors) {
      covered += view.data.size();
      if (!view.data.empty() && (view.data.data() < data.data() ||
                                 view.data.data() + view.data.size() > data.data() + data.size())) {
        std::abort();
      }
    }
    if (covered != data.size()) {
      std::abort();
    }
  } catch (const sdbench::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) {
      std::abort();
    }
  }
  return 0;
}
