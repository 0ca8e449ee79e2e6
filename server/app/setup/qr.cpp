#include "server/app/setup/qr.h"

#include <array>
#include <cstddef>
#include <memory>
#include <qrencode.h>

namespace fuhyo::app {

std::vector<std::string> qr_lines(std::string_view text) {
  constexpr int kMargin = 4, kAnyVersion = 0;
  constexpr std::array<std::string_view, 4> kHalves = {" ", "▄", "▀", "█"};
  if (text.contains('\0')) return {};
  const std::unique_ptr<QRcode, decltype(&QRcode_free)> code(
      QRcode_encodeString8bit(std::string(text).c_str(), kAnyVersion, QR_ECLEVEL_M), QRcode_free);
  if (code == nullptr) return {};
  const int side = code->width + 2 * kMargin;
  const auto is_light = [&](int x, int y) {
    if (y >= side) return false;
    const int column = x - kMargin, row = y - kMargin;
    const bool is_margin = column < 0 || row < 0 || column >= code->width || row >= code->width;
    return is_margin || (code->data[row * code->width + column] & 1) == 0;
  };
  std::vector<std::string> lines;
  for (int y = 0; y < side; y += 2) {
    std::string line;
    for (int x = 0; x < side; ++x) line += kHalves.at((is_light(x, y) ? 2U : 0U) + (is_light(x, y + 1) ? 1U : 0U));
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace fuhyo::app
