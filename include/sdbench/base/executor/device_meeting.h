#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace sdbench {

/// Devices that train one image classifier together (with a shared batch) find each other through
/// files in a "meeting" folder. The front (the sdbench process that starts the workers) makes a new
/// folder each time a cell runs on such devices, and removes it afterwards. A marker file in the
/// folder says that a device has ended its part of the cell, for whatever reason, so that the other
/// devices do not wait for it.

/// The file for torch.distributed's FileStore, through which the workers connect. The first worker
/// that opens it creates it.
[[nodiscard]] std::filesystem::path meeting_store(const std::filesystem::path& meeting);

/// Writes the file that marks device `number` (its index in the list of devices) as ended. The
/// front calls this when the device has ended its part of the cell. If the folder cannot be
/// written, the other devices wait until their timeout.
void tell_ended(const std::filesystem::path& meeting, std::int64_t number) noexcept;

/// True if tell_ended() was called for device `number`. Called by the front and the workers.
[[nodiscard]] bool has_ended(const std::filesystem::path& meeting, std::int64_t number);

/// The error message for a device that has no result because another one, `device`, ended first.
[[nodiscard]] std::string partner_has_ended(const std::string& device);

} // namespace sdbench
