// What the decisions about one division come to: every member's rounds, games and points. Pairing, standings and tables
// read this and nothing else. Computed anew from the state whenever it is wanted; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/core/tournament/decisions.h"
#include "server/core/tournament/state.h"

namespace fuhyo::core::tournament {

enum class Sign : std::uint8_t {
  pending,  // no result yet
  win,
  loss,
  draw,
  none  // for nobody: void, or a game of which another attempt is played instead
};

// One game as one of its players sees it.
struct Mark {
  GameKey game;
  bool black = false;
  Sign sign = Sign::pending;
  How how = How::play;
  bool repeated = false;  // another attempt is played instead
  bool annulled = false;  // with its cell
  Points points;
  std::optional<EndKind> end;
  std::int32_t plies = 0;
  std::string record;

  bool decided() const { return sign == Sign::win || sign == Sign::loss || sign == Sign::draw; }
  // Decided over the board, or by a host's verdict of what stood on it.
  bool played() const { return decided() && how != How::forfeit; }
};

// One round of one member: a cell of the table.
struct RoundCell {
  enum class Kind : std::uint8_t {
    none,  // not in the division any more, or the round is not paired
    game,
    bye,
    rest,
    walkover,
    defaulted,  // has left: `opponent` has the walkover
    absent      // not there yet, or excused
  };
  Kind kind = Kind::none;
  std::size_t opponent = 0;  // a place among the rows: of a game, a walkover, a default
  int board = 0;
  std::vector<Mark> marks;  // in the order of games and attempts; of a walkover and a default as by forfeit
  Points points;            // of this round
  Points total;             // up to this round and with it
  bool annulled = false;    // counts for nobody: WithdrawnGames::annul

  bool has_opponent() const { return kind == Kind::game || kind == Kind::walkover || kind == Kind::defaulted; }
  bool pending() const;
  // Whether the two have met over the board, or are about to: then they are not paired again, and colours count.
  bool met() const;
};

// One member of the division.
struct LedgerRow {
  PlayerId player;
  std::int64_t lot = 0;
  int joined = 1;                  // the first round that it can be in
  std::optional<int> left;         // the round from which on it has left for good
  std::vector<RoundCell> cells;    // by rounds
  std::vector<std::size_t> apart;  // places that it must not meet, ascending
  Points points;
};

// A game that is to be played next.
struct DueGame {
  GameKey game;
  PlayerId black, white;
  int position = 0;  // of DivisionSettings::positions, from 1; 0: the usual one
  bool operator==(const DueGame&) const = default;
};

struct Ledger {
  const DivisionSettings* settings = nullptr;  // of the event that it was made from
  std::vector<LedgerRow> rows;                 // by the members' numbers; places count from 0, numbers from 1
  int rounds = 0;                              // that are paired
  // Of every pairing that is not over the next game. Those of one pairing are played one after another.
  std::vector<DueGame> due;

  bool pending() const { return !due.empty(); }
  const RoundCell& cell(std::size_t place, int round) const {
    return rows[place].cells[static_cast<std::size_t>(round) - 1];
  }
  std::optional<std::size_t> find(std::string_view player) const;
};

Ledger ledger_of(const Event& event, const EventState& state, DivisionKey division);

// By places among `players`: whom each of them must not meet (Entrant::groups, Event::apart), ascending.
std::vector<std::vector<std::size_t>> apart_among(const Event& event, const EventState& state,
                                                  const std::vector<PlayerId>& players);

// The same as it stood before this round was paired.
Ledger before(Ledger ledger, int round);

const DivisionSettings& settings_of(const Event& event, DivisionKey division);

// Which of the two of a pairing goes on in a knock-out: more points; if they are even, by DivisionSettings::decider.
std::size_t knock_out_winner(const Ledger& ledger, std::size_t a, std::size_t b, int round);

}  // namespace fuhyo::core::tournament
