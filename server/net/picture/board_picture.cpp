#include "server/net/picture/board_picture.h"

#include <algorithm>
#include <array>

#include "server/net/picture/canvas.h"
#include "server/net/picture/glyphs.h"

namespace fuhyo::net {
namespace {

using namespace shogi;

// The light colours of the pages (web/src/app.css), and the shapes of web/src/board/geometry.ts.
constexpr Colour kPaper{255, 253, 248}, kWood{232, 195, 125}, kLine{74, 52, 20}, kLast{246, 211, 101},
    kKoma{248, 227, 182}, kEdge{122, 90, 38}, kInk{33, 21, 10}, kPromoted{179, 22, 15};
constexpr std::string_view kKomaPath = "M0 -44L25 -34L35 42L-35 42L-25 -34Z";
constexpr float kSquare = 66, kTop = 18, kLeft = (kPictureWidth - 9 * kSquare) / 2;

char32_t character_of(Color side, PieceType type) {
  constexpr std::array<char32_t, PIECE_TYPE_NB> kCharacters = {U' ',  U'歩', U'香', U'桂', U'銀', U'角', U'飛', U'金',
                                                               U'玉', U'と', U'杏', U'圭', U'全', U'馬', U'龍'};
  return type == KING && side == WHITE ? U'王' : kCharacters.at(type);
}

void draw_piece(Canvas& canvas, Color side, PieceType type, Point middle, float scale) {
  static const Outline koma = Outline::of_path(kKomaPath);
  const float unit = (side == BLACK ? 1.0F : -1.0F) * scale * kSquare / 100;
  const float larger = unit * 1.06F;
  canvas.fill(koma.placed({larger, larger}, middle), kEdge);
  canvas.fill(koma.placed({unit, unit}, middle), kKoma);
  const Outline character = Outline::of_path(glyph_outline(character_of(side, type)));
  canvas.fill(character.placed({0.58F * unit, 0.58F * unit}, {middle.x, middle.y + 5 * unit}),
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
  constexpr float kRow = 74, kWide = 170;
  float row = 0;
  for (const PieceType type : {ROOK, BISHOP, GOLD, SILVER, KNIGHT, LANCE, PAWN}) {
    const int count = hand.count(type);
    const float step = count > 1 ? std::min(46.0F, kWide / static_cast<float>(count - 1)) : 0;
    for (int i = 0; i < count; ++i) {
      const float along = 55 + static_cast<float>(i) * step, down = 52 + row;
      const Point middle =
          side == BLACK ? Point{kLeft + 9 * kSquare + along, kPictureHeight - down} : Point{kLeft - along, down};
      draw_piece(canvas, side, type, middle, 0.95F);
    }
    if (count > 0) row += kRow;
  }
}

}  // namespace

std::string board_picture(const Position& position, std::optional<Square> last) {
  Canvas canvas(kPictureWidth, kPictureHeight, kPaper);
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
