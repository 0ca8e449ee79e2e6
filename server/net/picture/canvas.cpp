#include "server/net/picture/canvas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <zlib.h>

#include "engines/shogi/number.h"

namespace fuhyo::net {
namespace {

constexpr int kStepsOfCurve = 6;

std::uint8_t mixed(std::uint8_t under, std::uint8_t over, float part) {
  const float value = static_cast<float>(under) + part * (static_cast<float>(over) - static_cast<float>(under));
  return static_cast<std::uint8_t>(std::lround(value));
}

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

// ---- few colours ----

constexpr std::size_t kAlike = 4096, kMostColours = 256;

// Colours whose upper four bits are the same are one.
std::size_t alike(const std::uint8_t* pixel) {
  return std::size_t{pixel[0]} >> 4 << 8 | std::size_t{pixel[1]} >> 4 << 4 | std::size_t{pixel[2]} >> 4;
}

struct Palette {
  std::string colours;                                  // the mean of each, the commonest first
  std::vector<char> place = std::vector<char>(kAlike);  // by alike(); of more than fit, the rarest have the last one
};

Palette palette_of(const std::vector<std::uint8_t>& pixels) {
  struct Sum {
    std::size_t which = 0, count = 0;
    std::array<std::size_t, 3> parts{};
  };
  std::vector<Sum> sums(kAlike);
  for (std::size_t at = 0; at < pixels.size(); at += 3) {
    Sum& sum = sums[alike(&pixels[at])];
    sum.which = alike(&pixels[at]);
    ++sum.count;
    for (std::size_t i = 0; i < 3; ++i) sum.parts[i] += pixels[at + i];
  }
  std::erase_if(sums, [](const Sum& sum) { return sum.count == 0; });
  std::ranges::sort(sums, std::greater(), [](const Sum& sum) { return std::pair(sum.count, sum.which); });
  Palette palette;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    palette.place[sums[i].which] = static_cast<char>(std::min(i, kMostColours - 1));
    if (i >= kMostColours) continue;
    for (const std::size_t part : sums[i].parts)
      palette.colours += static_cast<char>((part + sums[i].count / 2) / sums[i].count);
  }
  return palette;
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

Canvas::Canvas(std::size_t width, std::size_t height, Colour ground)
    : width_(width), height_(height), covered_(width * height + 1) {
  pixels_.reserve(3 * width * height);
  for (std::size_t i = 0; i < width * height; ++i)
    pixels_.insert(pixels_.end(), {ground.red, ground.green, ground.blue});
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

void Canvas::fill(const Outline& outline, Colour colour) {
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
      const float part = std::min(std::abs(sum), 1.0F);
      if (part < 1.0F / 256) continue;
      std::uint8_t* pixel = &pixels_[3 * at];
      pixel[0] = mixed(pixel[0], colour.red, part);
      pixel[1] = mixed(pixel[1], colour.green, part);
      pixel[2] = mixed(pixel[2], colour.blue, part);
    }
  }
}

void Canvas::fill(Point corner, Point size, Colour colour) {
  fill(Outline::of_path("M0 0H1V1H0Z").placed(size, corner), colour);
}

std::string Canvas::png() const {
  std::string out = "\x89PNG\r\n\x1a\n", head;
  add_number(head, static_cast<std::uint32_t>(width_));
  add_number(head, static_cast<std::uint32_t>(height_));
  head += std::string("\x08\x03\0\0\0", 5);  // eight bits: which colour of the palette
  add_chunk(out, "IHDR", head);
  const Palette palette = palette_of(pixels_);
  add_chunk(out, "PLTE", palette.colours);
  std::string rows;
  rows.reserve(height_ * (width_ + 1));
  for (std::size_t at = 0; at < pixels_.size(); at += 3) {
    if (at % (3 * width_) == 0) rows += '\0';  // as it is
    rows += palette.place[alike(&pixels_[at])];
  }
  add_chunk(out, "IDAT", deflated(rows));
  add_chunk(out, "IEND", {});
  return out;
}

}  // namespace fuhyo::net
