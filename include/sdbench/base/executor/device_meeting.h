#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace sdbench {

/// Devices that train one image classifier together (with a shared batch) find each other through
/// files in a "meeting" folder. The front, which is the sdbench process that starts the workers,
/// makes a new folder for each execution and removes it afterwards. A marker file in the folder
/// says that a device's worker has ended, for whatever reason, so that the other workers do not
/// wait for it.

/// The file for torch.distributed's FileStore, through which the workers connect. The first worker
/// makes it.
[[nodiscard]] std::filesystem::path meeting_store(const std::filesystem::path& meeting);

/// Writes the marker for device `number` (its index in the list of devices). Called by the front
/// when that device has ended. If the folder cannot be written, the other devices wait until their
/// timeout.
void tell_ended(const std::filesystem::path& meeting, std::int64_t number) noexcept;

/// True if tell_ended() was called for device `number`. Called by the workers.
[[nodiscard]] bool has_ended(const std::filesystem::path& meeting, std::int64_t number);

/// The error message of a device that has no result because another device, `device`, has ended.
[[nodiscard]] std::string partner_has_ended(const std::string& device);

} // namespace sdbench
