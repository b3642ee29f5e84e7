#include "row_options.h"

#include "option_values.h"

namespace sdbench {

RowOptions::RowOptions(CLI::App& app, const char* group) {
  app.add_option("FILES", paths_, "records (.csv, .json, .jsonl, .db), and folders of them")
      ->type_name("")
      ->group(group);
  metric_ = add_text_option(app, "-m,--metric", "FIELD[,FIELD]",
                            "a rate, time, memory or energy (images_per_min)", group);
  filter_ = add_text_option(app, "--filter", "FIELD=VALUE",
                            "only such rows, or FIELD!=VALUE; with * and ?; repeatable", group);
}

std::vector<std::filesystem::path> RowOptions::paths() const {
  return {paths_.begin(), paths_.end()};
}

std::vector<Metric> RowOptions::metrics() const {
  return metric_->count() > 0 ? find_metrics(single_value(metric_, "")) : std::vector<Metric>();
}

std::vector<RowFilter> RowOptions::filters() const {
  std::vector<RowFilter> filters;
  for (const std::string& text : filter_->results()) {
    filters.push_back(parse_filter(text));
  }
  return filters;
}

} // namespace sdbench
