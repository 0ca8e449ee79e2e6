#include "server/core/buoys/start_position.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engines/record/csa_move.h"
#include "engines/record/lines.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/position.h"
#include "engines/shogi/repetition.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::core {
namespace {

using Result = std::expected<StartPosition, std::string>;

std::unexpected<std::string> wrong(std::string why) { return std::unexpected(std::move(why)); }

std::string_view take_word(std::string_view& rest) {
  rest = record::trim(rest);
  const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
  rest.remove_prefix(word.size());
  return word;
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// A board may begin with a promoted piece, "+P8/...", and moves have no slash.
bool is_csa(std::string_view word) { return (word.starts_with('+') || word.starts_with('-')) && !word.contains('/'); }

// Follows the moves and writes them down in CSA.
class Reader {
 public:
  explicit Reader(const shogi::Position& start) : position_(start), repetition_(shogi::RepetitionRule::SHOGI_SERVER) {
    repetition_.start(position_);
  }

  // "+7776FU" or "+7776FU,T12"
  std::expected<void, std::string> csa(std::string_view text) {
    const std::size_t comma = text.find(',');
    const auto parsed = record::parse_csa_move(text.substr(0, comma));
    if (!parsed) return wrong(fmt::format("'{}' is not a move", text));
    const std::string_view time = comma == std::string_view::npos ? "T1" : text.substr(comma + 1);
    constexpr std::size_t kMostDigits = 6;
    if (!time.starts_with('T') || !all_digits(time.substr(1)) || time.size() > kMostDigits + 1) {
      return wrong(fmt::format("'{}': the time of a move is T and its seconds", text));
    }
    const auto move = record::resolve(position_, *parsed);
    if (!move) return wrong(fmt::format("'{}': {}", text, record::why_unresolved(position_, *parsed)));
    return play(*move, text, time);
  }

  std::expected<void, std::string> usi(std::string_view text) {
    const auto move = shogi::parse_usi_move(text);
    if (!move) return wrong(fmt::format("'{}' is not a move", text));
    return play(*move, text, "T1");
  }

  std::expected<std::vector<std::string>, std::string> moves() && {
    if (shogi::legal_moves(position_).empty()) return wrong("the side to move has no move");
    return std::move(moves_);
  }

 private:
  std::expected<void, std::string> play(shogi::Move move, std::string_view text, std::string_view time) {
    if (const shogi::Illegal why = position_.why_illegal(move); why != shogi::Illegal::none) {
      return wrong(fmt::format("'{}' is not legal: {}", text, shogi::to_string(why)));
    }
    moves_.push_back(fmt::format("{},{}", record::to_csa(position_, move), time));
    position_.do_move(move);
    if (repetition_.push(position_, position_.in_check()) == shogi::Repetition::NONE) return {};
    return wrong(fmt::format("'{}' ends the game by repetition", text));
  }

  shogi::Position position_;
  shogi::RepetitionHistory repetition_;
  std::vector<std::string> moves_;
};

// "+7776FU,T12-3334FU": each move begins with its sign. A comma may stand between them, as in shogi-server.
std::expected<void, std::string> read_csa_moves(Reader& reader, std::string_view text) {
  while (!text.empty()) {
    const std::size_t next = std::min(text.find_first_of("+-", 1), text.size());
    std::string_view move = text.substr(0, next);
    if (move.ends_with(',')) move.remove_suffix(1);
    if (auto read = reader.csa(move); !read) return read;
    text.remove_prefix(next);
  }
  return {};
}

// What follows the start, the word "moves" included.
Result read_moves(StartPosition start, std::string_view rest) {
  const auto position = shogi::Position::from_sfen(start.sfen);
  if (!position) return wrong(position.error().message);
  Reader reader(*position);
  bool first = true;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    if (std::exchange(first, false) && word == "moves") continue;
    auto read = is_csa(word) ? read_csa_moves(reader, word) : reader.usi(word);
    if (!read) return wrong(std::move(read.error()));
  }
  auto moves = std::move(reader).moves();
  if (!moves) return wrong(std::move(moves.error()));
  start.moves = std::move(*moves);
  return start;
}

// Takes "<board> <turn> <hand> [number]" off the front.
std::string take_sfen(std::string_view& rest) {
  std::string sfen;
  for (int field = 0; field < 3; ++field) {
    if (field > 0) sfen += ' ';
    sfen += take_word(rest);
  }
  std::string_view after = rest;
  if (all_digits(take_word(after))) rest = after;
  return sfen + " 1";
}

StartPosition normal_start() {
  StartPosition start;
  start.sfen = shogi::Position::kStartSfen;
  return start;
}

}  // namespace

Result read_buoy_moves(std::string_view text) {
  if (!is_csa(text)) return wrong(fmt::format("'{}' does not begin with the sign of a move", text));
  return read_moves(normal_start(), text);
}

Result read_start_position(std::string_view text) {
  std::string_view rest = record::trim(text);
  if (rest.empty()) return wrong("there is no position");
  StartPosition start = normal_start();
  std::string_view after = rest;
  const std::string_view first = take_word(after);
  if (is_csa(first)) return read_moves(std::move(start), rest);
  if (first == "startpos") return read_moves(std::move(start), after);
  if (first == "sfen" || first == "position") return read_start_position(after);
  start.sfen = take_sfen(rest);
  return read_moves(std::move(start), rest);
}

std::expected<std::vector<StartPosition>, std::string> read_position_set(std::string_view text) {
  std::vector<StartPosition> set;
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line = record::trim(line);
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t bar = line.find('|');
    auto position = read_start_position(line.substr(0, bar));
    if (!position) return std::unexpected(fmt::format("line {}: {}", number, position.error()));
    if (bar != std::string_view::npos) {
      const std::string_view words = line.substr(bar + 1);
      const std::size_t second = words.find('|');
      position->title = record::trim(words.substr(0, second));
      if (second != std::string_view::npos) position->comment = record::trim(words.substr(second + 1));
    }
    set.push_back(std::move(*position));
  }
  if (set.empty()) return std::unexpected("there is no position in it");
  return set;
}

}  // namespace fuhyo::core
