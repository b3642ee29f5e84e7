#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/compare/compare_formats.h"
#include "sdbench/compare/compare_view.h"
#include "sdbench/core/escape.h"
#include "sdbench/core/terminal_text.h"

namespace sdbench {
namespace {

constexpr std::size_t kGap = 2;        ///< between columns
constexpr std::size_t kNarrowest = 12; ///< a machine's name is never cut below this
constexpr std::size_t kMachineColumn = 1;

/// At most `count` columns: the middle makes way, for what tells names apart stands at their
/// ends.
std::string shortened(const std::string& text, std::size_t count) {
  const std::size_t all = columns_of(text);
  if (all <= count) {
    return text;
  }
  const std::size_t head = (count - 1) / 2;
  const std::size_t tail = count - 1 - head;
  std::string end = text.substr(place_behind(text, all - tail));
  if (columns_of(end) > tail) { // the cut went through a wide character
    end = text.substr(place_behind(text, all - tail + 1));
  }
  return text.substr(0, place_behind(text, head)) + "…" + end;
}

std::string in_colour(std::string_view code, const std::string& text, bool colour) {
  return colour && !text.empty() ? "\x1b[" + std::string(code) + "m" + text + "\x1b[0m" : text;
}

std::string_view code_of(Tone tone) {
  switch (tone) {
  case Tone::kGood:
    return "32";
  case Tone::kBad:
    return "31";
  case Tone::kFaint:
    return "2";
  case Tone::kPlain:
    break;
  }
  return "0";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(one_line(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return lines;
}

/// The cells of a table as they will stand, and which columns are shown.
class TextTable {
public:
  TextTable(const ViewTable& view, std::size_t width) : view_(view), width_(width) {
    for (const ViewRow& row : view.rows) {
      cells_.emplace_back();
      for (const std::string& cell : row.cells) {
        cells_.back().push_back(one_line(cell));
      }
    }
    for (std::size_t column = 0; column < view.columns.size(); ++column) {
      heads_.push_back(lines_of(view.columns[column].head));
      head_lines_ = std::max(head_lines_, heads_.back().size());
      std::size_t widest = 0;
      for (const std::string& head : heads_.back()) {
        widest = std::max(widest, columns_of(head));
      }
      for (const auto& row : cells_) {
        widest = std::max(widest, columns_of(row[column]));
      }
      widths_.push_back(widest);
    }
  }

  [[nodiscard]] std::string text(bool colour) {
    std::vector<std::size_t> shown(view_.columns.size());
    std::iota(shown.begin(), shown.end(), 0U);
    if (view_.fixed_columns > 0) {
      return text_in_parts(shown, colour);
    }
    std::string left_out;
    while (!fits(shown)) {
      const auto most = std::ranges::max_element(
          shown, {}, [&](std::size_t column) { return view_.columns[column].drop; });
      if (view_.columns[*most].drop == 0) {
        break;
      }
      left_out += (left_out.empty() ? "" : ", ") + heads_[*most].front();
      shown.erase(most);
    }
    narrow_names(shown);
    return lines(shown, colour) +
           (left_out.empty()
                ? ""
                : wrapped("no room for: " + left_out + " (all in --format csv)", width_, 2));
  }

private:
  [[nodiscard]] std::size_t total(const std::vector<std::size_t>& shown) const {
    std::size_t sum = 0;
    for (const std::size_t column : shown) {
      sum += widths_[column] + kGap;
    }
    return sum - kGap;
  }
  [[nodiscard]] bool fits(const std::vector<std::size_t>& shown) const {
    return width_ == 0 || total(shown) <= width_;
  }

  void narrow_names(const std::vector<std::size_t>& shown) {
    if (fits(shown) || view_.columns.size() <= kMachineColumn) {
      return;
    }
    const std::size_t names = widths_[kMachineColumn];
    const std::size_t excess = total(shown) - width_;
    cap_names(std::max(kNarrowest, names > excess ? names - excess : 0));
  }

  void cap_names(std::size_t most) {
    widths_[kMachineColumn] = std::min(widths_[kMachineColumn], most);
    for (auto& row : cells_) {
      row[kMachineColumn] = shortened(row[kMachineColumn], widths_[kMachineColumn]);
    }
  }

  /// As many columns beside the fixed ones as there is room for, then the next.
  std::string text_in_parts(const std::vector<std::size_t>& all, bool colour) {
    if (!fits(all)) { // room for two or three
      cap_names(std::max(kNarrowest, width_ * 2 / 5));
    }
    std::string text;
    for (std::size_t next = view_.fixed_columns; next < all.size();) {
      std::vector<std::size_t> shown(
          all.begin(), all.begin() + static_cast<std::ptrdiff_t>(view_.fixed_columns));
      do {
        shown.push_back(next++);
        if (next == all.size()) {
          break;
        }
        shown.push_back(next);
        const bool more = fits(shown);
        shown.pop_back();
        if (!more) {
          break;
        }
      } while (next < all.size());
      narrow_names(shown);
      text += (text.empty() ? "" : "\n") + lines(shown, colour);
    }
    return text;
  }

  [[nodiscard]] std::string line(const std::vector<std::string>& cells,
                                 const std::vector<std::size_t>& shown) const {
    std::string text;
    for (const std::size_t column : shown) {
      const std::size_t used = columns_of(cells[column]);
      const std::string gap(widths_[column] > used ? widths_[column] - used : 0, ' ');
      text += (view_.columns[column].is_number ? gap + cells[column] : cells[column] + gap) +
              std::string(kGap, ' ');
    }
    return text.substr(0, text.find_last_not_of(' ') + 1);
  }

  [[nodiscard]] std::string lines(const std::vector<std::size_t>& shown, bool colour) const {
    std::string text;
    for (std::size_t part = 0; part < head_lines_; ++part) { // short heads stand at the bottom
      std::vector<std::string> heads;
      for (const auto& head : heads_) {
        const std::size_t missing = head_lines_ - head.size();
        heads.push_back(part < missing ? "" : head[part - missing]);
      }
      text += in_colour("1", line(heads, shown), colour) + "\n";
    }
    for (std::size_t row = 0; row < cells_.size(); ++row) {
      const Tone tone = view_.rows[row].tone;
      const bool plain = tone == Tone::kPlain;
      text += in_colour(code_of(tone), line(cells_[row], shown), colour && !plain) + "\n";
    }
    return text;
  }

  const ViewTable& view_;
  std::size_t width_;
  std::vector<std::vector<std::string>> heads_;
  std::size_t head_lines_ = 1;
  std::vector<std::vector<std::string>> cells_;
  std::vector<std::size_t> widths_;
};

} // namespace

std::string to_text(const CompareView& view, std::size_t width, bool colour) {
  std::string text = wrapped(one_line(view.head), width, 2);
  for (const ViewTable& table : view.tables) {
    text +=
        "\n" + in_colour("1", one_line(table.title), colour) + (table.title.empty() ? "" : "\n");
    text += table.answer.empty() ? "" : wrapped(one_line(table.answer), width, 2);
    text += (table.answer.empty() ? "" : "\n") + TextTable(table, width).text(colour);
    for (const std::string& remark : table.remarks) {
      text += wrapped(one_line(remark), width, 3);
    }
  }
  text += view.remarks.empty() ? "" : "\n";
  for (const std::string& remark : view.remarks) {
    text += wrapped(one_line(remark), width, 2);
  }
  return text;
}

} // namespace sdbench
