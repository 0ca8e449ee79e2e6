// SVG by hand: frames, axes and lines. Pure.
#include "engines/match/tune/plot.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace fuhyo::match::tune {
namespace {

constexpr double kWidth = 300, kHeight = 170;                       // of a panel's frame
constexpr double kLeft = 58, kTop = 30, kRight = 18, kBottom = 34;  // around it
constexpr double kCellWidth = kLeft + kWidth + kRight, kCellHeight = kTop + kHeight + kBottom;
constexpr std::size_t kColumns = 4;

std::string escaped(std::string_view text) {
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
      default:
        safe += each;
    }
  }
  return safe;
}

// A panel's frame and scales. What lies outside of the frame is drawn at its edge.
struct Panel {
  std::size_t index;
  double x_min, x_max, y_min, y_max;

  double left() const { return static_cast<double>(index % kColumns) * kCellWidth + kLeft; }
  double top() const { return static_cast<double>(index / kColumns) * kCellHeight + kTop; }
  double x(double value) const { return left() + kWidth * share(value, x_min, x_max); }
  double y(double value) const { return top() + kHeight * (1 - share(value, y_min, y_max)); }

  static double share(double value, double min, double max) {
    return max > min ? std::clamp((value - min) / (max - min), 0.0, 1.0) : 0.5;
  }

  std::string text(double at_x, double at_y, std::string_view anchor, std::string_view words) const {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", at_x, at_y, anchor,
                       escaped(words));
  }
  std::string frame(std::string_view title) const {
    std::string svg = fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" class=\"frame\"/>\n",
                                  left(), top(), kWidth, kHeight);
    svg += text(left() + kWidth / 2, top() - 8, "middle", title);
    svg += text(left() - 5, top() + 5, "end", fmt::format("{:.6g}", y_max));
    svg += text(left() - 5, top() + kHeight, "end", fmt::format("{:.6g}", y_min));
    svg += text(left(), top() + kHeight + 15, "middle", fmt::format("{:.7g}", x_min));
    svg += text(left() + kWidth, top() + kHeight + 15, "end", fmt::format("{:.7g}", x_max));
    return svg;
  }
  std::string line(double x1, double y1, double x2, double y2, std::string_view style) const {
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x(x1), y(y1),
                       x(x2), y(y2), style);
  }
  std::string level(double value, std::string_view style) const { return line(x_min, value, x_max, value, style); }
  std::string upright(double value, std::string_view style) const { return line(value, y_min, value, y_max, style); }
};

std::string document(std::size_t panels, std::string_view content) {
  const std::size_t columns = std::clamp<std::size_t>(panels, 1, kColumns);
  const std::size_t rows = (panels + kColumns - 1) / kColumns;
  const double width = static_cast<double>(columns) * kCellWidth, height = static_cast<double>(rows) * kCellHeight;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
      "<style>text{{font:11px sans-serif;fill:#222}}.frame{{fill:none;stroke:#888}}.start{{stroke:#888;"
      "stroke-dasharray:5 4}}.value{{fill:none;stroke:#1f5fa8;stroke-width:1.5}}.band{{fill:#1f5fa8;fill-opacity:.18}}"
      ".error{{stroke:#b8b8b8}}.sample{{fill:#777}}.chosen{{stroke:#b03020;stroke-width:1.5}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{2}</svg>\n",
      width, height, content);
}

std::string trace_panel(const Parameter& parameter, const std::vector<TracePoint>& trace, std::size_t index) {
  double low = parameter.value, high = parameter.value;
  for (const TracePoint& point : trace) {
    low = std::min(low, point.values[index]), high = std::max(high, point.values[index]);
  }
  const Panel panel{index, 0, static_cast<double>(std::max<std::int64_t>(1, trace.back().games)),
                    parameter.clipped(low - 2 * parameter.step), parameter.clipped(high + 2 * parameter.step)};
  std::string svg = panel.frame(fmt::format("{}  {:.6g} → {:.6g}  ({:.6g} .. {:.6g})", parameter.name, parameter.value,
                                            trace.back().values[index], parameter.min, parameter.max));
  svg += panel.level(parameter.value, "start");
  svg += "<polyline class=\"value\" points=\"";
  for (const TracePoint& point : trace) {
    svg += fmt::format("{:.1f},{:.1f} ", panel.x(static_cast<double>(point.games)), panel.y(point.values[index]));
  }
  svg += "\"/>\n" + panel.text(panel.left() + kWidth / 2, panel.top() + kHeight + 15, "middle", "games");
  return svg;
}

// The scores that a panel must show: those of the model, and most samples.
Panel slice_scale(const Parameter& parameter, const Slice& slice, std::size_t index) {
  double low = 0.5, high = 0.5;
  for (const auto& [value, mean, deviation] : slice.curve) {
    low = std::min(low, mean - 2 * deviation), high = std::max(high, mean + 2 * deviation);
  }
  for (const auto& [value, score, error] : slice.samples) low = std::min(low, score), high = std::max(high, score);
  return {index, parameter.min, parameter.max, std::max(0.0, low - 0.01), std::min(1.0, high + 0.01)};
}

std::string slice_panel(const Parameter& parameter, const Slice& slice, std::size_t index) {
  const Panel panel = slice_scale(parameter, slice, index);
  std::string svg = panel.frame(fmt::format("{}  {:.6g} → {:.6g}", parameter.name, parameter.value, slice.chosen));
  for (const auto& [value, score, error] : slice.samples) {
    svg += panel.line(value, score - error, value, score + error, "error");
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.5\" class=\"sample\"/>\n", panel.x(value),
                       panel.y(score));
  }
  std::string upper, lower, middle;
  for (const auto& [value, mean, deviation] : slice.curve) {
    const double x = panel.x(value);
    upper += fmt::format("{:.1f},{:.1f} ", x, panel.y(mean + 2 * deviation));
    lower = fmt::format("{:.1f},{:.1f} ", x, panel.y(mean - 2 * deviation)) + lower;
    middle += fmt::format("{:.1f},{:.1f} ", x, panel.y(mean));
  }
  svg += fmt::format("<polygon class=\"band\" points=\"{}{}\"/>\n", upper, lower);
  svg += fmt::format("<polyline class=\"value\" points=\"{}\"/>\n", middle);
  svg += panel.level(0.5, "start") + panel.upright(parameter.value, "start") + panel.upright(slice.chosen, "chosen");
  svg += panel.text(panel.left() + kWidth / 2, panel.top() + kHeight + 15, "middle", "score against the start");
  return svg;
}

}  // namespace

std::string plot_trace(const Parameters& parameters, const std::vector<TracePoint>& trace) {
  std::string svg;
  for (std::size_t i = 0; i < parameters.size(); ++i) svg += trace_panel(parameters[i], trace, i);
  return document(parameters.size(), svg);
}

std::string plot_slices(const Parameters& parameters, const std::vector<Slice>& slices) {
  std::string svg;
  for (std::size_t i = 0; i < parameters.size(); ++i) svg += slice_panel(parameters[i], slices[i], i);
  return document(parameters.size(), svg);
}

}  // namespace fuhyo::match::tune
