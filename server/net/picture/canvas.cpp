#include "server/net/picture/canvas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <zlib.h>

#include "engines/shogi/number.h"

namespace fuhyo::net {
namespace {

constexpr int kStepsOfCurve = 6;

// The numbers behind one command, and no other one.
std::vector<float> take_numbers(std::string_view& path) {
  std::vector<float> numbers;
  for (;;) {
    while (!path.empty() && (path.front() == ' ' || path.front() == ',')) path.remove_prefix(1);
    const auto number = shogi::take_number<float>(path);
    if (!number) return numbers;
    numbers.push_back(*number);
  }
}

Point on_curve(const std::array<Point, 4>& by, float at) {
  const float rest = 1 - at;
  const std::array<float, 4> parts = {rest * rest * rest, 3 * rest * rest * at, 3 * rest * at * at, at * at * at};
  Point point;
  for (std::size_t i = 0; i < 4; ++i) point.x += parts[i] * by[i].x, point.y += parts[i] * by[i].y;
  return point;
}

void add_curves(std::vector<Point>& contour, const std::vector<float>& numbers) {
  for (std::size_t i = 0; i + 5 < numbers.size(); i += 6) {
    const std::array<Point, 4> by = {contour.back(), Point{numbers[i], numbers[i + 1]},
                                     Point{numbers[i + 2], numbers[i + 3]}, Point{numbers[i + 4], numbers[i + 5]}};
    for (int step = 1; step <= kStepsOfCurve; ++step) {
      contour.push_back(on_curve(by, static_cast<float>(step) / kStepsOfCurve));
    }
  }
}

// ---- PNG (ISO/IEC 15948) ----

void add_number(std::string& out, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(number >> shift & 0xff);
}

void add_chunk(std::string& out, std::string_view kind, std::string_view bytes) {
  add_number(out, static_cast<std::uint32_t>(bytes.size()));
  const std::string whole = std::string(kind) + std::string(bytes);
  out += whole;
  add_number(out, static_cast<std::uint32_t>(
                      crc32(0, reinterpret_cast<const Bytef*>(whole.data()), static_cast<uInt>(whole.size()))));
}

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(),
            Z_DEFAULT_COMPRESSION);
  out.resize(size);
  return out;
}

// How unlike a colour is one that covers a part of another one.
float unlike(Colour colour, Colour under, Colour over, float part) {
  float sum = 0;
  for (const int shift : {16, 8, 0}) {
    const auto of = [shift](Colour each) { return static_cast<float>(each >> shift & 0xff); };
    const float off = of(under) + part * (of(over) - of(under)) - of(colour);
    sum += off * off;
  }
  return sum;
}

}  // namespace

Outline Outline::of_path(std::string_view path) {
  Outline outline;
  while (!path.empty()) {
    const char command = path.front();
    path.remove_prefix(1);
    const std::vector<float> numbers = take_numbers(path);
    if (command == 'M') outline.contours_.emplace_back();
    if (outline.contours_.empty() || (command != 'M' && outline.contours_.back().empty())) break;
    std::vector<Point>& contour = outline.contours_.back();
    if (command == 'C') {
      add_curves(contour, numbers);
    } else if (command == 'M' || command == 'L') {
      for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) contour.push_back({numbers[i], numbers[i + 1]});
    } else if (command == 'H') {
      for (const float x : numbers) contour.push_back({x, contour.back().y});
    } else if (command == 'V') {
      for (const float y : numbers) contour.push_back({contour.back().x, y});
    } else if (command != 'Z') {
      break;
    }
  }
  return outline;
}

Outline Outline::placed(Point scale, Point by) const {
  Outline there = *this;
  for (std::vector<Point>& contour : there.contours_) {
    for (Point& point : contour) point = {scale.x * point.x + by.x, scale.y * point.y + by.y};
  }
  return there;
}

