#include "engines/usi/game.h"

#include "engines/shogi/usi_move.h"
#include "engines/usi/text.h"

namespace fuhyo::usi {
namespace {

// The four SFEN fields; the move number may be missing.
std::string take_sfen(std::string_view& rest) {
  std::string sfen;
  for (int field = 0; field < 4; ++field) {
    const std::string_view word = peek_word(rest);
    if (word.empty() || word == "moves") break;
    if (field != 0) sfen += ' ';
    sfen += word;
    next_word(rest);
  }
  return sfen;
}

std::expected<shogi::Position, std::string> take_start(std::string_view& rest) {
  const std::string_view word = next_word(rest);
  if (word == "startpos") return shogi::Position();
  if (word != "sfen")
    return std::unexpected("position: 'startpos' or 'sfen' expected, not '" + std::string(word) + "'");
  const std::string sfen = take_sfen(rest);
  auto position = shogi::Position::from_sfen(sfen);
  if (!position) return std::unexpected("position: " + position.error().message);
  return *position;
}

std::expected<void, std::string> play(Game& game, shogi::Position& position, std::string_view word) {
  const auto describe = [&](std::string_view why) {
    return std::unexpected("position: move " + std::to_string(game.moves.size() + 1) + " '" + std::string(word) +
                           "': " + std::string(why));
  };
  const auto move = shogi::parse_usi_move(word);
  if (!move) return describe("not a move");
  if (const shogi::Illegal why = position.why_illegal(*move); why != shogi::Illegal::none) {
    return describe(shogi::to_string(why));
  }
  position.do_move(*move);
  game.moves.push_back(*move);
  return {};
}

}  // namespace

shogi::Position Game::current() const {
  shogi::Position position = start;
  for (const shogi::Move move : moves) position.do_move(move);
  return position;
}

bool brings_back(const Game& game, shogi::Move move) {
  shogi::Position now = game.current();
  now.do_move(move);
  shogi::Position position = game.start;
  const auto same = [&] { return position.key() == now.key(); };
  if (same()) return true;
  for (const shogi::Move played : game.moves) {
    position.do_move(played);
    if (same()) return true;
  }
  return false;
}

std::expected<Game, std::string> parse_position(std::string_view rest) {
  const auto start = take_start(rest);
  if (!start) return std::unexpected(start.error());
  Game game{.start = *start, .moves = {}};
  const std::string_view keyword = next_word(rest);
  if (keyword.empty()) return game;
  if (keyword != "moves") return std::unexpected("position: 'moves' expected, not '" + std::string(keyword) + "'");
  shogi::Position position = game.start;
  for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
    if (auto played = play(game, position, word); !played) return std::unexpected(played.error());
  }
  return game;
}

std::string position_text(const shogi::Position& start, std::span<const shogi::Move> moves) {
  const std::string sfen = start.sfen();
  std::string out = sfen == shogi::Position::kStartSfen ? "position startpos" : "position sfen " + sfen;
  if (!moves.empty()) out += " moves";
  for (const shogi::Move move : moves) out += " " + shogi::to_usi(move);
  return out;
}

}  // namespace fuhyo::usi
