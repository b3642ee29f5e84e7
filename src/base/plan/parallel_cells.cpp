#include "sdbench/base/plan/parallel_cells.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "sdbench/base/device/cpu_cores.h"
#include "sdbench/base/device/device_kind_table.h"
#include "sdbench/base/device/device_name.h"
#include "sdbench/base/numbers/even_part.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/task_table.h"

namespace sdbench {
namespace {

std::int64_t images_of_each(const Cell& whole) {
  return whole.images / device_count(whole);
}

/// The list has been checked: its cpu:K are all shares, from 0 on.
std::optional<CpuShare> share_in(const std::vector<std::string>& devices,
                                 const std::string& device) {
  std::int64_t count = 0;
  for (const std::string& one : devices) {
    count += is_cpu(kind_asked(one)) ? 1 : 0;
  }
  const DeviceName name = parse_device_name(device).value();
  return is_cpu(name.kind) && name.number ? std::optional(CpuShare{*name.number, count})
                                          : std::nullopt;
}

/// Gives device `number` its whole batches of the cell's.
void take_batches(Cell& cell, std::int64_t number, std::int64_t devices) {
  const EvenPart batches = even_part(cell.images / cell.batch, number, devices);
  const std::int64_t first = batches.first * cell.batch;
  cell.images = batches.count * cell.batch;
  if (!makes_images(cell.task)) {
    return; // with the seed of one batch, equal on all devices
  }
  cell.seed += static_cast<std::uint64_t>(first);
  if (cell.prompts.size() > 1) {
    const auto begin = cell.prompts.begin() + first;
    cell.prompts = std::vector<std::string>(begin, begin + cell.images);
  }
}

/// Gives device `number` its part of each of the cell's batches.
void take_part_of_batches(Cell& cell, std::int64_t number, std::int64_t devices) {
  const std::int64_t batches = cell.images / cell.batch;
  const std::int64_t rest = cell.images % cell.batch; // the last batch of an epoch
  cell.shared_batch = cell.batch;
  cell.batch = even_part(cell.shared_batch, number, devices).count;
  cell.images = batches * cell.batch + even_part(rest, number, devices).count;
}

/// True for only GPUs, or only shares of the CPU.
bool are_alike(const std::vector<std::string>& devices) {
  const auto is_share = [](const std::string& device) { return is_cpu(kind_asked(device)); };
  const auto shares = std::ranges::count_if(devices, is_share);
  return shares == 0 || shares == std::ssize(devices);
}

/// Why these devices cannot train one network; empty if they can.
std::string batch_obstacle(const Cell& whole) {
  const std::string devices = std::to_string(device_count(whole));
  const std::string or_each = "; or take --share each";
  if (!are_alike(whole.parallel_devices)) {
    return "--device must name GPUs alone or shares of the CPU alone for --share batch, but is " +
           whole.device + or_each;
  }
  if (whole.batch < device_count(whole)) {
    return "--batch must be at least an image for each of the " + devices +
           " devices of --parallel, but is " + std::to_string(whole.batch) + or_each;
  }
  const std::int64_t rest = whole.images % whole.batch;
  if (rest > 0 && rest < device_count(whole)) {
    return "--batch must leave an image for each of the " + devices +
           " devices in an epoch's last batch, but " + std::to_string(whole.images) +
           " images in batches of " + std::to_string(whole.batch) + " leave " +
           std::to_string(rest) + or_each;
  }
  if (whole.max_time_s) {
    return "--max-time must be given without --share batch, because each device would stop by its "
           "own clock and leave the others waiting; take --repeat or --epochs";
  }
  return {};
}

/// The cell on this device, with its share of the processors.
Cell placed_on(const std::string& device, const Cell& whole) {
  Cell cell = whole;
  cell.device = device;
  cell.cpu_share = share_in(whole.parallel_devices, device);
  return cell;
}

} // namespace

Cell whole_of(Cell alone, std::vector<std::string> devices, const std::string& share) {
  Cell whole = std::move(alone);
  whole.device = joined(devices, "+");
  whole.cpu_share.reset();
  whole.parallel_devices = std::move(devices);
  whole.share = share;
  if (share == kShareEach) {
    whole.images *= device_count(whole);
  } else if (share == kShareBatch && !whole.warmup) {
    whole.warmup = kFixedWarmups;
  }
  return whole;
}

std::vector<Cell> alone_cells(const Cell& whole) {
  std::vector<Cell> cells;
  for (const std::string& device : whole.parallel_devices) {
    Cell& alone = cells.emplace_back(placed_on(device, whole));
    alone.images = whole.share == kShareEach ? images_of_each(whole) : whole.images;
    alone.parallel_devices.clear();
    alone.share.clear();
  }
  return cells;
}

std::vector<Cell> device_cells(const Cell& whole) {
  std::vector<Cell> cells;
  for (const std::string& device : whole.parallel_devices) {
    Cell& cell = cells.emplace_back(placed_on(device, whole));
    const auto number = static_cast<std::int64_t>(cells.size()) - 1;
    if (whole.share == kShareEach) {
      cell.images = images_of_each(whole);
    } else if (whole.share == kShareBatch) {
      take_part_of_batches(cell, number, device_count(whole));
    } else {
      take_batches(cell, number, device_count(whole));
    }
  }
  return cells;
}

std::int64_t device_count(const Cell& cell) {
  return static_cast<std::int64_t>(cell.parallel_devices.size());
}

std::int64_t device_number(const Cell& cell) {
  return std::ranges::find(cell.parallel_devices, cell.device) - cell.parallel_devices.begin();
}

std::string sharing_obstacle(const Cell& whole) {
  const std::span<const std::string_view> shares = row_of(whole.task).shares;
  if (std::ranges::find(shares, whole.share) == shares.end()) {
    return "--share must be " + listed(std::vector<std::string>(shares.begin(), shares.end())) +
           " with --task " + std::string(name_of(whole.task)) + ", but is " + whole.share;
  }
  if (whole.share == kShareBatch) {
    return batch_obstacle(whole);
  }
  const std::int64_t needed = device_count(whole) * whole.batch;
  if (whole.share == kShareEach || whole.images >= needed) {
    return {};
  }
  if (!makes_images(whole.task)) {
    return "--iterations must be at least one for each of the " +
           std::to_string(device_count(whole)) + " devices of --parallel, but is " +
           std::to_string(batches_of(whole)) + "; or take --share each";
  }
  return "--images must be at least a batch for each of the " +
         std::to_string(device_count(whole)) + " devices of --parallel (" + std::to_string(needed) +
         "), but is " + std::to_string(whole.images) + "; or take --share each";
}

bool is_whole(const Cell& cell) {
  return cell.parallel_devices.size() > 1 && cell.device == joined(cell.parallel_devices, "+");
}

} // namespace sdbench
