#include "environment_fields.h"

#include <cstdint>
#include <optional>

#include "sdbench/base/device/device_info.h"
#include "sdbench/base/device/device_kind_table.h"

namespace sdbench {
namespace {

/// Facts use zero for unknown numbers; a record uses an empty field.
std::optional<std::int64_t> known(std::int64_t value) {
  return value > 0 ? std::optional(value) : std::nullopt;
}

} // namespace

void fill_environment(RunRecord& record, const RecordContext& context) {
  record.os = context.machine.os;
  record.kernel = context.machine.kernel;
  record.cpu = context.cpu;
  record.core_count = known(context.core_count);
  record.core_list = context.core_list;
  record.host_memory_bytes = known(context.memory_total_bytes);
  record.governor = context.machine.governor;
  record.memory_high_bytes = context.machine.memory_high_bytes;
  record.transparent_huge_pages = context.machine.transparent_huge_pages;
  record.numa_balancing = context.machine.numa_balancing;
  record.core_kinds = context.machine.core_kinds;
  record.preloaded = context.preloaded;
  record.power_supply = context.machine.power_supply;
  record.container = context.machine.container;
  record.slurm_job = context.machine.slurm.id;
  record.slurm_node = context.machine.slurm.node;
  record.slurm_partition = context.machine.slurm.partition;
  record.slurm_sharing = context.machine.slurm.sharing;
  record.cuda_visible_devices = context.cuda_visible_devices;
  record.allocator_config = context.allocator_config;
}

void fill_device_facts(RunRecord& record, const DeviceInfo& device) {
  if (!is_gpu(device.kind)) {
    return;
  }
  record.device_uuid = device.uuid;
  record.device_pci_address = device.pci_address;
  record.device_index = device.index;
  record.sm_count = known(device.sm_count);
  record.device_memory_bytes = known(device.memory_total_bytes);
  record.device_memory_free_bytes = known(device.memory_free_bytes);
  record.cuda_runtime_version = device.cuda_runtime_version;
  record.cudnn_version = device.cudnn_version;
  record.cuda_driver_version = device.cuda_driver_version;
}

} // namespace sdbench
