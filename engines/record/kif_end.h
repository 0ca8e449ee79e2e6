// How KIF and KI2 say that a game ended: a word in place of a move ("投了"), and a last line ("まで123手で先手の勝ち").
// Pure functions; any thread.
//
// 切れ負け, 反則負け and 入玉勝ち speak of the side whose move would be next, 反則勝ち of a foul by the other one. So a
// foul is read as black_illegal or white_illegal, whose CSA names say the same; only of a move that nobody could carry
// out it stays illegal_move.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engines/record/game.h"

namespace fuhyo::record {

// The side whose turn it is after everything that was tried: an impossible move counts as one.
shogi::Color next_to_move(const Game& game);

struct KifEnd {
  End end;
  bool known = true;  // false: a word that this program does not know, kept as EndKind::other
};
// What "投了", "反則勝ち", "先手の勝ち", "時間切れにより先手の勝ち" or another word means at the end of this game.
KifEnd kif_end(const Game& game, std::string_view word);
bool is_kif_end_word(std::string_view word);  // one that is usual in place of a move

// The word for the game's end in place of a move; "" for EndKind::none.
std::string kif_end_word(const Game& game);
// "まで123手で先手の勝ち", without a line end; "" for EndKind::none.
std::string kif_last_line(const Game& game);

// An end for which every reader of KIF and KI2 has a last line: Kifu for JS refuses a file with another one.
bool is_usual_end(const End& end);

// The parts of a last line: "まで61手詰" is 61 and "詰".
struct LastLine {
  std::optional<int> plies;
  std::string_view word;
};
std::optional<LastLine> parse_last_line(std::string_view text);

}  // namespace fuhyo::record
