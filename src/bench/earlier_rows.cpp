#include "sdbench/bench/earlier_rows.h"

#include <algorithm>
#include <set>

#include "sdbench/executor/executor.h"

namespace sdbench {
namespace {

std::string key_of(const std::string& cell_id, const std::string& place) {
  return cell_id + '\n' + place;
}

/// Words that no env_id is.
std::string host_place(const std::string& host) {
  return "unknown device of " + host;
}

} // namespace

EarlierRows::EarlierRows(const std::vector<RunRecord>& rows, bool retry_failed) {
  std::set<std::string> seen;
  for (const RunRecord& row : rows) {
    const std::optional<Status> status = status_from_name(row.status);
    const bool done =
        status && *status != Status::kInterrupted && (*status == Status::kOk || !retry_failed);
    const bool same_engine = row.engine == kEngine && row.engine_revision == kEngineRevision;
    if (done && same_engine && seen.insert(row.run_id).second) {
      const bool ran_nowhere = *status != Status::kOk && row.device_name.empty();
      left_[key_of(row.cell_id, ran_nowhere ? host_place(row.host) : row.env_id)].push_back(
          *status);
    }
  }
  for (auto& [key, statuses] : left_) {
    std::stable_partition(statuses.begin(), statuses.end(),
                          [](Status status) { return status != Status::kOk; });
  }
}

std::optional<Status> EarlierRows::take(const std::string& cell_id, const std::string& env_id,
                                        const std::string& host) {
  for (const std::string& place : {env_id, host_place(host)}) {
    const auto found = left_.find(key_of(cell_id, place));
    if (found != left_.end() && !found->second.empty()) {
      const Status status = found->second.back();
      found->second.pop_back();
      return status;
    }
  }
  return std::nullopt;
}

} // namespace sdbench
