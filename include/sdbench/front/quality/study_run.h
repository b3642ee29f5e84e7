#pragma once

#include <string>
#include <vector>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_dump.h"
#include "sdbench/base/record/build_record.h"
#include "sdbench/front/quality/study_figures.h"
#include "sdbench/front/quality/study_plan.h"

namespace sdbench {

/// How a candidate came off.
struct CandidateResult {
  RunRecord record;                 ///< see quality_record
  std::vector<ImageFigures> images; ///< empty unless its status is ok
  std::string step_images; ///< whether those after each step are compared: see kStepImagesYes
};

/// Hears how a study goes.
class StudyObserver {
public:
  virtual ~StudyObserver() = default;
  /// A cell begins; what happens in it is told to the observer that is returned.
  virtual ExecutorObserver& on_cell(const StudyCell& cell) = 0;
  /// Images after the cell's steps are missing, in words; its final ones are there.
  virtual void on_missing_step_images(const StudyCell& /*cell*/, const std::string& /*why*/) {}
  /// The reference's pictures are there.
  virtual void on_reference(const StudyCell& /*cell*/, const RunRecord& /*record*/,
                            const RunDump& /*run*/) {}
  /// A candidate has ended; `run`: its pictures, null where there are none.
  virtual void on_candidate(const StudyCell& /*cell*/, const CandidateResult& /*result*/,
                            const RunDump* /*run*/) {}
};

struct StudyResult {
  RunRecord reference; ///< its status is the study's: unless ok, no candidate has run
  std::vector<CandidateResult> candidates; ///< in their order; fewer after an interruption
};

/// Runs the reference and then each candidate, whatever becomes of the others, and compares their
/// pictures, which lie in a temporary folder meanwhile. An interruption ends it. A cell that fails
/// after its pictures were written, at images after its steps, is ok without these. Throws Error if
/// there is no such folder.
[[nodiscard]] StudyResult run_study(const Study& study, Executor& executor,
                                    const RecordContext& context, StudyObserver& observer);

} // namespace sdbench
