#include "sdbench/bench/executor_team.h"

namespace sdbench {

Executor& ExecutorTeam::of(const std::string& device) {
  std::unique_ptr<ExecutorThread>& member = members_[device];
  if (!member) {
    member = std::make_unique<ExecutorThread>(make_);
  }
  return *member;
}

void ExecutorTeam::restart() {
  for (const auto& [device, member] : members_) {
    member->restart();
  }
}

} // namespace sdbench
