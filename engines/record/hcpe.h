// Training data of Apery, dlshogi and cshogi: a position and what is known of it in 38 bytes ("hcpe", "hcpe2"), and a
// game with the moves that were thought of ("hcpe3"). Pure functions; any thread.
//
//   hcpe    hcp (32); i16 score for the side to move; u16 best move (apery_bits()); i8 the winner: 0 nobody, 1 Black,
//           2 White; u8 nothing
//   hcpe2   the same, but for the result, which is that of hcpe3
//   hcpe3   hcp of the start (32); u16 moves; u8 bits 0-1 the winner, 2 repetition, 3 declaration, 4 limit of moves;
//           u8 who played: 0 with itself, 1 another engine as Black, 2 as White; then of each move
//             u16 the move; i16 score for the side to move; u16 candidates; then of each candidate
//               u16 the move; u16 its visits
//
// Apery's last own version has records of 42 bytes under the name hcpe; those are not meant here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "engines/record/bytes.h"
#include "engines/record/hcp.h"
#include "engines/record/scored_game.h"

namespace fuhyo::record {

struct Hcpe {
  static constexpr std::size_t kSize = 38;
  Hcp position{};
  std::int16_t score = 0;
  shogi::Move move{};
  Winner winner = Winner::nobody;
  std::uint8_t padding = 0;
  std::uint8_t flags = 0;  // of hcpe2: the result's bits from the third on, as in Hcpe3Game
  bool operator==(const Hcpe&) const = default;
};
void append_hcpe(Bytes& out, const Hcpe& value);   // without the flags
void append_hcpe2(Bytes& out, const Hcpe& value);  // with them
// Of Hcpe::kSize bytes. An error for a move that is none, or a winner. The position is for unpack() to judge.
std::expected<Hcpe, std::string> hcpe(ByteView bytes);
std::expected<Hcpe, std::string> hcpe2(ByteView bytes);

struct Hcpe3Move {
  struct Candidate {
    shogi::Move move{};
    std::uint16_t visits = 0;
    bool operator==(const Candidate&) const = default;
  };
  shogi::Move move{};
  std::int16_t score = 0;
  std::vector<Candidate> candidates{};  // none: the position is nothing to learn from
  bool operator==(const Hcpe3Move&) const = default;
};

struct Hcpe3Game {
  static constexpr std::size_t kStart = 36, kMove = 6, kCandidate = 4;  // bytes
  static constexpr std::uint8_t kRepetition = 4, kDeclaration = 8, kMoveLimit = 16;
  Hcp start{};
  std::vector<Hcpe3Move> moves{};
  Winner winner = Winner::nobody;
  std::uint8_t flags = 0;     // the result's bits from the third on
  std::uint8_t opponent = 0;  // who played
  bool operator==(const Hcpe3Game&) const = default;
};

constexpr std::size_t kMaxHcpe3Moves = 65'535;  // dlshogi itself reads games of up to 513
constexpr std::size_t kMaxCandidates = shogi::MAX_LEGAL_MOVES;

// The bytes that the game at the front takes, or at least takes: more than there are, if they are too few to tell.
// An error for a number of candidates that no position has.
std::expected<std::size_t, std::string> hcpe3_size(ByteView bytes);
// The game at the front, which must be whole. An error for moves that are none, or a winner.
std::expected<Hcpe3Game, std::string> hcpe3(ByteView bytes);
// False if it has more moves or candidates than can be written; nothing is appended then.
bool append_hcpe3(Bytes& out, const Hcpe3Game& game);

}  // namespace fuhyo::record
