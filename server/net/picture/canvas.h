// Pictures made of filled outlines with smooth edges, and PNG. Values; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::net {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
};

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

class Canvas {
 public:
  Canvas(std::size_t width, std::size_t height, Colour ground);
  // What lies outside is left out.
  void fill(const Outline& outline, Colour colour);
  void fill(Point corner, Point size, Colour colour);
  std::string png() const;

 private:
  void add_line(Point from, Point to);

  std::size_t width_, height_;
  std::vector<std::uint8_t> pixels_;  // red, green, blue
  std::vector<float> covered_;        // while one is filled: what each pixel adds to those behind it in its row
};

}  // namespace fuhyo::net
