#include "sdbench/base/plan/parallel_cells.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/device/device_name.h"

namespace sdbench {
namespace {

std::string joined(const std::vector<std::string>& devices) {
  std::string text;
  for (const std::string& device : devices) {
    text += (text.empty() ? "" : "+") + device;
  }
  return text;
}

std::int64_t device_count(const Cell& whole) {
  return static_cast<std::int64_t>(whole.parallel_devices.size());
}

std::int64_t images_of_each(const Cell& whole) {
  return whole.images / device_count(whole);
}

/// The list has been checked: its cpu:K are all shares, from 0 on.
std::optional<CpuShare> share_in(const std::vector<std::string>& devices,
                                 const std::string& device) {
  std::int64_t count = 0;
  for (const std::string& one : devices) {
    count += one.starts_with("cpu:") ? 1 : 0;
  }
  const DeviceName name = parse_device_name(device).value();
  return name.kind == "cpu" && name.number ? std::optional(CpuShare{*name.number, count})
                                           : std::nullopt;
}

/// Images `first` to `first + count` of the cell.
void take_images(Cell& cell, std::int64_t first, std::int64_t count) {
  cell.seed += static_cast<std::uint64_t>(first);
  cell.images = count;
  if (cell.prompts.size() > 1) {
    const auto begin = cell.prompts.begin() + first;
    cell.prompts = std::vector<std::string>(begin, begin + count);
  }
}

} // namespace

Cell whole_of(Cell alone, std::vector<std::string> devices, const std::string& share) {
  Cell whole = std::move(alone);
  whole.device = joined(devices);
  whole.cpu_share.reset();
  whole.parallel_devices = std::move(devices);
  whole.share = share;
  if (share == kShareEach) {
    whole.images *= device_count(whole);
  }
  return whole;
}

Cell alone_of(const Cell& whole) {
  Cell alone = whole;
  alone.device = whole.parallel_devices.front();
  alone.cpu_share = share_in(whole.parallel_devices, alone.device);
  alone.images = whole.share == kShareEach ? images_of_each(whole) : whole.images;
  alone.parallel_devices.clear();
  alone.share.clear();
  return alone;
}

std::vector<Cell> device_cells(const Cell& whole) {
  const std::int64_t batches = whole.images / whole.batch;
  const std::int64_t each = batches / device_count(whole);
  const std::int64_t rest = batches % device_count(whole);
  std::vector<Cell> cells;
  std::int64_t first = 0;
  for (const std::string& device : whole.parallel_devices) {
    Cell& cell = cells.emplace_back(whole);
    cell.device = device;
    cell.cpu_share = share_in(whole.parallel_devices, device);
    if (whole.share == kShareEach) {
      cell.images = images_of_each(whole);
    } else {
      const auto number = static_cast<std::int64_t>(cells.size()) - 1;
      const std::int64_t count = (each + (number < rest ? 1 : 0)) * whole.batch;
      take_images(cell, first, count);
      first += count;
    }
  }
  return cells;
}

std::string sharing_obstacle(const Cell& whole) {
  const std::int64_t needed = device_count(whole) * whole.batch;
  if (whole.share == kShareEach || whole.images >= needed) {
    return {};
  }
  return "--images must be at least a batch for each of the " +
         std::to_string(device_count(whole)) + " devices of --parallel (" + std::to_string(needed) +
         "), but is " + std::to_string(whole.images) + "; or take --share each";
}

bool is_whole(const Cell& cell) {
  return cell.parallel_devices.size() > 1 && cell.device == joined(cell.parallel_devices);
}

} // namespace sdbench
