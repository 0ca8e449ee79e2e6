// A game with scores in about three bytes a move: the form in which Fuhyō keeps what networks learn from.
// Pure functions; any thread.
//
//   byte     bits 0-1 the winner (Winner), 2-4 the end (ScoredEnd), 5-6 the kind of start, 7 zero
//   start    0: nothing, the standard position; 1: PackedSfen (32 bytes) and a varint, the moves made before;
//            2: a varint and so many bytes of SFEN, for what PackedSfen cannot hold
//   varint   the number of moves; then of each
//   u16      bits 0-13: ((origin, or 80 + the dropped kind) * 81 + destination) * 2 + promotion; bits 14-15: the score:
//            0: none; 1: what it exceeds the expected one by, in a byte; 2: what it falls short by, less one, in a
//            byte; 3: the score itself, in two bytes
//
// The expected score is what two searches suggest: half the sum of the mover's last score and of the opponent's last
// with its sign turned, rounded towards zero; that of the two moves before which was searched if only one was; else 0.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "engines/record/bytes.h"
#include "engines/record/scored_game.h"

namespace fuhyo::record {

constexpr std::uint32_t kMaxScoredMoves = 65'535;   // more than any rule allows; also hcpe3's limit
constexpr std::uint32_t kMaxScoredStart = 999'999;  // moves before the start, as SFEN bounds them
constexpr std::size_t kMaxScoredSfen = 256;         // longer than any position of one set

// Whether moves that are read must be legal. What a checksum has vouched for, and was legal when it was written, need
// not be asked again; moves of other bytes that are never asked may harm whoever makes them.
enum class MoveCheck : std::uint8_t { legal, trusted };

// Appends the game. An error says what cannot be written (more pieces than a set has, too many moves, no such move at
// all), and nothing was appended then.
std::expected<void, std::string> append_scored_game(Bytes& out, const ScoredGame& game);

// Takes one game from the front. After an error the reader is of no use any more.
std::expected<ScoredGame, std::string> take_scored_game(ByteReader& in, MoveCheck check = MoveCheck::legal);

}  // namespace fuhyo::record
