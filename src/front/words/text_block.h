#pragma once

#include <string>
#include <string_view>

namespace sdbench {

/// Lines "  name   figure   remark" for the terminal, in columns. With `colour`, ANSI codes mark
/// headings, the main figure and failures.
class TextBlock {
public:
  explicit TextBlock(bool colour) : colour_(colour) {}

  void heading(std::string_view text);
  void line(std::string_view name, std::string_view figure, std::string_view remark = {});
  void main_figure(std::string_view name, std::string_view figure, std::string_view remark);
  /// Adds a line that is red unless `good`.
  void verdict(std::string_view name, std::string_view figure, bool good, std::string_view remark);
  void blank() { text_ += "\n"; }

  [[nodiscard]] const std::string& text() const { return text_; }

private:
  [[nodiscard]] std::string highlighted(std::string_view code, std::string_view figure,
                                        std::string_view remark) const;
  void write_line(std::string_view name, const std::string& figure, std::string_view remark);

  bool colour_;
  std::string text_;
};

} // namespace sdbench
