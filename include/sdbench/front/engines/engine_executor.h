#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/config/engine_table.h"
#include "sdbench/base/core/precision.h"
#include "sdbench/base/core/temporary_folder.h"
#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/engines/engine_environment.h"

namespace sdbench {

/// Runs each cell by the worker of its engine: ours, or that of another's. All of them stay between
/// cells, with what they have loaded, as long as there is room: before a cell, idle workers end
/// unless the memory that is free holds what the cell needs (see make_room). An image of another's
/// engine is compared with engine plain's latents from the same noise.
class EngineExecutor final : public Executor {
public:
  /// `options`: of our own worker.
  explicit EngineExecutor(WorkerOptions options);

  CellOutcome run(const Cell& cell, ExecutorObserver& observer) override;
  std::vector<DeviceInfo> devices() override { return own_.devices(); }
  std::optional<double> estimate(const Cell& cell) override { return own_.estimate(cell); }
  void restart() override;

private:
  struct PlainLatents {
    std::filesystem::path file;
    std::string failure; ///< why there is no file; it is not tried again, for it may take minutes
  };

  CellOutcome run_by(const EngineRow& row, const Cell& cell, ExecutorObserver& observer);
  /// Where data lie for another's engine, which is written at the first call.
  const std::filesystem::path& exported_data(const DataLocation& data, ExecutorObserver& observer);
  /// A note says why there is no comparison; where all is told to stop, the cell is interrupted.
  void leave_uncompared(const std::string& why, CellOutcome& outcome,
                        ExecutorObserver& observer) const;
  /// Fills agreement_rel_err, and takes the outcome's status where it is beyond its bound.
  void check_agreement(const Cell& cell, const std::filesystem::path& latents, CellOutcome& outcome,
                       ExecutorObserver& observer);
  /// Fills golden_check and golden_rel_err where what the engine has loaded can compute the golden
  /// run, by the worker that has computed the cell, and takes the outcome's status where it fails.
  /// `prepared`: the cell as that worker got it.
  void check_golden(const EngineRow& row, const Cell& prepared, WorkerExecutor& worker,
                    CellOutcome& outcome, ExecutorObserver& observer);
  /// The latents of engine plain for the same cell, computed once.
  const PlainLatents& plain_latents(const Cell& cell, Precision precision);
  [[nodiscard]] WorkerExecutor& worker_of_engine(const EngineRow& row,
                                                 const EngineEnvironment& environment);
  void make_room(const Cell& cell, const WorkerExecutor* wanted);

  WorkerOptions options_;
  WorkerExecutor own_;
  std::map<std::string, std::unique_ptr<WorkerExecutor>, std::less<>> others_;
  std::optional<TemporaryFolder> files_; ///< of what goes between them, once another's has run
  std::map<std::string, std::filesystem::path> data_; ///< by its description
  std::map<std::string, PlainLatents> plain_latents_; ///< by the request
  std::map<std::string, double> golden_differences_;  ///< by the request
};

} // namespace sdbench
