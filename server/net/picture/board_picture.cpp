#include "server/net/picture/board_picture.h"

#include <algorithm>
#include <array>

#include "server/net/picture/canvas.h"
#include "server/net/picture/glyphs.h"

namespace fuhyo::net {
namespace {

using namespace shogi;

// The light colours of the pages (web/src/app.css), and the shapes of web/src/board/geometry.ts.
enum : std::uint8_t { kPaper, kWood, kLine, kLast, kKoma, kEdge, kInk, kPromoted };
constexpr std::array<Colour, Canvas::kColours> kPalette = {
    0xfffdf8, 0xe8c37d, 0x4a3414, 0xf6d365, 0xf8e3b6, 0x7a5a26, 0x21150a, 0xb3160f,
    // On the edges of characters, of promoted ones, and of pieces.
    0xc2b08b, 0x8d7c60, 0x574935, 0xe19f7e, 0xca5a47, 0xc3a060, 0x9f7d43, 0xbcac8f};
constexpr std::string_view kKomaPath = "M0 -44L25 -34L35 42L-35 42L-25 -34Z";
constexpr float kSquare = 54, kTop = 19, kLeft = (kPictureWidth - 9 * kSquare) / 2;

const Outline& character(Color side, PieceType type) {
  static const std::array<Outline, PIECE_TYPE_NB + 1> outlines = [] {
    constexpr std::array<char32_t, PIECE_TYPE_NB + 1> kCharacters = {
        U' ', U'歩', U'香', U'桂', U'銀', U'角', U'飛', U'金', U'玉', U'と', U'杏', U'圭', U'全', U'馬', U'龍', U'王'};
    std::array<Outline, PIECE_TYPE_NB + 1> made;
    std::ranges::transform(kCharacters, made.begin(), [](char32_t c) { return Outline::of_path(glyph_outline(c)); });
    return made;
  }();
  return outlines.at(type == KING && side == WHITE ? PIECE_TYPE_NB : type);
}

void draw_piece(Canvas& canvas, Color side, PieceType type, Point middle, float scale) {
  static const Outline koma = Outline::of_path(kKomaPath);
  const float unit = (side == BLACK ? 1.0F : -1.0F) * scale * kSquare / 100;
  const float larger = unit * 1.06F;
  canvas.fill(koma.placed({larger, larger}, middle), kEdge);
  canvas.fill(koma.placed({unit, unit}, middle), kKoma);
  canvas.fill(character(side, type).placed({0.58F * unit, 0.58F * unit}, {middle.x, middle.y + 5 * unit}),
              is_promoted(type) ? kPromoted : kInk);
}

void draw_board(Canvas& canvas, std::optional<Square> last) {
  canvas.fill({kLeft - 8, kTop - 8}, {9 * kSquare + 16, 9 * kSquare + 16}, kWood);
  if (last) {
    const auto file = static_cast<float>(9 - file_of(*last)), rank = static_cast<float>(rank_of(*last) - 1);
    canvas.fill({kLeft + file * kSquare, kTop + rank * kSquare}, {kSquare, kSquare}, kLast);
  }
  for (int i = 0; i <= 9; ++i) {
    const float at = static_cast<float>(i) * kSquare, width = i == 0 || i == 9 ? 3 : 1.5F;
    canvas.fill({kLeft + at - width / 2, kTop}, {width, 9 * kSquare}, kLine);
    canvas.fill({kLeft, kTop + at - width / 2}, {9 * kSquare, width}, kLine);
  }
}

// The stronger ones nearer to their player's edge; of a kind one upon the other, so that all are seen.
void draw_hand(Canvas& canvas, Color side, Hand hand) {
  constexpr float kRow = 61, kWide = 140;
  float row = 0;
  for (const PieceType type : {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN}) {
    const int count = hand.count(type);
    const float step = count > 1 ? std::min(38.0F, kWide / static_cast<float>(count - 1)) : 0;
    for (int i = 0; i < count; ++i) {
      const float along = 45 + static_cast<float>(i) * step, down = 43 + row;
      const Point middle =
          side == BLACK ? Point{kLeft + 9 * kSquare + along, kPictureHeight - down} : Point{kLeft - along, down};
      draw_piece(canvas, side, type, middle, 0.95F);
    }
    if (count > 0) row += kRow;
  }
}

}  // namespace

std::string board_picture(const Position& position, std::optional<Square> last) {
  Canvas canvas(kPictureWidth, kPictureHeight, kPalette);
  draw_board(canvas, last);
  for (int s = 0; s < 81; ++s) {
    const auto square = static_cast<Square>(s);
    const Piece piece = position.piece_on(square);
    if (piece == NO_PIECE) continue;
    const auto file = static_cast<float>(9 - file_of(square)), rank = static_cast<float>(rank_of(square) - 1);
    draw_piece(canvas, color_of(piece), type_of(piece),
               {kLeft + (file + 0.5F) * kSquare, kTop + (rank + 0.5F) * kSquare}, 1.04F);
  }
  for (const Color side : {BLACK, WHITE}) draw_hand(canvas, side, position.hand(side));
  return canvas.png();
}

}  // namespace fuhyo::net
