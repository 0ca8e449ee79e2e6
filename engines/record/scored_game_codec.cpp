#include "engines/record/scored_game_codec.h"

#include <algorithm>
#include <cstddef>
#include <fmt/core.h>
#include <limits>
#include <optional>
#include <utility>

#include "engines/record/packed_sfen.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::record {
namespace {

using shogi::Move;
using shogi::Position;
using Failure = std::unexpected<std::string>;

enum StartKind : std::uint8_t { kStandard, kPacked, kSfen };
enum ScoreKind : std::uint8_t { kNone, kAbove, kBelow, kWhole };

constexpr unsigned kOrigins = 88;  // 81 squares and seven kinds
constexpr unsigned kMoveCodes = kOrigins * 81 * 2;
static_assert(kMoveCodes <= 1U << 14);

const Position& standard() {
  static const Position position;
  return position;
}

// ---- moves ----

std::optional<unsigned> code_of(Move move) {
  const unsigned kind = move.dropped(), to = static_cast<unsigned>(move.to());
  const unsigned origin = move.is_drop() ? 80 + kind : static_cast<unsigned>(move.from());
  if (to >= 81 || origin >= kOrigins || (move.is_drop() ? kind == 0 || move.is_promotion() : origin >= 81)) {
    return std::nullopt;
  }
  return (origin * 81 + to) * 2 + (move.is_promotion() ? 1 : 0);
}

std::optional<Move> move_of(unsigned code) {
  if (code >= kMoveCodes) return std::nullopt;
  const bool promotion = (code & 1U) != 0;
  const auto to = static_cast<shogi::Square>(code / 2 % 81);
  const unsigned origin = code / 2 / 81;
  if (origin < 81) return Move::board(static_cast<shogi::Square>(origin), to, promotion);
  if (promotion) return std::nullopt;
  return Move::drop(static_cast<shogi::PieceType>(origin - 80), to);
}

// ---- scores ----

// Says what the next score will be about.
class Expectation {
 public:
  int value() const {
    if (own_ && other_) return (*own_ - *other_) / 2;
    return own_ ? *own_ : other_ ? -*other_ : 0;
  }
  void moved(const std::optional<std::int16_t>& score) { own_ = std::exchange(other_, score); }

