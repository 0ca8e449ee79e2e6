// SVG panels of a tuning. Pure.
#include "engines/match/tune/plot.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/match/svg_panel.h"

namespace fuhyo::match::tune {
namespace {

std::string trace_panel(const Parameter& parameter, const std::vector<TracePoint>& trace, std::size_t index) {
  double low = parameter.value, high = parameter.value;
  for (const TracePoint& point : trace) {
    low = std::min(low, point.values[index]), high = std::max(high, point.values[index]);
  }
  const SvgPanel panel{index, 0, static_cast<double>(std::max<std::int64_t>(1, trace.back().games)),
                       parameter.clipped(low - 2 * parameter.step), parameter.clipped(high + 2 * parameter.step)};
  std::string svg = panel.frame(fmt::format("{}  {:.6g} → {:.6g}  ({:.6g} .. {:.6g})", parameter.name, parameter.value,
                                            trace.back().values[index], parameter.min, parameter.max));
  svg += panel.level(parameter.value, "start");
  svg += "<polyline class=\"value\" points=\"";
  for (const TracePoint& point : trace) {
    svg += fmt::format("{:.1f},{:.1f} ", panel.x(static_cast<double>(point.games)), panel.y(point.values[index]));
  }
  svg += "\"/>\n" +
         panel.text(panel.left() + SvgPanel::kWidth / 2, panel.top() + SvgPanel::kHeight + 15, "middle", "games");
  return svg;
}

// The scores that a panel must show: those of the model, and most samples.
SvgPanel slice_scale(const Parameter& parameter, const Slice& slice, std::size_t index) {
  double low = 0.5, high = 0.5;
  for (const auto& [value, mean, deviation] : slice.curve) {
    low = std::min(low, mean - 2 * deviation), high = std::max(high, mean + 2 * deviation);
  }
  for (const auto& [value, score, error] : slice.samples) low = std::min(low, score), high = std::max(high, score);
  return {index, parameter.min, parameter.max, std::max(0.0, low - 0.01), std::min(1.0, high + 0.01)};
}

std::string slice_panel(const Parameter& parameter, const Slice& slice, std::size_t index) {
  const SvgPanel panel = slice_scale(parameter, slice, index);
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
    lower.insert(0, fmt::format("{:.1f},{:.1f} ", x, panel.y(mean - 2 * deviation)));
    middle += fmt::format("{:.1f},{:.1f} ", x, panel.y(mean));
  }
  svg += fmt::format("<polygon class=\"band\" points=\"{}{}\"/>\n", upper, lower);
  svg += fmt::format("<polyline class=\"value\" points=\"{}\"/>\n", middle);
  svg += panel.level(0.5, "start") + panel.upright(parameter.value, "start") + panel.upright(slice.chosen, "chosen");
  svg += panel.text(panel.left() + SvgPanel::kWidth / 2, panel.top() + SvgPanel::kHeight + 15, "middle",
                    "score against the start");
  return svg;
}

}  // namespace

std::string plot_trace(const Parameters& parameters, const std::vector<TracePoint>& trace) {
  std::string svg;
  for (std::size_t i = 0; i < parameters.size(); ++i) svg += trace_panel(parameters[i], trace, i);
  return svg_document(parameters.size(), svg);
}

std::string plot_slices(const Parameters& parameters, const std::vector<Slice>& slices) {
  std::string svg;
  for (std::size_t i = 0; i < parameters.size(); ++i) svg += slice_panel(parameters[i], slices[i], i);
  return svg_document(parameters.size(), svg);
}

}  // namespace fuhyo::match::tune
