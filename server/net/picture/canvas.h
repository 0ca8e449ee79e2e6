// Pictures made of filled outlines with smooth edges, and PNG. Values; one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::net {

using Colour = std::uint32_t;  // 0xRRGGBB

struct Point {
  float x = 0, y = 0;
};

// Closed contours; holes go the other way round.
class Outline {
 public:
  // Of an SVG's absolute M, L, H, V, C and Z; anything else ends it.
  static Outline of_path(std::string_view path);
  // Scaled, then moved; a negative scale turns it.
  Outline placed(Point scale, Point by) const;
  const std::vector<std::vector<Point>>& contours() const { return contours_; }

 private:
  std::vector<std::vector<Point>> contours_;
};

// Of sixteen colours, those of smooth edges included, which are the nearest ones.
class Canvas {
 public:
  static constexpr std::size_t kColours = 16;

  // All of the first one. An even width.
  Canvas(std::size_t width, std::size_t height, const std::array<Colour, kColours>& palette);
  // What lies outside is left out. `colour`: which one of the palette.
  void fill(const Outline& outline, std::uint8_t colour);
  void fill(Point corner, Point size, std::uint8_t colour);
  std::string png() const;

 private:
  static constexpr std::size_t kParts = 16;  // how much of a pixel is covered: 0 nothing, 15 all

  void add_line(Point from, Point to);

  std::size_t width_, height_;
  std::array<Colour, kColours> palette_;
  std::array<std::uint8_t, kColours * kColours * kParts> mixed_{};  // by what is there, what covers it, and how much
  std::vector<std::uint8_t> pixels_;                                // which colour
  std::vector<float> covered_;  // while one is filled: what each pixel adds to those behind it in its row
};

}  // namespace fuhyo::net
