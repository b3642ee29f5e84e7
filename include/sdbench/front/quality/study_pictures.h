#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sdbench/base/image/picture.h"
#include "sdbench/front/quality/study_plan.h"
#include "sdbench/front/quality/study_run.h"

namespace sdbench {

/// Writes for each image of a candidate its difference from the reference (three labelled panels)
/// beside its pictures, and in the end all of them as one contact sheet.
class StudyPictures {
public:
  static constexpr const char* kContactSheet = "contact-sheet.png";

  /// Makes `folder` and in it one for each cell, where its save_images then point:
  /// "reference-fp32", "1-bf16-attention-flash" and so on. `factor`: what differences are
  /// multiplied by to be seen. Throws Error.
  StudyPictures(Study& study, std::filesystem::path folder, std::int64_t factor);

  /// Writes the cell's images after those steps that people are shown (see shown_steps), as far as
  /// it has any; the last one's is there. Throws Error.
  static void write_steps(const StudyCell& cell, const RunDump& run);
  void add_reference(const StudyCell& reference, const RunDump& run);
  /// Needs the reference's, and as many and as large images. Throws Error.
  void add_candidate(const StudyCell& candidate, const CandidateResult& result, const RunDump& run);
  /// Each image's pictures in a row, with their differences below. Throws Error. Returns the file.
  std::filesystem::path write_contact_sheet() const;

private:
  [[nodiscard]] Panel shrunk_panel(const std::vector<std::string>& lines,
                                   const ImageView& picture) const;

  std::filesystem::path folder_;
  std::int64_t factor_;
  std::string reference_words_;
  std::vector<Picture> reference_;           ///< whole
  std::vector<std::vector<Panel>> pictures_; ///< of the sheet, by image
  std::vector<std::vector<Panel>> differences_;
};

} // namespace sdbench
