#include "server/core/commentary/turn.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ranges>
#include <span>

#include "engines/record/encoding.h"
#include "engines/record/kif_move.h"
#include "engines/record/opening.h"
#include "engines/record/setup.h"
#include "engines/shogi/number.h"
#include "engines/shogi/usi_move.h"
#include "server/core/games/game.h"
#include "server/core/position_key.h"
#include "server/core/text_parts.h"

namespace fuhyo::core {
namespace {

using namespace shogi;

std::string letters_of(PieceType type) {
  return fmt::format("{}{}", is_promoted(type) ? "+" : "", "PLNSBRGK"[unpromoted(type) - PAWN]);
}

// As the pages write it: "P-76", "Bx22+", "G58-57" where several could, "G*52".
std::string western(const record::KifMove& said, const Position& before, Move move) {
  const Square to = move.to();
  const auto digits = [](Square square) { return fmt::format("{}{}", file_of(square), rank_of(square)); };
  if (move.is_drop()) return letters_of(said.piece) + "*" + digits(to);
  const bool several = said.side != record::KifMove::Side::none || said.motion != record::KifMove::Motion::none;
  return letters_of(said.piece) + (several ? digits(move.from()) : "") + (before.piece_on(to) == NO_PIECE ? "-" : "x") +
         digits(to) +
         (!said.promote   ? ""
          : *said.promote ? "+"
                          : "=");
}

Words move_words(const Position& before, Move move, Square last_to) {
  const record::KifMove said = record::in_words(record::Setup::of(before), move);
  const std::string_view mark = mark_of(before.side_to_move());
  constexpr std::string_view kOtherMark = "▲";
  return {fmt::format("{}{}", mark, record::to_ki2(said, last_to).substr(kOtherMark.size())),
          fmt::format("{}{}", mark, western(said, before, move))};
}

// Where a legal move takes it and nothing takes back.
bool is_lost(const Position& after, Square square) {
  const Color owner = ~after.side_to_move();
  const auto takes = [&](Square from, bool promote) {
    return after.is_legal(Move::board(from, square, promote)) &&
           !after.attackers(owner, square, after.occupied() ^ Bitboard::of(from)).any();
  };
  return std::ranges::any_of(std::views::iota(0, SQUARE_NB), [&](int from) {
    return takes(static_cast<Square>(from), false) || takes(static_cast<Square>(from), true);
  });
}

std::optional<Move> parse_line_move(const Position& position, const std::string& word) {
  if (Position copy = position; const auto csa = play(copy, word)) return csa;
  const auto usi = parse_usi_move(word);
  return usi && position.is_legal(*usi) ? usi : std::nullopt;
}

std::vector<Words> expected_line(Position position, const Evaluation& said, Square last_to) {
  std::vector<Words> line;
  for (const std::string& word : said.moves) {
    const auto move = parse_line_move(position, word);
    if (!move || line.size() == Turn::kLongestLine) break;
    line.push_back(move_words(position, *move, last_to));
    last_to = move->to();
    position.do_move(*move);
  }
  return line;
}

std::string name_of(const Seat& seat) { return std::string(record::shortened(seat.name, Turn::kLongestName)); }

class Teller {
 public:
  Teller(const GameStory& game, bool comments, const Position& start)
      : game_(game), comments_(comments), position_(start), clock_(first_clock(game.opened)) {}

  // False: the move is not understood.
  bool make(std::size_t ply) {
    before_ = position_;
    const auto move = play(position_, game_.moves[ply - 1]);
    if (!move) return false;
    former_to_ = move_ ? move_->to() : SQ_NONE;
    former_captured_ = captured_;
    move_ = move;
    captured_ = type_of(before_.piece_on(move->to()));
    const Color side = before_.side_to_move();
    left_before_s_ = clock_.remaining_s(side);
    if (ply > game_.opened.preset_moves.size()) {
      clock_.spend(side, move_made(game_.opened.game, game_.moves[ply - 1]).spent_s);
    }
    return true;
  }

