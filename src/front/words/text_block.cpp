#include "text_block.h"

#include <algorithm>

#include "sdbench/front/words/screen.h"
#include "sdbench/front/words/terminal_text.h"

namespace sdbench {
namespace {

constexpr std::size_t kNameWidth = 16;
constexpr std::size_t kFigureWidth = 14;

std::string gap(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, columns_of(text)), ' ');
}

std::string padded(std::string_view text, std::size_t width) {
  return std::string(text) + gap(text, width);
}

/// 0 without a remark, so that a figure at the end of its line has no padding.
std::size_t figure_width(std::string_view remark) {
  return remark.empty() ? 0 : kFigureWidth;
}

} // namespace

void TextBlock::heading(std::string_view text) {
  text_ += styled("1", text, colour_) + "\n";
}

void TextBlock::line(std::string_view name, std::string_view figure, std::string_view remark) {
  write_line(name, padded(figure, figure_width(remark)), remark);
}

void TextBlock::main_figure(std::string_view name, std::string_view figure,
                            std::string_view remark) {
  write_line(name, highlighted("1;32", figure, remark), remark);
}

void TextBlock::verdict(std::string_view name, std::string_view figure, bool good,
                        std::string_view remark) {
  if (good) {
    line(name, figure, remark);
  } else {
    write_line(name, highlighted("1;31", figure, remark), remark);
  }
}

/// Colour codes take no room on the screen, so the padding comes behind them.
std::string TextBlock::highlighted(std::string_view code, std::string_view figure,
                                   std::string_view remark) const {
  return styled(code, figure, colour_) + gap(figure, figure_width(remark));
}

void TextBlock::write_line(std::string_view name, const std::string& figure,
                           std::string_view remark) {
  text_ += "  " + padded(name, kNameWidth) + figure;
  text_ += remark.empty() ? "\n" : "  " + std::string(remark) + "\n";
}

} // namespace sdbench
