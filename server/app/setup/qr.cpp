#include "server/app/setup/qr.h"

#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <memory>
#include <qrencode.h>

namespace fuhyo::app {

namespace {

class QrSymbol {
 public:
  explicit QrSymbol(std::string_view text)
      : code_(text.contains('\0') ? nullptr
                                  : QRcode_encodeString8bit(std::string(text).c_str(), kAnyVersion, QR_ECLEVEL_M),
              QRcode_free) {}
  // Modules, with the margin; 0: there is no symbol.
  int side() const { return code_ == nullptr ? 0 : code_->width + 2 * kMargin; }
  bool is_light(int x, int y) const {
    if (y >= side()) return false;
    const int column = x - kMargin, row = y - kMargin;
    const bool is_margin = column < 0 || row < 0 || column >= code_->width || row >= code_->width;
    return is_margin || (code_->data[row * code_->width + column] & 1) == 0;
  }

 private:
  static constexpr int kMargin = 4, kAnyVersion = 0;
  std::unique_ptr<QRcode, decltype(&QRcode_free)> code_;
};

}  // namespace

std::vector<std::string> qr_lines(std::string_view text) {
  constexpr std::array<std::string_view, 4> kHalves = {" ", "▄", "▀", "█"};
  const QrSymbol symbol(text);
  std::vector<std::string> lines;
  for (int y = 0; y < symbol.side(); y += 2) {
    std::string line;
    for (int x = 0; x < symbol.side(); ++x) {
      line += kHalves.at((symbol.is_light(x, y) ? 2U : 0U) + (symbol.is_light(x, y + 1) ? 1U : 0U));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string qr_svg(std::string_view text) {
  const QrSymbol symbol(text);
  if (symbol.side() == 0) return "";
  std::string dark;
  for (int y = 0; y < symbol.side(); ++y) {
    for (int x = 0; x < symbol.side(); ++x) {
      if (!symbol.is_light(x, y)) dark += fmt::format("M{} {}h1v1h-1z", x, y);
    }
  }
  return fmt::format(
      "<svg class=\"code\" viewBox=\"0 0 {0} {0}\" shape-rendering=\"crispEdges\" role=\"img\" aria-label=\"QR\">"
      "<path fill=\"#fff\" d=\"M0 0h{0}v{0}H0z\"/><path d=\"{1}\"/></svg>",
      symbol.side(), dark);
}

}  // namespace fuhyo::app