 private:
  std::optional<std::int16_t> own_, other_;  // of the side to move, two moves ago; of the other one, a move ago
};

void append_move(Bytes& out, unsigned code, std::optional<std::int16_t> score, int expected) {
  const auto put_code = [&](ScoreKind kind) { put(out, static_cast<std::uint16_t>(code | unsigned{kind} << 14U)); };
  if (!score) return put_code(kNone);
  const int above = *score - expected;
  if (above >= 0 && above <= 0xff) {
    put_code(kAbove);
    put(out, static_cast<std::uint8_t>(above));
  } else if (above < 0 && above >= -0x100) {
    put_code(kBelow);
    put(out, static_cast<std::uint8_t>(-above - 1));
  } else {
    put_code(kWhole);
    put(out, static_cast<std::uint16_t>(*score));
  }
}

// False if the bytes are none.
bool take_score(ByteReader& in, ScoreKind kind, int expected, std::optional<std::int16_t>& score) {
  if (kind == kNone) return true;
  if (kind == kWhole) {
    const auto whole = in.take<std::uint16_t>();
    if (whole) score = static_cast<std::int16_t>(*whole);
    return whole.has_value();
  }
  const auto byte = in.take<std::uint8_t>();
  if (!byte) return false;
  const int value = kind == kAbove ? expected + *byte : expected - 1 - *byte;
  if (!std::in_range<std::int16_t>(value)) return false;
  score = static_cast<std::int16_t>(value);
  return true;
}

// ---- starts ----

std::optional<std::string> append_start(Bytes& out, const Position& start) {
  if (start.ply() == 0 && start.same_as(standard())) return std::nullopt;
  if (const auto packed = pack(start)) {
    out.back() |= kPacked << 5U;
    out.insert(out.end(), packed->bytes.begin(), packed->bytes.end());
    put_varint(out, static_cast<std::uint32_t>(start.ply()));
    return std::nullopt;
  }
  const std::string sfen = start.sfen();
  if (const auto back = Position::from_sfen(sfen); !back) return back.error().message;
  out.back() |= kSfen << 5U;
  put_varint(out, static_cast<std::uint32_t>(sfen.size()));
  out.insert(out.end(), sfen.begin(), sfen.end());
  return std::nullopt;
}

std::expected<Position, std::string> take_packed(ByteReader& in) {
  const auto bytes = in.take_bytes(PackedSfen::kSize);
  const auto ply = in.take_varint();
  if (!bytes || !ply) return Failure("ends within its start");
  if (*ply > kMaxScoredStart) return Failure(fmt::format("starts after {} moves", *ply));
  PackedSfen packed;
  std::ranges::copy(*bytes, packed.bytes.begin());
  return unpack(packed, static_cast<int>(*ply));
}

std::expected<Position, std::string> take_sfen(ByteReader& in) {
  const auto length = in.take_varint();
  if (!length || *length > kMaxScoredSfen) return Failure("its start is no position");
  const auto bytes = in.take_bytes(*length);
  if (!bytes) return Failure("ends within its start");
  auto position = Position::from_sfen({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  if (!position) return Failure(std::move(position.error().message));
  return *std::move(position);
}

std::expected<Position, std::string> take_start(ByteReader& in, unsigned kind) {
  switch (kind) {
    case kStandard:
      return standard();
    case kPacked:
      return take_packed(in);
    case kSfen:
      return take_sfen(in);
    default:
      return Failure("its start is of no known kind");
  }
}

// ---- all moves ----

std::optional<std::string> append_moves(Bytes& out, const std::vector<ScoredMove>& moves) {
  put_varint(out, static_cast<std::uint32_t>(moves.size()));
  Expectation expectation;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto code = code_of(moves[i].move);
    if (!code) return fmt::format("move {} is none", i + 1);
    append_move(out, *code, moves[i].score, expectation.value());
    expectation.moved(moves[i].score);
  }
  return std::nullopt;
}

std::optional<std::string> take_moves(ByteReader& in, ScoredGame& game, MoveCheck check) {
  const auto count = in.take_varint();
  if (!count || *count > kMaxScoredMoves) return "its number of moves is none";
  game.moves.reserve(std::min<std::size_t>(*count, in.rest().size() / 2));
  Position position = game.start;
  Expectation expectation;
  for (std::uint32_t i = 1; i <= *count; ++i) {
    const auto word = in.take<std::uint16_t>();
    if (!word) return fmt::format("ends before move {} of {}", i, *count);
    const auto move = move_of(*word & 0x3fffU);
    if (!move) return fmt::format("move {} is none", i);
    ScoredMove scored{.move = *move, .score = {}};
    if (!take_score(in, static_cast<ScoreKind>(*word >> 14U), expectation.value(), scored.score)) {
      return fmt::format("the score of move {} is none", i);
    }
    expectation.moved(scored.score);
    game.moves.push_back(scored);
    if (check == MoveCheck::trusted) continue;
    if (const shogi::Illegal why = position.why_illegal(*move); why != shogi::Illegal::none) {
      return fmt::format("move {}, '{}', is illegal: {}", i, shogi::to_usi(*move), shogi::to_string(why));
    }
    position.do_move(*move);
  }
  return std::nullopt;
}

}  // namespace

std::expected<void, std::string> append_scored_game(Bytes& out, const ScoredGame& game) {
  if (game.moves.size() > kMaxScoredMoves) {
    return Failure(fmt::format("it has {} moves; at most {} can be written", game.moves.size(), kMaxScoredMoves));
  }
  if (std::cmp_greater(game.start.ply(), kMaxScoredStart)) {
    return Failure(
        fmt::format("it starts after {} moves; at most {} can be written", game.start.ply(), kMaxScoredStart));
  }
  const std::size_t before = out.size();
  out.push_back(static_cast<std::uint8_t>(std::to_underlying(game.winner) | std::to_underlying(game.end) << 2U));
  auto defect = append_start(out, game.start);
  if (!defect) defect = append_moves(out, game.moves);
  if (!defect) return {};
  out.resize(before);
  return Failure(std::move(*defect));
}

std::expected<ScoredGame, std::string> take_scored_game(ByteReader& in, MoveCheck check) {
  const auto first = in.take<std::uint8_t>();
  if (!first) return Failure("it has no bytes");
  const unsigned winner = *first & 3U, end = *first >> 2U & 7U;
  if ((*first & 0x80U) != 0 || winner > std::to_underlying(Winner::white) ||
      end > std::to_underlying(ScoredEnd::adjudicated)) {
    return Failure(fmt::format("its first byte is {:#04x}", *first));
  }
  auto start = take_start(in, *first >> 5U & 3U);
  if (!start) return Failure(std::move(start.error()));
  ScoredGame game{.start = *std::move(start),
                  .moves = {},
                  .winner = static_cast<Winner>(winner),
                  .end = static_cast<ScoredEnd>(end)};
  if (auto defect = take_moves(in, game, check)) return Failure(std::move(*defect));
  return game;
}

}  // namespace fuhyo::record
