// Moves in Japanese notation: "７六歩(77)" with its origin, as KIF writes it, and "同　銀右" with words that tell it
// from the moves of like pieces, as KI2 and people write it. Pure functions; any thread.
//
// The words follow the Japan Shogi Association (shogi.or.jp/faq/kihuhyouki.html): how the piece moves (上, 寄, 引)
// where that tells it apart, else from which side (左, 右; 直 for what moves straight up by one), else both; never 直
// for horses and dragons. A piece counts as a like one if it attacks the square, whether it may move or not: as other
// programs do.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "engines/record/csa_move.h"
#include "engines/record/setup.h"

namespace fuhyo::record {

// A move as it is said. What was not said is empty.
struct KifMove {
  enum class Side : std::uint8_t { none, left, straight, right };
  enum class Motion : std::uint8_t { none, up, sideways, back };

  std::optional<shogi::Color> color;              // ▲, △
  shogi::Square to = shogi::SQ_NONE;              // SQ_NONE: 同, where the last move went
  shogi::PieceType piece = shogi::NO_PIECE_TYPE;  // before the move
  shogi::Square from = shogi::SQ_NONE;            // "(77)"
  bool drop = false;                              // 打
  std::optional<bool> promote;                    // 成, 不成
  Side side = Side::none;
  Motion motion = Motion::none;
  bool operator==(const KifMove&) const = default;
};

// Takes a move off the front of the text, which stays as it was if it begins with none.
std::optional<KifMove> take_kif_move(std::string_view& text);

// Which move is meant on this board, the last one having gone to `last_to` (SQ_NONE: there was none). With an origin or
// 打 it is what it says, possible or not; otherwise the one move of that piece that fits the words, legal ones first.
// An error says that none does, or several do.
std::expected<CsaMove, std::string> meant(const Setup& board, const KifMove& move, shogi::Square last_to);

// The words with which a move is told from others; `move` must be one that Setup::resolve() gave. 同 and the origin are
// not among them.
KifMove in_words(const Setup& board, shogi::Move move);

// "７六歩(77)", "５五角打", "同　銀成(31)" without colour: the form of KIF files.
std::string to_kif(const CsaMove& move, shogi::PieceType before, shogi::Square last_to);
// "▲７六歩", "△同　銀", "▲同銀左成": the form of KI2 files.
std::string to_ki2(const KifMove& move, shogi::Square last_to);

}  // namespace fuhyo::record
