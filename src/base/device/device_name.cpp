#include "sdbench/base/device/device_name.h"

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {

std::optional<DeviceName> parse_device_name(std::string_view text) {
  if (text == kAutoDevice || text == kAllDevices) {
    return DeviceName{.is_all = text == kAllDevices};
  }
  const std::size_t colon = text.find(':');
  const std::optional<DeviceKind> kind = device_kind_named(text.substr(0, colon));
  if (!kind) {
    return std::nullopt;
  }
  if (colon == std::string_view::npos) {
    return DeviceName{.kind = kind};
  }
  constexpr std::int64_t kMost = 1023;
  const std::optional<std::int64_t> number = parse_integer(text.substr(colon + 1));
  if (!number || *number < 0 || *number > kMost) {
    return std::nullopt;
  }
  return DeviceName{.kind = kind, .number = number};
}

std::string typed_name(const DeviceName& name) {
  const std::string_view word = name.kind     ? name_of(*name.kind)
                                : name.is_all ? kAllDevices
                                              : kAutoDevice;
  return std::string(word) + (name.number ? ":" + std::to_string(*name.number) : "");
}

std::optional<DeviceKind> kind_asked(std::string_view device) {
  return device_kind_named(device.substr(0, device.find_first_of(":+")));
}

std::vector<DeviceKind> kinds_asked(std::string_view devices) {
  return mapped_known(split(devices, '+'), kind_asked);
}

std::vector<std::string> device_forms() {
  std::vector<std::string> forms = {std::string(kAutoDevice), std::string(kAllDevices)};
  for (const DeviceKindRow& row : device_kinds()) {
    const std::string word(row.word);
    forms.insert(forms.end(), {word, word + (is_gpu(row.kind) ? ":N" : ":K")});
  }
  return forms;
}

} // namespace sdbench
