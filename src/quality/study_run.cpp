#include "sdbench/quality/study_run.h"

#include <optional>
#include <utility>

#include "sdbench/bench/runner.h"
#include "sdbench/core/error.h"
#include "sdbench/core/escape.h"
#include "sdbench/core/temporary_folder.h"

namespace sdbench {
namespace {

bool has_ended(const RunRecord& record, Status status) {
  return record.status == name_of(status);
}

/// What a worker wrote may still be unreadable: a disk that ran full, say.
void mark_unreadable(RunRecord& record, const Error& error) {
  record.status = name_of(Status::kError);
  record.stage = "save";
  record.error = message_line(std::string("save: ") + error.what());
}

class StudyRun {
public:
  StudyRun(const Study& study, Executor& executor, const RecordContext& context,
           StudyObserver& observer)
      : study_(study), executor_(executor), context_(context), observer_(observer) {}

  StudyResult run() {
    StudyResult result;
    std::optional<RunDump> reference;
    result.reference = make_pictures(study_.reference, "reference", reference);
    if (!reference) {
      return result;
    }
    observer_.on_reference(study_.reference, result.reference, *reference);
    for (const StudyCell& candidate : study_.candidates) {
      result.candidates.push_back(run_candidate(candidate, *reference));
      if (has_ended(result.candidates.back().record, Status::kInterrupted)) {
        break;
      }
    }
    return result;
  }

private:
  CandidateResult run_candidate(const StudyCell& candidate, const RunDump& reference) {
    CandidateResult result;
    std::optional<RunDump> run;
    result.record =
        quality_record(make_pictures(candidate, "candidate", run), study_.reference.words);
    if (run) {
      try {
        result.images = compare_runs(*run, reference);
        fill_quality(result.record, summary_of(result.images));
      } catch (const Error& error) {
        mark_unreadable(result.record, error);
        run.reset();
      }
    }
    observer_.on_candidate(candidate, result, run ? &*run : nullptr);
    return result;
  }

  /// Runs the cell, and opens what it made, if it ended well.
  RunRecord make_pictures(const StudyCell& asked, const char* name, std::optional<RunDump>& run) {
    if (!asked.obstacle.empty()) {
      return skip_cell(asked.cell, asked.obstacle, context_);
    }
    Cell cell = asked.cell;
    cell.dump_run = folder_.path() / (std::string(name) + ".safetensors");
    // cuDNN keeps the plans it has chosen: cells that differ in that must not share a process.
    if (last_cudnn_benchmark_ && *last_cudnn_benchmark_ != cell.cudnn_benchmark) {
      executor_.restart();
    }
    last_cudnn_benchmark_ = cell.cudnn_benchmark;
    std::error_code none; // another candidate's must not stand for this one's
    std::filesystem::remove(cell.dump_run, none);
    RunRecord record = run_cell(cell, executor_, observer_.on_cell(asked), context_);
    if (has_ended(record, Status::kOk)) {
      try {
        run.emplace(cell.dump_run);
      } catch (const Error& error) {
        mark_unreadable(record, error);
      }
    }
    return record;
  }

  const Study& study_;
  Executor& executor_;
  const RecordContext& context_;
  StudyObserver& observer_;
  const TemporaryFolder folder_;
  std::optional<bool> last_cudnn_benchmark_;
};

} // namespace

StudyResult run_study(const Study& study, Executor& executor, const RecordContext& context,
                      StudyObserver& observer) {
  return StudyRun(study, executor, context, observer).run();
}

} // namespace sdbench
