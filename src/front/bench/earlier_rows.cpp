#include "sdbench/front/bench/earlier_rows.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iterator>
#include <set>

#include "sdbench/base/dataset/dataset.h"
#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/types/own_engines.h"
#include "sdbench/base/weights/checkpoint.h"
#include "sdbench/base/weights/locate.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/telemetry/suspended.h"

namespace sdbench {
namespace {

std::string place_key(const std::string& work, const std::string& weights, const std::string& data,
                      const std::string& place) {
  return work + '\n' + weights + '\n' + data + '\n' + place;
}

std::string run_key(const std::string& cell_id, std::uint64_t seed, const std::string& prompt_hash,
                    const std::string& tags) {
  return cell_id + '\n' + std::to_string(seed) + '\n' + prompt_hash + '\n' + tags;
}

/// The weights' description if a checkpoint cannot be read, as in the row of that failure.
std::string identity_of(const WeightsLocation& weights) {
  if (weights.kind == WeightsLocation::Kind::kSynthetic) {
    return weights.description;
  }
  try {
    return weights_identity(weights.path);
  } catch (const std::exception&) {
    return weights.description;
  }
}

/// Empty if images cannot be read, as in the row of that failure. Reads each folder's images once
/// for all cells of a sweep.
std::string identity_of(const DataLocation& data) {
  static std::map<std::filesystem::path, std::string> known;
  const auto [found, is_new] = known.try_emplace(data.path);
  if (is_new) {
    try {
      found->second = identity_of(load_dataset(data));
    } catch (const std::exception&) {
      return {};
    }
  }
  return found->second;
}

bool has_images_of_a_folder(const Cell& cell) {
  return cell.epochs > 0 && cell.data.kind == DataLocation::Kind::kCifar10;
}

std::string data_of(const RunRecord& row) {
  return row.data.starts_with("synthetic") ? "" : row.data_identity;
}

/// A text that no env_id equals.
std::string host_place(const std::string& host) {
  return "unknown device of " + host;
}

/// In a search each run has the images of one batch.
std::string work_at_batch(Cell cell, std::int64_t batch, const RecordContext& context) {
  set_batch(cell, batch);
  return work_key(cell, context);
}

} // namespace

std::string work_key(const Cell& cell, const RecordContext& context) {
  return run_key(cell_id_of(cell, context), cell.seed, prompt_sha256(cell), context.tags);
}

std::string work_key(const RunRecord& row) {
  return run_key(row.cell_id, row.seed, row.prompt_sha256, row.tags);
}

ExecutionKey execution_key(const Cell& cell, const RecordContext& context) {
  return {work_key(cell, context), identity_of(cell.weights), cell.weights.description,
          has_images_of_a_folder(cell) ? identity_of(cell.data) : ""};
}

ExecutionKey execution_key(const RunRecord& row) {
  return {work_key(row), row.weights, "", data_of(row)};
}

bool has_inputs_of(const RunRecord& row, const ExecutionKey& key) {
  const std::string data = data_of(row);
  return (row.weights == key.weights || row.weights == key.unread_weights) &&
         (data == key.data || data.empty());
}

EarlierRows::EarlierRows(std::span<const RunRecord> rows, bool retry_failed,
                         const std::string& restarted_job) {
  std::set<std::string> seen;
  for (const RunRecord& row : rows) {
    const std::optional<Status> status = status_from_name(row.status);
    const bool was_tried_again = !restarted_job.empty() && row.slurm_job == restarted_job;
    const bool is_spoiled = spoiling_flag(row.flags) != nullptr;
    // A cell that fails may cause an Xid each time, so its failure counts.
    const bool is_settled = status == Status::kOk
                                ? !is_spoiled
                                : !has_flag(row, kSuspended) && (!retry_failed || was_tried_again);
    const bool done =
        row.quality_reference.empty() && status && *status != Status::kInterrupted && is_settled;
    // The current revision of an engine that is not ours is unknown here.
    const bool is_present_engine = is_of_today(row.engine, row.engine_revision);
    if (done && is_present_engine && seen.insert(row.run_id).second) {
      const bool ran_nowhere = *status != Status::kOk && row.device_name.empty();
      const std::string place = ran_nowhere ? host_place(row.host) : row.env_id;
      left_[place_key(work_key(row), row.weights, data_of(row), place)].push_back(*status);
    }
  }
  for (auto& [key, statuses] : left_) {
    std::stable_partition(statuses.begin(), statuses.end(),
                          [](Status status) { return status != Status::kOk; });
  }
}

std::optional<Status> EarlierRows::take(const ExecutionKey& key, const std::string& env_id,
                                        const std::string& host) {
  for (const std::string& weights : {key.weights, key.unread_weights}) {
    for (const std::string& data : {key.data, std::string()}) {
      for (const std::string& place : {env_id, host_place(host)}) {
        if (const auto status = take(place_key(key.work, weights, data, place))) {
          return status;
        }
      }
    }
  }
  return std::nullopt;
}

std::optional<Status> EarlierRows::take(const std::string& key) {
  const auto found = left_.find(key);
  if (found == left_.end() || found->second.empty()) {
    return std::nullopt;
  }
  const Status status = found->second.back();
  found->second.pop_back();
  return status;
}

std::optional<double> expected_seconds(const Cell& cell, std::span<const RunRecord> rows,
                                       const RecordContext& context) {
  const std::string cell_id = cell_id_of(cell, context);
  std::optional<double> seconds;
  for (const RunRecord& row : rows) {
    if (row.cell_id == cell_id && row.host == context.host && row.status == "ok" && row.e2e_s) {
      const double batches = static_cast<double>(cell.images) / static_cast<double>(cell.batch);
      seconds = row.load_s.value_or(0) + row.prepare_s.value_or(0) + row.first_image_s.value_or(0) +
                row.e2e_s.value_or(0) * (static_cast<double>(cell.repeat) +
                                         static_cast<double>(row.warmup.value_or(0)) /
                                             batches) + // a warm-up is one batch
                row.test_s.value_or(0);
    }
  }
  return seconds;
}

std::vector<RunRecord> searched_rows(const std::vector<SweepCell>& cells,
                                     std::span<const RunRecord> rows,
                                     const RecordContext& of_program) {
  std::vector<RunRecord> searched;
  for (const SweepCell& swept : cells) {
    if (!swept.search_batch) {
      continue;
    }
    const Cell& cell = swept.planned.cell;
    RecordContext context = of_program;
    context.tags = swept.tags;
    const ExecutionKey key = execution_key(cell, context);
    std::ranges::copy_if(rows, std::back_inserter(searched), [&](const RunRecord& row) {
      return row.quality_reference.empty() && row.host == context.host &&
             row.engine == cell.engine && is_of_today(row.engine, row.engine_revision) &&
             has_inputs_of(row, key) && work_key(row) == work_at_batch(cell, row.batch, context);
    });
  }
  return searched;
}

} // namespace sdbench