  Turn tell(std::size_t ply) const {
    Turn turn{.game = game_.opened.game,
              .room = game_.opened.room,
              .ply = static_cast<std::int32_t>(ply),
              .names = {name_of(game_.opened.black), name_of(game_.opened.white)},
              .sfen = position_.sfen()};
    if (ply == game_.moves.size()) turn.ended = game_.ended;
    if (ply > game_.opened.preset_moves.size()) tell_move(turn, ply);
    return turn;
  }

 private:
  std::optional<Evaluation> said_of(std::size_t ply) const {
    if (!comments_ || ply <= game_.opened.preset_moves.size()) return std::nullopt;
    return evaluation_of(game_.comments_on(static_cast<std::int32_t>(ply)));
  }
  std::optional<std::int32_t> value_of(std::size_t ply) const {
    const auto said = said_of(ply);
    return said ? std::optional(said->cp) : std::nullopt;
  }

  void tell_move(Turn& turn, std::size_t ply) const {
    const Square to = move_->to();
    const PieceType moved = type_of(position_.piece_on(to));
    turn.move = move_words(before_, *move_, former_to_);
    turn.side = before_.side_to_move();
    turn.captured = captured_;
    turn.takes_back = captured_ != NO_PIECE_TYPE && former_captured_ != NO_PIECE_TYPE && former_to_ == to;
    turn.check = position_.in_check();
    const bool matters = captured_ == NO_PIECE_TYPE && unpromoted(moved) != PAWN && moved != KING;
    if (matters && is_lost(position_, to)) turn.hangs = moved;
    turn.said = said_of(ply);
    if (ply > 1) turn.others_value = value_of(ply - 1);
    if (ply > 2) turn.said_before = value_of(ply - 2);
    for (std::size_t back = 10 * Turn::kMostValues; back > 0; back -= 10) {
      const auto then = back < ply ? value_of(ply - back) : std::nullopt;
      if (then) turn.values.emplace_back(static_cast<std::int32_t>(ply - back), *then);
    }
    if (turn.said) turn.line = expected_line(position_, *turn.said, to);
    turn.time = game_.opened.time_of(turn.side);
    turn.left_before_s = left_before_s_;
    turn.left_s = clock_.remaining_s(turn.side);
    if (ply == record::kOpeningPlies || (turn.ended && ply < record::kOpeningPlies)) {
      turn.opening =
          opening_of(game_.opened.start_sfen, fmt::format("{}", fmt::join(std::span(game_.moves).first(ply), " ")));
    }
  }

  const GameStory& game_;
  const bool comments_;
  Position before_, position_;
  Clock clock_;
  std::optional<Move> move_;
  Square former_to_ = SQ_NONE;
  PieceType captured_ = NO_PIECE_TYPE, former_captured_ = NO_PIECE_TYPE;
  std::int32_t left_before_s_ = 0;
};

}  // namespace

std::string_view mark_of(Color side) { return side == BLACK ? "☗" : "☖"; }

std::optional<Evaluation> evaluation_of(std::string_view comment) {
  for (std::string_view line : parts_of(comment, '\n')) {
    if (!line.starts_with('*')) continue;
    line.remove_prefix(std::min(line.find_first_not_of('*'), line.size()));
    const std::vector<std::string_view> words = parts_of(line, ' ');
    if (words.empty()) continue;
    const std::string_view value = words.front().substr(words.front().starts_with('+') ? 1 : 0);
    const auto cp = shogi::number_of<std::int32_t>(value);
    if (!cp || std::abs(*cp) >= 1'000'000) continue;
    Evaluation found{.cp = *cp, .moves = {}};
    for (const std::string_view move : words | std::views::drop(1) | std::views::take(Turn::kLongestLine)) {
      found.moves.emplace_back(move);
    }
    return found;
  }
  return std::nullopt;
}

std::vector<Turn> turns_of(const GameStory& game, bool comments, std::size_t ply) {
  const auto start = Position::from_sfen(game.opened.start_sfen);
  if (!start) return {};
  Teller teller(game, comments, *start);
  std::vector<Turn> turns;
  for (std::size_t at = 0; at <= game.moves.size(); ++at) {
    if (at > 0 && !teller.make(at)) break;
    if (at >= std::max(ply, game.opened.preset_moves.size())) turns.push_back(teller.tell(at));
  }
  return turns;
}

}  // namespace fuhyo::core
