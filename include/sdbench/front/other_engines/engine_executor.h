#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sdbench/base/config/other_engine_table.h"
#include "sdbench/base/dataset/locate_data.h"
#include "sdbench/base/executor/executor.h"
#include "sdbench/base/types/precision.h"
#include "sdbench/front/bench/temporary_folder.h"
#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/other_engines/engine_environment.h"

namespace sdbench {

/// Runs each cell in the worker of its engine, which may be ours or another project's. Between
/// cells, workers keep what they have loaded. Before a cell, all other workers end if the machine
/// has a GPU that the cell may use, or if free memory is too small for the cell (see make_room).
/// The final latents of an engine that is not ours are compared with those that engine plain
/// computes from the same noise.
class EngineExecutor final : public Executor {
public:
  /// `options`: for our own worker.
  explicit EngineExecutor(WorkerOptions options);

  CellOutcome run(const Cell& cell, ExecutorObserver& observer) override;
  std::vector<DeviceInfo> devices() override { return own_.devices(); }
  std::optional<double> estimate(const Cell& cell) override { return own_.estimate(cell); }
  CellOutcome probe(const ProbePlace& place, ExecutorObserver& observer) override {
    return own_.probe(place, observer);
  }
  void restart() override;

private:
  struct PlainLatents {
    std::filesystem::path file;
    std::string failure; ///< why engine plain failed; not rerun, because that may take minutes
  };

  CellOutcome run_by(const EngineRow& row, const Cell& cell, ExecutorObserver& observer);
  /// Returns a file with the data set for other projects' engines; writes it at the first call.
  const std::filesystem::path& exported_data(const DataLocation& data, ExecutorObserver& observer);
  /// Adds a note that says why the latents are not compared. If the user has stopped sdbench,
  /// marks the cell as interrupted instead.
  void leave_uncompared(const std::string& why, CellOutcome& outcome,
                        ExecutorObserver& observer) const;
  /// Fills agreement_rel_err; if it exceeds its bound, sets the status to kInvalidOutput.
  void check_agreement(const Cell& cell, const std::filesystem::path& latents, CellOutcome& outcome,
                       ExecutorObserver& observer);
  /// If the loaded model can compute the golden run (a run with stored reference results), runs it
  /// in the cell's worker and fills golden_check and golden_rel_err. Sets the status to
  /// kInvalidOutput if the check fails. `prepared`: the cell as that worker received it.
  void check_golden(const EngineRow& row, const Cell& prepared, WorkerExecutor& worker,
                    CellOutcome& outcome, ExecutorObserver& observer);
  /// The latents that engine plain computes for `cell`; kept for later calls.
  const PlainLatents& plain_latents(const Cell& cell, Precision precision);
  [[nodiscard]] WorkerExecutor& worker_of_engine(const EngineRow& row,
                                                 const EngineEnvironment& environment);
  void make_room(const Cell& cell, const WorkerExecutor* wanted);

  WorkerOptions options_;
  WorkerExecutor own_;
  std::map<std::string, std::unique_ptr<WorkerExecutor>, std::less<>> others_;
  std::optional<TemporaryFolder>
      files_; ///< files exchanged between workers; made when another project's engine first runs
  std::map<std::string, std::filesystem::path> data_; ///< data set files; key: description
  std::map<std::string, PlainLatents> plain_latents_; ///< key: encoded request to engine plain
  std::map<std::string, double> golden_differences_;  ///< key: encoded request of the golden run
};

} // namespace sdbench
