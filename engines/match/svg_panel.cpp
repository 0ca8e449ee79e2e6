// SVG by hand: frames, axes and lines. Pure.
#include "engines/match/svg_panel.h"

#include <algorithm>
#include <fmt/format.h>

namespace fuhyo::match {
namespace {

constexpr double kLeft = 58, kTop = 30, kRight = 18, kBottom = 34;  // around a panel's frame
constexpr double kCellWidth = kLeft + SvgPanel::kWidth + kRight, kCellHeight = kTop + SvgPanel::kHeight + kBottom;
constexpr std::size_t kColumns = 4;

double share(double value, double min, double max) {
  return max > min ? std::clamp((value - min) / (max - min), 0.0, 1.0) : 0.5;
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string safe;
  for (const char each : text) {
    switch (each) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += each;
    }
  }
  return safe;
}

double SvgPanel::left() const {
  const auto column = index % kColumns;
  return static_cast<double>(column) * kCellWidth + kLeft;
}
double SvgPanel::top() const {
  const auto row = index / kColumns;
  return static_cast<double>(row) * kCellHeight + kTop;
}
double SvgPanel::x(double value) const { return left() + kWidth * share(value, x_min, x_max); }
double SvgPanel::y(double value) const { return top() + kHeight * (1 - share(value, y_min, y_max)); }

std::string SvgPanel::text(double at_x, double at_y, std::string_view anchor, std::string_view words) const {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", at_x, at_y, anchor,
                     escape_xml(words));
}

std::string SvgPanel::frame(std::string_view title) const {
  std::string svg = fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" class=\"frame\"/>\n",
                                left(), top(), kWidth, kHeight);
  svg += text(left() + kWidth / 2, top() - 8, "middle", title);
  svg += text(left() - 5, top() + 5, "end", fmt::format("{:.6g}", y_max));
  svg += text(left() - 5, top() + kHeight, "end", fmt::format("{:.6g}", y_min));
  svg += text(left(), top() + kHeight + 15, "middle", fmt::format("{:.7g}", x_min));
  svg += text(left() + kWidth, top() + kHeight + 15, "end", fmt::format("{:.7g}", x_max));
  return svg;
}

std::string SvgPanel::line(double x1, double y1, double x2, double y2, std::string_view style) const {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x(x1), y(y1),
                     x(x2), y(y2), style);
}

std::string SvgPanel::level(double value, std::string_view style) const {
  return line(x_min, value, x_max, value, style);
}

std::string SvgPanel::upright(double value, std::string_view style) const {
  return line(value, y_min, value, y_max, style);
}

std::string svg_document(std::size_t panels, std::string_view content) {
  const std::size_t columns = std::clamp<std::size_t>(panels, 1, kColumns);
  const std::size_t rows = (panels + kColumns - 1) / kColumns;
  const double width = static_cast<double>(columns) * kCellWidth, height = static_cast<double>(rows) * kCellHeight;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
      "<style>text{{font:11px sans-serif;fill:#222}}.frame{{fill:none;stroke:#888}}.start{{stroke:#888;"
      "stroke-dasharray:5 4}}.value{{fill:none;stroke:#1f5fa8;stroke-width:1.5}}.other{{fill:none;stroke:#b03020;"
      "stroke-width:1.5}}.band{{fill:#1f5fa8;fill-opacity:.18}}"
      ".error{{stroke:#b8b8b8}}.sample{{fill:#777}}.chosen{{stroke:#b03020;stroke-width:1.5}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{2}</svg>\n",
      width, height, content);
}

}  // namespace fuhyo::match
