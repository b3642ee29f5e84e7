#pragma once

#include <string>
#include <vector>

#include "sdbench/front/bench/executor_factory.h"
#include "sdbench/front/terminal/streams.h"

namespace sdbench {

/// `sdbench run`. Returns the exit code; throws UsageError or Error if it stops before the first
/// record.
[[nodiscard]] int run_command(const std::vector<std::string>& arguments, const Streams& streams,
                              const ExecutorFactory& make_executor);

/// `sdbench list models`, `list presets` and `list devices`: what comes with sdbench and what is in
/// this machine, as a table or as JSON. Returns the exit code; throws UsageError.
[[nodiscard]] int list_command(const std::vector<std::string>& arguments, const Streams& streams,
                               const ExecutorFactory& make_executor);

/// `sdbench compare FILES`: what was measured on several machines, side by side. Returns the exit
/// code, kExitMissed where --fail-if-slower finds something; throws UsageError and Error. Only
/// --confirm makes an executor.
[[nodiscard]] int compare_command(const std::vector<std::string>& arguments, const Streams& streams,
                                  const ExecutorFactory& make_executor);

/// `sdbench trend FILES`: each cell over dates. Returns the exit code: with --fail-if-slower
/// kExitMissed where a cell is slower or failed, kExitUndecided where none is, but something is not
/// decided. Throws UsageError and Error.
[[nodiscard]] int trend_command(const std::vector<std::string>& arguments, const Streams& streams);

/// `sdbench report FILES… -o report.html`: one page with the results of all files. Returns the exit
/// code; throws UsageError (bad facts, too) and Error (no record in any file, a page that cannot be
/// written).
[[nodiscard]] int report_command(const std::vector<std::string>& arguments, const Streams& streams);

/// `sdbench merge FILES… -o FILE`: one file of several. Returns the exit code: kExitSomeFailed if
/// rows could not be read. Throws Error, and leaves the target as it was.
[[nodiscard]] int merge_command(const std::vector<std::string>& arguments, const Streams& streams);

/// `sdbench quality`. Returns the exit code; throws UsageError or Error for what stops it before
/// anything has run.
[[nodiscard]] int quality_command(const std::vector<std::string>& arguments, const Streams& streams,
                                  const ExecutorFactory& make_executor);

/// `sdbench reproduce`. Returns the exit code; throws UsageError or Error for what stops it before
/// there is a record.
[[nodiscard]] int reproduce_command(const std::vector<std::string>& arguments,
                                    const Streams& streams, const ExecutorFactory& make_executor);

/// `sdbench export-weights`: synthetic weights as a diffusers folder. Returns the exit code; throws
/// UsageError or Error.
[[nodiscard]] int export_command(const std::vector<std::string>& arguments, const Streams& streams);

/// `sdbench setup engine NAME...`: installs what engines of others need. Returns the exit code.
[[nodiscard]] int setup_command(const std::vector<std::string>& arguments, const Streams& streams);

/// `sdbench cache list` and `sdbench cache clear`. Returns the exit code. Throws UsageError or
/// Error.
[[nodiscard]] int cache_command(const std::vector<std::string>& arguments, const Streams& streams);

/// `sdbench slurm submit`: the same sweep on nodes of a cluster. Returns the exit code; throws
/// UsageError or Error.
[[nodiscard]] int slurm_command(const std::vector<std::string>& arguments, const Streams& streams);

} // namespace sdbench
