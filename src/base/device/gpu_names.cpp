#include "sdbench/base/device/gpu_names.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>

#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/text/utf8.h"

namespace sdbench {

std::string gpu_uuid_text(std::span<const char, 16> bytes) {
  std::string text = hex_text({bytes.data(), bytes.size()});
  for (const std::size_t place : {20, 16, 12, 8}) {
    text.insert(place, "-");
  }
  return text.insert(0, "GPU-");
}

std::string pci_address_text(std::uint32_t domain, std::uint32_t bus, std::uint32_t device) {
  std::array<char, 32> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "%08x:%02x:%02x.0", domain, bus, device);
  return {text.data(), static_cast<std::size_t>(std::max(length, 0))};
}

std::string without_maker(std::string_view name) {
  constexpr std::array<std::string_view, 6> kMakers = {"nvidia", "geforce", "tesla",
                                                       "quadro", "amd",     "intel"};
  const auto is_kept = [&](std::string_view word) {
    return std::ranges::count(kMakers, in_small_letters(std::string(word))) == 0;
  };
  return joined(mapped_if<std::string>(split(name, ' '), is_kept, std::identity()), " ");
}

std::string short_gpu_name(std::string_view name) {
  return in_small_letters(without_maker(name));
}

std::string cuda_version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string cudnn_version_text(std::int64_t version) {
  const std::int64_t major = version >= 90000 ? 10000 : 1000;
  return std::to_string(version / major) + "." + std::to_string(version % major / 100) + "." +
         std::to_string(version % 100);
}

} // namespace sdbench
