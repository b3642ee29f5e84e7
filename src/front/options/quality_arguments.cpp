#include "sdbench/front/options/quality_arguments.h"

#include <algorithm>
#include <utility>

#include "sdbench/base/config/option_layers.h"
#include "sdbench/base/config/run_options.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/weights/locate.h"
#include "sdbench/front/options/arguments.h"
#include "sdbench/front/options/run_option_arguments.h"

namespace sdbench {
namespace {

constexpr const char* kQualityDescription =
    R"(Makes the same pictures in several ways and says how far each is from the reference: PSNR, SSIM,
squared and largest errors of images and latents, and the steps in which they grow.
--steps, and every number and choice under "How it is computed", takes a list of values. Each
combination is a candidate. See docs/quality.md.)";

constexpr const char* kQualityExamples =
    R"(Examples:
  sdbench quality --model sd15 --dtype fp16,bf16,autocast-bf16 --save-images study
  sdbench quality --model sdxl --attention math,flash --reference dtype=fp16,attention=math
  sdbench quality --model sd15 --steps 10,20,30 --reference steps=50 --prompt @prompts.txt -o study.csv
  sdbench quality --weights ./mine --dtype bf16 --min-psnr 30 --min-ssim 0.95
Exit code: 0 good, 4 a candidate is under --min-psnr or --min-ssim, 3 some candidates failed, 1 all
candidates or the reference failed, 2 wrong command, 130 interrupted.)";

bool is_study_option(const RunOption& option) {
  const auto names = study_option_names();
  return std::ranges::find(names, option.name) != names.end();
}

std::optional<double> limit_of(const CLI::Option* option, double most, const char* form) {
  const std::string text = single_value(option);
  if (option->count() == 0) {
    return std::nullopt;
  }
  const std::optional<double> number = parse_number(text);
  if (!number || !(*number > 0) || *number > most) {
    throw UsageError(option->get_name() + " must be " + form + ", but is " + in_quotes(text));
  }
  return number;
}

std::int64_t amplification_of(const CLI::Option* option) {
  constexpr std::int64_t kMost = 255; // shows a difference of one as white
  const std::string text = single_value(option, "10");
  const std::optional<std::int64_t> number = parse_integer(text);
  if (!number || *number < 1 || *number > kMost) {
    throw UsageError("--amplify must be a whole number from 1 to 255, but is " + in_quotes(text));
  }
  return *number;
}

/// Refuses limits for synthetic weights: noise has no quality to limit.
void refuse_limits_on_noise(const QualityArguments& parsed) {
  const bool has_limit = parsed.limits.min_psnr_db || parsed.limits.min_ssim;
  const WeightsLocation& weights = parsed.study.reference.cell.weights;
  if (has_limit && weights.kind == WeightsLocation::Kind::kSynthetic) {
    throw UsageError("--min-psnr and --min-ssim must be given with real weights, because " +
                     weights.description +
                     " makes noise and no pictures; name a checkpoint with --weights");
  }
}

/// The options that apply to the study as a whole.
RunOptions applied_around(const Json& values) {
  Json own = Json::object();
  for (const char* name : {"label", "note", "tag", "timeout", "no-save", "overwrite"}) {
    if (values.contains(name)) {
      own[name] = values[name];
    }
  }
  RunOptions around;
  apply_options(around, own);
  return around;
}

std::vector<std::filesystem::path> paths_of(const CLI::Option* option) {
  const auto& texts = option->results();
  return {texts.begin(), texts.end()};
}

} // namespace

std::optional<QualityArguments> parse_quality_arguments(const std::vector<std::string>& arguments,
                                                        std::ostream& out,
                                                        const EnginesOfDevice& all) {
  CLI::App app(kQualityDescription, "sdbench quality");
  app.footer(kQualityExamples);
  const std::string study = "Study";
  const auto* reference =
      add_text_option(app, "--reference", "NAME=VALUE,...",
                      "options in which the reference differs (dtype=fp32)", study);
  const auto* min_psnr =
      add_text_option(app, "--min-psnr", "DB", "exit code 4 if an image's PSNR is lower", study);
  const auto* min_ssim =
      add_text_option(app, "--min-ssim", "X", "exit code 4 if an image's SSIM is lower", study);
  const auto* output = add_text_option(
      app, "-o,--output", "FILE", "a row per image; append to .csv, .jsonl; replace .json", study);
  const auto* records = add_text_option(app, "--records", "FILE",
                                        "a record per candidate (sdbench-results/<host>)", study);
  const auto* save_images = add_text_option(
      app, "--save-images", "DIR", "pictures, differences and a contact sheet as PNG files", study);
  const auto* amplify = add_text_option(
      app, "--amplify", "N", "multiply the differences in their pictures by N (10)", study);
  const auto* no_step_images =
      add_flag(app, "--no-step-images",
               "compare only the final images: no VAE decode after each step", study);
  const auto* dry_run = add_flag(
      app, "--dry-run", "only print what would be compared, and the memory it needs", study);
  for (const RunOption& option : run_options()) {
    if (is_study_option(option)) {
      add_run_option(app, option);
    }
  }
  const auto* verbose =
      add_flag(app, "-v,--verbose", "print more, also the worker's output", "Other");
  const auto* quiet = add_flag(app, "-q,--quiet", "only warnings and errors", "Other");
  if (!parse_arguments(app, arguments, out)) {
    return std::nullopt;
  }
  QualityArguments parsed;
  parsed.limits.min_psnr_db = limit_of(min_psnr, 1000, "decibels above 0, such as 30");
  parsed.limits.min_ssim = limit_of(min_ssim, 1, "above 0 and at most 1, such as 0.95");
  parsed.outputs = paths_of(output);
  parsed.records = paths_of(records);
  parsed.save_images = single_value(save_images);
  parsed.amplify = amplification_of(amplify);
  parsed.dry_run = dry_run->count() > 0;
  parsed.verbosity = verbose->count() > 0 ? 1 : quiet->count() > 0 ? -1 : 0;

  Json values = Json::object();
  for (const RunOption& option : run_options()) {
    if (!is_study_option(option)) {
      continue;
    }
    if (Json value = given_run_value(app, option); !value.is_null()) {
      values[std::string(option.name)] = std::move(value);
    }
  }
  parsed.study = plan_study(values, reference->results(), all);
  parsed.study.step_images = no_step_images->count() == 0;
  const RunOptions around = applied_around(values);
  parsed.label = around.label;
  parsed.note = around.note;
  parsed.tags = around.tags;
  parsed.timeout_s = around.timeout_s;
  parsed.no_save = around.no_save;
  parsed.overwrite = around.overwrite;
  refuse_limits_on_noise(parsed);
  return parsed;
}

} // namespace sdbench
