#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace sdbench {

/// The meeting of devices that train one network: a new folder for each execution, which the front
/// makes and removes. In it their workers find each other, and hear of one that has ended, however
/// it ended: its partners would wait for it.

/// The file of their rendezvous, which the first of them makes.
[[nodiscard]] std::filesystem::path meeting_store(const std::filesystem::path& meeting);

/// The front's: nothing more is to be expected of device `number` of the list. A folder that cannot
/// be written costs the others their time limit.
void tell_ended(const std::filesystem::path& meeting, std::int64_t number) noexcept;

/// A worker's: whether that was told.
[[nodiscard]] bool has_ended(const std::filesystem::path& meeting, std::int64_t number);

/// Why a device of a shared batch has no result of its own.
[[nodiscard]] std::string partner_has_ended(const std::string& device);

} // namespace sdbench
