// The opening book of an engine: its options, its file, and the choice and report of a book move. One thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engines/book/book.h"
#include "engines/book/choice.h"
#include "engines/usi/game.h"
#include "engines/usi/options.h"
#include "engines/usi/values.h"

namespace fuhyo::book {

class Player {
 public:
  using Report = std::function<void(const usi::Info&)>;

  // USI_OwnBook, BookFile and the rest of YaneuraOu's names, with its defaults.
  static void add_options(usi::OptionTable& options);

  explicit Player(std::uint64_t seed) : random_(seed) {}

  // Opens the book of the options, unless the same file is already open. Returns messages for people, line by line. A
  // missing or damaged book is no error: the engine plays without it. A missing file is reported only if it was named.
  std::vector<std::string> update(const usi::OptionTable& options);

  // The move to play in the position that the game has reached, with the reply to ponder on; resign stands for none,
  // and then the engine thinks for itself. Reports every candidate, and the chosen one last. The book is asked where a
  // move is to be played: not in "go infinite", nor when the moves to look at are given.
  usi::BestMove choose(const usi::Game& game, const usi::GoLimits& limits, const usi::OptionTable& options,
                       const Report& report);

 private:
  struct Lookup {
    bool ignore_ply = false, flipped = true;
  };
  // The legal moves that the book knows there, best first. Illegal ones are named in `bad`.
  Entry lookup(const shogi::Position& position, const Lookup& lookup, std::vector<shogi::Move>* bad);
  // The move, and what the book expects after it: at most so many moves.
  std::vector<shogi::Move> line(shogi::Position position, const BookMove& first, std::size_t moves,
                                const Lookup& lookup);
  bool loses_by_repetition(const usi::Game& game, shogi::Move move) const;

  std::unique_ptr<Book> book_;
  std::string opened_;  // what it was opened as: file, time, size, way
  Random random_;
};

}  // namespace fuhyo::book
