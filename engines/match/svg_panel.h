// Draws plots as SVG: panels in a grid, each with a frame and scales. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fuhyo::match {

std::string escape_xml(std::string_view text);

// Values outside of the frame are drawn at its edge.
struct SvgPanel {
  static constexpr double kWidth = 300, kHeight = 170;  // of the frame

  std::size_t index;  // in its document, from 0
  double x_min, x_max, y_min, y_max;

  double left() const;
  double top() const;
  double x(double value) const;
  double y(double value) const;

  // Anchors: "start", "middle", "end". Styles: those of svg_document().
  std::string text(double at_x, double at_y, std::string_view anchor, std::string_view words) const;
  std::string frame(std::string_view title) const;
  std::string line(double x1, double y1, double x2, double y2, std::string_view style) const;
  std::string level(double value, std::string_view style) const;    // across, at this y
  std::string upright(double value, std::string_view style) const;  // from bottom to top, at this x
};

// Styles: frame, start (dashed), value, other (a second line), band, error, sample, chosen.
std::string svg_document(std::size_t panels, std::string_view content);

}  // namespace fuhyo::match
