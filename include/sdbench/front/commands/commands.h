#pragma once

#include <string>
#include <vector>

#include "sdbench/front/bench/worker_process.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// `sdbench run`: measures the cells that its options ask for. Returns the exit code; throws
/// UsageError or Error if it stops before the first record.
[[nodiscard]] int run_command(const std::vector<std::string>& arguments, const Streams& streams,
                              const ExecutorFactory& make_executor);

/// `sdbench list SUBJECT`: prints what comes with sdbench (models, presets) or what is in this
/// machine (devices), as a table or as JSON. Returns the exit code; throws UsageError.
[[nodiscard]] int list_command(const std::vector<std::string>& arguments, const Streams& streams,
                               const ExecutorFactory& make_executor);

/// `sdbench probe`: measures what devices can do, whatever runs on them. Returns the exit code;
/// throws UsageError or Error.
[[nodiscard]] int probe_command(const std::vector<std::string>& arguments, const Streams& streams,
                                const ExecutorFactory& make_executor);

/// `sdbench compare FILES`: shows measurements of several machines side by side. Returns the exit
/// code, which is kExitMissed if --fail-if-slower finds a slower or failed cell. Throws UsageError
/// and Error. Calls `make_executor` only for --confirm, which runs cells again.
[[nodiscard]] int compare_command(const std::vector<std::string>& arguments, const Streams& streams,
                                  const ExecutorFactory& make_executor);

/// `sdbench trend FILES`: shows how the figures of each cell change over time. Returns the exit
/// code. With --fail-if-slower, the code is kExitMissed if a cell is slower or failed, else
/// kExitUndecided if the data do not suffice to judge every cell. Throws UsageError and Error.
[[nodiscard]] int trend_command(const std::vector<std::string>& arguments, const Streams& streams);

/// `sdbench report FILES… -o report.html`: writes one page with the results of all files. Returns
/// the exit code. Throws UsageError, also for a mistake in the file of --facts. Throws Error if no
/// file has a record or if the page cannot be written.
[[nodiscard]] int report_command(const std::vector<std::string>& arguments, const Streams& streams);

/// `sdbench merge FILES… -o FILE`: joins several files into one. Returns the exit code, which is
/// kExitSomeFailed if some rows could not be read. If it throws Error, FILE stays unchanged.
[[nodiscard]] int merge_command(const std::vector<std::string>& arguments, const Streams& streams);

/// `sdbench quality`: compares the images of several configurations with those of a reference.
/// Returns the exit code; throws UsageError or Error if it stops before anything has run.
[[nodiscard]] int quality_command(const std::vector<std::string>& arguments, const Streams& streams,
                                  const ExecutorFactory& make_executor);

/// `sdbench reproduce`: runs the cell of an earlier record again. Returns the exit code; throws
/// UsageError or Error if it stops before there is a record.
[[nodiscard]] int reproduce_command(const std::vector<std::string>& arguments,
                                    const Streams& streams, const ExecutorFactory& make_executor);

/// `sdbench export-weights`: writes synthetic weights as a diffusers folder. Returns the exit code;
/// throws UsageError or Error.
[[nodiscard]] int export_command(const std::vector<std::string>& arguments, const Streams& streams);

/// `sdbench setup engine NAME…`: installs what other projects' engines need. `sdbench setup
/// libtorch VERSION`: installs the libtorch of a worker that was packaged without one. Returns the
/// exit code.
[[nodiscard]] int setup_command(const std::vector<std::string>& arguments, const Streams& streams);

/// `sdbench cache list` and `sdbench cache clear`: show or remove what is kept for later runs.
/// Returns the exit code. Throws UsageError or Error.
[[nodiscard]] int cache_command(const std::vector<std::string>& arguments, const Streams& streams);

/// `sdbench bugreport RUN_ID -o FILE.tar.gz`: packs a record and what is known of its machine,
/// after it has shown the files and asked. Returns the exit code. Throws UsageError, and Error if a
/// file cannot be read or the archive cannot be written; then there is no archive.
[[nodiscard]] int bugreport_command(const std::vector<std::string>& arguments,
                                    const Streams& streams);

/// `sdbench slurm submit`: submits jobs that run one sweep on several nodes of a cluster. Returns
/// the exit code; throws UsageError or Error.
[[nodiscard]] int slurm_command(const std::vector<std::string>& arguments, const Streams& streams);

} // namespace sdbench
