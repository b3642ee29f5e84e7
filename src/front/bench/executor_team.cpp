#include "sdbench/front/bench/executor_team.h"
#include "sdbench/base/executor/executor.h"

namespace sdbench {

Executor& ExecutorTeam::of(const std::string& device) {
  auto member = members_.find(device);
  if (member == members_.end()) { // made before it is added, because its thread may fail to start
    auto made = std::make_unique<ExecutorThread>(make_);
    member = members_.emplace(device, std::move(made)).first;
  }
  return *member->second;
}

void ExecutorTeam::restart() {
  for (const auto& [device, member] : members_) {
    member->restart();
  }
}

} // namespace sdbench
