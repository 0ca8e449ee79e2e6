// Records of AobaZero as training data, by the rules of the pipeline that GCT learnt from. One thread at a time.
//
// A record is CSA with its visit counts behind each move, the move that was played among them:
//
//   'w 630 (crc64:...), autousi 1.2, usi-engine 16
//   PI
//   +
//   +7776FU,'800,7776FU,451,2726FU,200,...          all visits, then a move and its visits each; newer ones begin with
//   -3334FU,'v=0.487,800,3334FU,611,...             the chance of the side to move to win
//   %TORYO                                          also %KACHI, %SENNICHITE, %CHUDAN (512 moves), %+ILLEGAL_ACTION
//
// The first plies are drawn by visits. Positions up to the last one whose move was not the most visited are not learnt
// from. The game is cut at the first mate in five plies after it, and its result is that of the mate.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "engines/learn/data/sink.h"
#include "engines/record/scored_game.h"

namespace fuhyo::learn {

struct AobaOptions {
  std::size_t drawn_plies = 30;  // within which moves are drawn by visits
  std::size_t least_plies = 31;  // shorter games are out, as in dlshogi's converter
  int mate_plies = 5;            // 1, 3, 5 or 7; 0: games are not cut
  int mate_moves = 100'000;      // that the search for one may make in a position
  bool candidates = false;       // are wanted, too
};

struct AobaCounts {
  std::uint64_t games = 0;      // read, those that are out among them
  std::uint64_t illegal = 0;    // out: ended by an illegal move
  std::uint64_t too_short = 0;  // out
  std::uint64_t nothing = 0;    // out: a mate right behind the drawn moves, or no move behind them
  std::uint64_t positions = 0;  // to learn from
  std::uint64_t drawn = 0;      // positions before them
  std::uint64_t mates = 0;      // games that were cut
  std::uint64_t turned = 0;     // ... and had another result before
  std::uint64_t undecided = 0;  // positions in which the search for a mate was not finished
  std::uint64_t declared = 0, repeated = 0, broken_off = 0;  // ends, of games that were not cut
};

struct AobaGame {
  record::ScoredGame game;          // moves that are not to be learnt from have no score
  GameSink::Candidates candidates;  // by move, if they are wanted
};

class AobaReader {
 public:
  explicit AobaReader(const AobaOptions& options) : options_(options) {}

  // Parses one game. Null if the rules above exclude it, which is counted. Valid until the next call. Errors: not such
  // a record, no end, an illegal move.
  std::expected<const AobaGame*, std::string> read(std::string_view text);
  const AobaCounts& counts() const { return counts_; }

 private:
  struct Ply {
    std::string_view move, comment;  // "+7776FU", "800,7776FU,451"
  };
  using Done = std::expected<void, std::string>;

  Done scan(std::string_view text);
  Done scan_line(std::string_view line, class AobaStart& start);
  std::expected<std::size_t, std::string> first_ply() const;
  Done play(std::size_t first);
  Done add(const shogi::Position& position, const Ply& ply, shogi::Move move);
  bool cut(shogi::Position& position);
  void conclude(shogi::Color to_move);

  AobaOptions options_;
  AobaCounts counts_;
  std::vector<Ply> plies_;
  std::string_view end_;
  bool cut_ = false;
  AobaGame made_;
};

}  // namespace fuhyo::learn