Canvas::Canvas(std::size_t width, std::size_t height, const std::array<Colour, kColours>& palette)
    : width_(width), height_(height), palette_(palette), pixels_(width * height), covered_(width * height + 1) {
  for (std::size_t i = 0; i < mixed_.size(); ++i) {
    const Colour under = palette[i / kParts / kColours], over = palette[i / kParts % kColours];
    const float part = static_cast<float>(i % kParts) / (kParts - 1);
    const auto best = std::ranges::min_element(palette, {}, [&](Colour c) { return unlike(c, under, over, part); });
    mixed_[i] = static_cast<std::uint8_t>(best - palette.begin());
  }
}

// Each row of a line covers what is right of it: the pixels that it goes through in part, those behind them wholly.
void Canvas::add_line(Point from, Point to) {
  if (from.y == to.y) return;
  const float direction = from.y < to.y ? 1.0F : -1.0F;
  if (from.y > to.y) std::swap(from, to);
  const float slope = (to.x - from.x) / (to.y - from.y);
  const auto last = static_cast<float>(width_ - 1);
  const float first_y = std::max(from.y, 0.0F), last_y = std::min(to.y, static_cast<float>(height_));
  for (float y = first_y; y < last_y;) {
    const float next = std::min(std::floor(y) + 1, last_y);
    const float middle = std::clamp(from.x + slope * ((y + next) / 2 - from.y), 0.0F, last);
    const float pixel = std::floor(middle), within = middle - pixel, area = direction * (next - y);
    const std::size_t at = static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(pixel);
    covered_[at] += area * (1 - within);
    covered_[at + 1] += area * within;
    y = next;
  }
}

void Canvas::fill(const Outline& outline, std::uint8_t colour) {
  Point low{static_cast<float>(width_), static_cast<float>(height_)}, high;
  for (const std::vector<Point>& contour : outline.contours()) {
    for (std::size_t i = 0; i < contour.size(); ++i) {
      add_line(contour[i], contour[(i + 1) % contour.size()]);
      low = {std::min(low.x, contour[i].x), std::min(low.y, contour[i].y)};
      high = {std::max(high.x, contour[i].x), std::max(high.y, contour[i].y)};
    }
  }
  const auto pixel_of = [](float at) { return static_cast<std::size_t>(std::max(at, 0.0F)); };
  for (std::size_t y = pixel_of(low.y); y < std::min(height_, pixel_of(high.y) + 1); ++y) {
    float sum = 0;
    const std::size_t end = y * width_ + std::min(width_, pixel_of(high.x) + 2);
    for (std::size_t at = y * width_ + pixel_of(low.x); at < end; ++at) {
      sum += std::exchange(covered_[at], 0.0F);
      const auto part = static_cast<std::size_t>(std::min(std::abs(sum), 1.0F) * (kParts - 1) + 0.5F);
      if (part > 0) pixels_[at] = mixed_[(pixels_[at] * kColours + colour) * kParts + part];
    }
  }
}

void Canvas::fill(Point corner, Point size, std::uint8_t colour) {
  static const Outline square = Outline::of_path("M0 0H1V1H0Z");
  fill(square.placed(size, corner), colour);
}

std::string Canvas::png() const {
  std::string out = "\x89PNG\r\n\x1a\n", head;
  add_number(head, static_cast<std::uint32_t>(width_));
  add_number(head, static_cast<std::uint32_t>(height_));
  head += std::string("\x04\x03\0\0\0", 5);  // four bits: which colour of the palette
  add_chunk(out, "IHDR", head);
  std::string colours;
  for (const Colour colour : palette_)
    for (const int shift : {16, 8, 0}) colours += static_cast<char>(colour >> shift & 0xff);
  add_chunk(out, "PLTE", colours);
  std::string rows;
  rows.reserve(height_ * (width_ / 2 + 1));
  for (std::size_t at = 0; at < pixels_.size(); at += 2) {
    if (at % width_ == 0) rows += '\0';  // as it is
    rows += static_cast<char>(pixels_[at] << 4 | pixels_[at + 1]);
  }
  add_chunk(out, "IDAT", deflated(rows));
  add_chunk(out, "IEND", {});
  return out;
}

}  // namespace fuhyo::net
