#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace sdbench {

/// The meeting of devices that train one network: a new folder for each execution, which the front
/// makes and removes. The workers find each other in it. A mark tells them that one has ended, for
/// any reason, so that its partners do not wait for it.

/// The file of the rendezvous. The first worker makes it.
[[nodiscard]] std::filesystem::path meeting_store(const std::filesystem::path& meeting);

/// Called by the front when device `number` of the list has ended. If the folder cannot be written,
/// the other devices wait until their time limit.
void tell_ended(const std::filesystem::path& meeting, std::int64_t number) noexcept;

/// Called by a worker: true if tell_ended() was called for the device.
[[nodiscard]] bool has_ended(const std::filesystem::path& meeting, std::int64_t number);

/// The message of a device that has no result because its partner `device` has ended.
[[nodiscard]] std::string partner_has_ended(const std::string& device);

} // namespace sdbench
