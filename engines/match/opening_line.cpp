// Reads lines of openings, word by word.
#include "engines/match/opening_line.h"

#include <algorithm>
#include <fmt/core.h>
#include <utility>

#include "engines/record/csa_move.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/repetition.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/text.h"

namespace fuhyo::match {
namespace {

using Failure = std::unexpected<std::string>;

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// A board may begin with a promoted piece, "+P8/...", and moves have no slash.
bool is_board(std::string_view word) { return word.contains('/'); }
bool is_csa(std::string_view word) { return (word.starts_with('+') || word.starts_with('-')) && !is_board(word); }
bool is_start(std::string_view word) { return word == "startpos" || word == "sfen" || is_board(word); }

// What a file may hold, cut to a length and to characters that a screen can bear.
std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string out = "'";
  for (const char c : text.substr(0, kLongest)) out += c >= ' ' && c <= '~' ? c : '?';
  return out + (text.size() > kLongest ? "...'" : "'");
}

class OpeningMoves {
 public:
  explicit OpeningMoves(shogi::Position start) : position_(start), game_{.start = start, .moves = {}} {}

  std::expected<void, std::string> play(std::string_view word) {
    return is_csa(word) ? play_csa(word) : play_usi(word);
  }
  usi::Game game() && { return std::move(game_); }

 private:
  std::expected<void, std::string> play_usi(std::string_view word) {
    const auto move = shogi::parse_usi_move(word);
    if (!move) return Failure(fmt::format("{} is not a move", in_quotes(word)));
    return play_move(*move, word);
  }

  // "+7776FU,T12-3334FU": each move begins with its sign.
  std::expected<void, std::string> play_csa(std::string_view word) {
    while (!word.empty()) {
      const std::string_view part = word.substr(0, word.find_first_of("+-", 1));
      const std::string_view text = part.substr(0, part.find(','));
      word.remove_prefix(part.size());
      const auto parsed = record::parse_csa_move(text);
      if (!parsed) return Failure(fmt::format("{} is not a move", in_quotes(text)));
      const auto move = record::resolve(position_, *parsed);
      if (!move) return Failure(fmt::format("{}: {}", in_quotes(text), record::why_unresolved(position_, *parsed)));
      if (auto played = play_move(*move, text); !played) return played;
    }
    return {};
  }

  std::expected<void, std::string> play_move(shogi::Move move, std::string_view text) {
    if (const shogi::Illegal why = position_.why_illegal(move); why != shogi::Illegal::none) {
      return Failure(
          fmt::format("move {}, {}, is illegal: {}", game_.moves.size() + 1, in_quotes(text), shogi::to_string(why)));
    }
    position_.do_move(move);
    game_.moves.push_back(move);
    return {};
  }

  shogi::Position position_;
  usi::Game game_;
};

// "<board> <turn> <hands> [number]"
std::expected<shogi::Position, std::string> take_sfen(std::string_view& rest) {
  std::string sfen(usi::next_word(rest));
  for (int field = 0; field < 2; ++field) sfen += fmt::format(" {}", usi::next_word(rest));
  if (all_digits(usi::peek_word(rest))) sfen += fmt::format(" {}", usi::next_word(rest));
  auto position = shogi::Position::from_sfen(sfen);
  if (!position) return Failure(position.error().message);
  return *position;
}

std::expected<shogi::Position, std::string> take_start(std::string_view& rest) {
  const std::string_view word = usi::peek_word(rest);
  if (!is_start(word)) return shogi::Position();
  if (!is_board(word)) usi::next_word(rest);
  if (word == "startpos") return shogi::Position();
  return take_sfen(rest);
}

// `counted`: a number may end the line, for how many games a buoy is good.
std::expected<usi::Game, std::string> parse_game(std::string_view rest, bool counted) {
  auto start = take_start(rest);
  if (!start) return Failure(std::move(start.error()));
  OpeningMoves player(*start);
  if (usi::peek_word(rest) == "moves") usi::next_word(rest);
  for (std::string_view word = usi::next_word(rest); !word.empty(); word = usi::next_word(rest)) {
    if (counted && all_digits(word) && usi::peek_word(rest).empty()) break;
    if (auto played = player.play(word); !played) return Failure(std::move(played.error()));
  }
  return std::move(player).game();
}

// A buoy's name, if one stands in front.
std::string take_name(std::string_view& rest, bool buoy) {
  std::string_view after = rest;
  const std::string_view word = usi::next_word(after), next = usi::peek_word(after);
  if (!buoy && (is_start(word) || is_csa(word) || (!is_start(next) && !is_csa(next)))) return {};
  rest = after;
  return std::string(word);
}

}  // namespace

std::optional<std::string> cut_opening(usi::Game& game, std::optional<int> max_plies) {
  if (max_plies && std::cmp_less(*max_plies, game.moves.size())) {
    game.moves.resize(static_cast<std::size_t>(std::max(*max_plies, 0)));
  }
  shogi::Position position = game.start;
  shogi::RepetitionHistory repetition(shogi::RepetitionRule::REAL);
  repetition.start(position);
  for (const shogi::Move move : game.moves) {
    const bool check = position.gives_check(move);
    position.do_move(move);
    if (repetition.push(position, check) == shogi::Repetition::NONE) continue;
    return fmt::format("{} repeats a position for the fourth time", in_quotes(shogi::to_usi(move)));
  }
  if (shogi::legal_moves(position).empty()) return "the side to move has no legal move";
  return std::nullopt;
}

std::expected<std::optional<Opening>, std::string> parse_opening(std::string_view line, std::optional<int> max_plies) {
  line = line.substr(0, line.find('#'));
  const std::size_t bar = line.find('|');
  std::string_view rest = usi::trim(line.substr(0, bar));
  const std::string_view first = usi::peek_word(rest);
  if (rest.empty() && bar == std::string_view::npos) return std::nullopt;
  if (rest.empty()) return Failure("there is a name and no position");
  const bool buoy = first == "%%SETBUOY" || first == "%%SETBUOYSFEN";
  if (buoy || first == "position") usi::next_word(rest);
  std::string name = take_name(rest, buoy);
  auto game = parse_game(rest, buoy);
  if (!game) return Failure(std::move(game.error()));
  if (bar != std::string_view::npos) {
    const std::string_view words = line.substr(bar + 1);
    name = usi::trim(words.substr(0, words.find('|')));
  }
  if (auto over = cut_opening(*game, max_plies)) return Failure(std::move(*over));
  return Opening{.game = std::move(*game), .name = std::move(name)};
}

}  // namespace fuhyo::match
