#include "sdbench/front/quality/quality_row.h"

#include <cmath>
#include <utility>

#include "sdbench/base/config/sampler_table.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/quality/study_figures.h"
#include "sdbench/front/record/csv_text.h"
#include "sdbench/front/record/field_access.h"

// The one table of a study's fields. docs/quality.md repeats it, and a test holds it to that.

namespace sdbench {
namespace {

Json finite(double number) {
  return std::isfinite(number) ? Json(number) : Json();
}

Json text(const std::string& bytes) {
  return escape_text(bytes);
}

/// A value that only rows with an image have.
template <typename Value>
Json of_image(const QualityRow& row, const Value& value) {
  return row.figures ? Json(value(*row.figures)) : Json();
}

using Row = QualityRow;
using F = ImageFigures;
using P = PictureFigures;

Json by_step(const Row& row, std::vector<double> F::*numbers) {
  return mapped<Json>(row.figures ? (*row.figures).*numbers : std::vector<double>(),
                      [](double number) { return finite(number); });
}

Json pictures_by_step(const Row& row, double (*number)(const PictureFigures& figures)) {
  Json list = Json::array();
  if (row.figures) {
    for (const auto& picture : row.figures->pictures_by_step) {
      list.push_back(picture ? finite(number(*picture)) : Json());
    }
  }
  return list;
}

// clang-format off
const QualityField kQualityFields[] = {
    {"quality_schema_version", "", "Version of this list of fields.", [](const Row&) { return Json(kQualitySchemaVersion); }},
    {"study_id", "", "Random name of the call of sdbench quality that made this row.", [](const Row& r) { return text(r.record.sweep_id); }},
    {"run_id", "", "Random name of the candidate's run, as in its record.", [](const Row& r) { return text(r.record.run_id); }},
    {"time_utc", "", "Start of the candidate, ISO 8601 in UTC.", [](const Row& r) { return text(r.record.time_utc); }},
    {"host", "", "Name of the machine.", [](const Row& r) { return text(r.record.host); }},
    {"label", "", "The text of --label.", [](const Row& r) { return text(r.record.label); }},
    {"note", "", "The text of --note.", [](const Row& r) { return text(r.record.note); }},
    {"tags", "", field_named("tags").description, [](const Row& r) { return text(r.record.tags); }},
    {"sdbench_version", "", "Version of sdbench.", [](const Row& r) { return text(r.record.sdbench_version); }},
    {"runtime_version", "", "Version of the runtime that computed; for tuned and plain that of libtorch.",
     [](const Row& r) { return text(r.record.runtime_version); }},
    {"device_kind", "", "cpu, cuda or intel.", [](const Row& r) { return text(r.record.device_kind); }},
    {"device_name", "", "Name of the GPU or of the processor.", [](const Row& r) { return text(r.record.device_name); }},
    {"model", "", "Name of the architecture.", [](const Row& r) { return text(r.record.model); }},
    {"weights", "", "Identity of the weights; synthetic:SEED gives noise instead of pictures.", [](const Row& r) { return text(r.record.weights); }},
    {"width", "px", "Width of an image.", [](const Row& r) { return Json(r.record.width); }},
    {"height", "px", "Height of an image.", [](const Row& r) { return Json(r.record.height); }},
    {"guidance", "", "Guidance scale.", [](const Row& r) { return finite(r.record.guidance); }},
    {"scheduler", "", "The sampler that ran and its noise levels: euler or euler_karras.",
     [](const Row& r) { return text(sampler_word(r.record.scheduler, r.record.noise_levels)); }},
    {"reference", "", "What the candidate is compared with, in words.", [](const Row& r) { return text(r.reference); }},
    {"reference_steps", "", "Scheduler steps of the reference.", [](const Row& r) { return Json(r.reference_steps); }},
    {"candidate", "", "The candidate in words.", [](const Row& r) { return text(r.candidate); }},
    {"cell_id", "", "As in the candidate's record: hash of workload_id, variant_id and device.", [](const Row& r) { return text(r.record.cell_id); }},
    {"variant_id", "", "As in the candidate's record: hash of the options asked for.", [](const Row& r) { return text(r.record.variant_id); }},
    {"dtype_unet", "", "Number format of the candidate's UNet.", [](const Row& r) { return text(r.record.dtype_unet); }},
    {"dtype_vae", "", "Number format of the candidate's VAE decoder.", [](const Row& r) { return text(r.record.dtype_vae); }},
    {"dtype_text", "", "Number format of the candidate's text encoders.", [](const Row& r) { return text(r.record.dtype_text); }},
    {"attention_used", "", "Attention kernel that the candidate's UNet used.", [](const Row& r) { return text(r.record.attention_used); }},
    {"steps", "", "Scheduler steps of the candidate.", [](const Row& r) { return Json(r.record.steps); }},
    {"batch", "", "Images that the candidate computed together.", [](const Row& r) { return Json(r.record.batch); }},
    {"status", "", "ok, oom_device, oom_host, crash, timeout, error, invalid_output, skipped or interrupted.",
     [](const Row& r) { return text(r.record.status); }},
    {"error", "", "Why the status is not ok: stage and reason in one line.", [](const Row& r) { return text(r.record.error); }},
    {"image", "", "Index of the image, from 0; empty if the candidate made no image.", [](const Row& r) { return r.image ? Json(*r.image) : Json(); }},
    {"seed", "", "Seed of the image's noise.", [](const Row& r) { return Json(r.record.seed + static_cast<std::uint64_t>(r.image.value_or(0))); }},
    {"prompt", "", "Prompt of the image.", [](const Row& r) { return text(r.prompt); }},
    {"identical", "", "yes or no: whether all pixels equal the reference's; empty without an image.",
     [](const Row& r) { return r.figures ? Json(r.figures->is_identical() ? "yes" : "no") : Json(""); }},
    {"psnr_db", "dB", "Peak signal-to-noise ratio of the 8-bit image; empty for an identical image, whose ratio is infinite.",
     [](const Row& r) { return of_image(r, [](const F& f) { return finite(f.psnr_db); }); }},
    {"ssim", "", "Structural similarity of the 8-bit image, in windows of 7x7 pixels; 1 is the same image.",
     [](const Row& r) { return of_image(r, [](const F& f) { return finite(f.ssim); }); }},
    {"nmse", "", "Sum of squared errors of the 8-bit image divided by the sum of the reference's squares.",
     [](const Row& r) { return of_image(r, [](const F& f) { return finite(f.pixels.nmse); }); }},
    {"max_error", "", "Largest error of any channel of any pixel, from 0 to 255.",
     [](const Row& r) { return of_image(r, [](const F& f) { return finite(f.pixels.max_error); }); }},
    {"latents_nmse", "", "Sum of squared errors of the final latents divided by the sum of the reference's squares.",
     [](const Row& r) { return of_image(r, [](const F& f) { return finite(f.latents.nmse); }); }},
    {"latents_max_error", "", "Largest error of any value of the final latents.",
     [](const Row& r) { return of_image(r, [](const F& f) { return finite(f.latents.max_error); }); }},
    {"steepest_step", "", "Step, from 1, in which the latents' error grows most; empty if the step counts differ.", [](const Row& r) {
       const auto step = r.figures ? steepest_step(r.figures->latents_nmse_by_step) : std::nullopt;
       return step ? Json(*step) : Json();
     }},
    {"latents_nmse_by_step", "", "latents_nmse after each step; in CSV numbers separated by blanks, in JSON a list.",
     [](const Row& r) { return by_step(r, &F::latents_nmse_by_step); }},
    {"latents_max_error_by_step", "", "latents_max_error after each step, in the form of latents_nmse_by_step.",
     [](const Row& r) { return by_step(r, &F::latents_max_error_by_step); }},
    {"step_images", "", "yes if the images after each step are compared, no if not asked for or if the step counts differ; else why some or all are missing.",
     [](const Row& r) { return text(r.step_images); }},
    {"psnr_db_by_step", "dB", "psnr_db of the image decoded after each step; the last one is the final image.",
     [](const Row& r) { return pictures_by_step(r, [](const P& p) { return p.psnr_db; }); }},
    {"ssim_by_step", "", "ssim of these images.", [](const Row& r) { return pictures_by_step(r, [](const P& p) { return p.ssim; }); }},
    {"nmse_by_step", "", "nmse of these images.", [](const Row& r) { return pictures_by_step(r, [](const P& p) { return p.pixels.nmse; }); }},
    {"max_error_by_step", "", "max_error of these images.", [](const Row& r) { return pictures_by_step(r, [](const P& p) { return p.pixels.max_error; }); }},
};
// clang-format on

std::string csv_value(const Json& value) {
  if (value.is_array()) {
    std::string numbers;
    for (const Json& number : value) {
      const std::string text = number.is_null() ? "nan" : csv_value(number); // keeps the place
      numbers += (numbers.empty() ? "" : " ") + text;
    }
    return csv_quoted(numbers);
  }
  if (value.is_string()) {
    return csv_text(value.get<std::string>());
  }
  if (value.is_number_float()) {
    return number_text(value.get<double>());
  }
  return value.is_null() ? "" : value.dump();
}

} // namespace

std::span<const QualityField> quality_fields() {
  return kQualityFields;
}

std::vector<QualityRow> quality_rows(const Study& study, const StudyCell& candidate,
                                     const CandidateResult& result) {
  const QualityRow common{study.reference.words, candidate.words,   study.reference.cell.steps,
                          result.record,         std::nullopt,      "",
                          std::nullopt,          result.step_images};
  if (result.images.empty()) {
    return {common};
  }
  const std::vector<std::string>& prompts = candidate.cell.prompts;
  std::vector<QualityRow> rows;
  for (std::size_t image = 0; image < result.images.size(); ++image) {
    QualityRow row = common;
    row.image = static_cast<std::int64_t>(image);
    row.prompt = prompts.size() == 1 ? prompts.front() : prompts.at(image);
    row.figures = result.images[image];
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string quality_csv_header() {
  return csv_line(
      mapped(kQualityFields, [](const QualityField& field) { return csv_quoted(field.name); }));
}

std::string to_quality_csv(const QualityRow& row) {
  return csv_line(mapped(kQualityFields,
                         [&](const QualityField& field) { return csv_value(field.value(row)); }));
}

nlohmann::ordered_json to_json(const QualityRow& row) {
  nlohmann::ordered_json object;
  for (const QualityField& field : kQualityFields) {
    object[std::string(field.name)] = field.value(row);
  }
  return object;
}

} // namespace sdbench
