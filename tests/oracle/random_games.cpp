#include "tests/oracle/random_games.h"

#include <algorithm>

#include "engines/shogi/handicap.h"

namespace fuhyo::oracle {
namespace {

constexpr std::array<std::string_view, 9> kHandicaps = {"hclance_", "hcbishop_", "hcrook_", "hcrooklance_", "hc2p_",
                                                        "hc4p_",    "hc6p_",     "hc8p_",   "hc10p_"};
constexpr std::string_view kSet = "PPPPPPPPPPPPPPPPPPLLLLNNNNSSSSGGGGBBRR";

bool one_in(std::mt19937& random, unsigned n) { return random() % n == 0; }

// SFEN of a board of SFEN pieces by rank and then file from 9 to 1, and of what is left for the hands.
std::string sfen_of(const std::array<std::string, 81>& board, const std::array<std::string, 2>& hands, bool black) {
  std::string text;
  for (std::size_t i = 0; i < board.size(); ++i) {
    if (i > 0 && i % 9 == 0) text += '/';
    if (!board[i].empty()) {
      text += board[i];
    } else if (!text.empty() && text.back() >= '1' && text.back() <= '8') {
      ++text.back();
    } else {
      text += '1';
    }
  }
  text += black ? " b " : " w ";
  std::string held;
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::size_t i = 0; i < hands[side].size();) {
      const std::size_t end = std::min(hands[side].find_first_not_of(hands[side][i], i), hands[side].size());
      held += std::to_string(end - i) + hands[side][i];
      i = end;
    }
  }
  return text + (held.empty() ? "-" : held) + " 1";
}

std::string piece_text(char piece, bool black, std::mt19937& random) {
  const bool promotes = piece != 'G' && piece != 'K' && one_in(random, 3);
  return (promotes ? "+" : "") + std::string(1, black ? piece : static_cast<char>(piece - 'A' + 'a'));
}

// Throws `on_board` pieces of a set on the board and the rest into hands or away. May be no valid position.
std::string throw_pieces(std::mt19937& random, std::size_t on_board) {
  std::string set(kSet);
  std::ranges::shuffle(set, random);
  std::array<std::string, 81> board;
  // Now and then everybody is in the opponent's camp and one side has most of the set, as in games that end by
  // declaration.
  const bool entered = one_in(random, 3), black_has_more = one_in(random, 2);
  const auto is_black = [&] { return entered && !one_in(random, 5) ? black_has_more : one_in(random, 2); };
  const auto place = [&](char piece, bool black) {
    std::string& square = board[!entered ? random() % 81 : black ? random() % 27 : 54 + random() % 27];
    if (square.empty()) square = piece_text(piece, black, random);
  };
  for (const bool black : {true, false}) {
    if (!one_in(random, 10)) place('K', black);
  }
  for (std::size_t i = 0; i < on_board; ++i) place(set[i], is_black());
  std::array<std::string, 2> hands;
  for (const char piece : set.substr(on_board)) {
    const bool black = is_black();
    if (entered || !one_in(random, 3)) hands[black ? 0 : 1] += black ? piece : static_cast<char>(piece - 'A' + 'a');
  }
  for (std::string& hand : hands) std::ranges::sort(hand);
  return sfen_of(board, hands, one_in(random, 2));
}

// Kings and a few pieces, nothing in hand: here repetitions come by themselves.
std::string bare_ending(std::mt19937& random) {
  constexpr std::array<std::string_view, 6> kPieces = {"+R", "+r", "+B", "R", "g", "+b"};
  std::array<std::string, 81> board;
  board[random() % 81] = "K";
  board[random() % 81] = "k";
  for (std::size_t i = 0; i < 1 + random() % 3; ++i) {
    std::string& square = board[random() % 81];
    if (square.empty()) square = kPieces[random() % kPieces.size()];
  }
  return sfen_of(board, {}, one_in(random, 2));
}

}  // namespace

std::string random_start(std::mt19937& random) {
  const auto kind = random() % 10;
  if (kind < 3) return std::string(shogi::Position::kStartSfen);
  if (kind == 3) return std::string(shogi::handicap_of(kHandicaps[random() % kHandicaps.size()])->sfen);
  const bool bare = one_in(random, 3);
  while (true) {
    const std::string sfen = bare ? bare_ending(random) : throw_pieces(random, random() % kSet.size());
    if (shogi::Position::from_sfen(sfen)) return sfen;
  }
}

Player::Player(std::mt19937& random)
    : random_(random),
      shuffles_(one_in(random, 2)),
      chases_(one_in(random, 2)),
      chaser_(one_in(random, 2) ? shogi::BLACK : shogi::WHITE) {}

bool Player::likes(const shogi::Position& position, shogi::Move move) const {
  if (chases_ && position.side_to_move() == chaser_ && !position.gives_check(move)) return false;
  if (!shuffles_) return chases_;
  return first_seen(position, move) < seen_.size();
}

std::size_t Player::first_seen(const shogi::Position& position, shogi::Move move) const {
  shogi::Position next = position;
  next.do_move(move);
  const auto it = seen_.find(next.key());
  return it == seen_.end() ? seen_.size() : it->second;
}

std::size_t Player::choose(const Pair& pair) {
  seen_.try_emplace(pair.position().key(), seen_.size());
  const auto& moves = pair.fast_moves();
  std::vector<std::size_t> liked;
  if ((shuffles_ || chases_) && !one_in(random_, 6)) {
    for (std::size_t i = 0; i < moves.size(); ++i) {
      if (likes(pair.position(), moves[i])) liked.push_back(i);
    }
    // Checks come first for a chaser, also into new positions.
    for (std::size_t i = 0; chases_ && liked.empty() && i < moves.size(); ++i) {
      if (pair.position().side_to_move() == chaser_ && pair.position().gives_check(moves[i])) liked.push_back(i);
    }
  }
  if (liked.empty()) return random_() % moves.size();
  if (!shuffles_ || one_in(random_, 2)) return liked[random_() % liked.size()];
  return std::ranges::min(liked, {}, [&](std::size_t i) { return first_seen(pair.position(), moves[i]); });
}

}  // namespace fuhyo::oracle
