// What the rounds of one floodgate group have been so far: who met whom, with which colour, who sat out, who won. The
// server records into it, pairing reads it. A value: the same records in the same order give the same history.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace fuhyo::core::floodgate {

// One game that was played to an end. Players are ids ("name+trip hash").
struct Played {
  std::string game_id, black, white;
  std::string winner, loser;  // both empty: no winner (a draw, or a game that was broken off)
  std::uint64_t round = 0;    // in which it was paired; rounds of a group count up from 1. 0: not known
  bool filler = false;        // one of the two was a built-in player that filled up an odd number
};

class History {
 public:
  // shogi-server keeps the last 100 games of a group; its methods look no further back.
  static constexpr std::size_t kGames = 100;
  // Meetings, colours and sit-outs are forgotten after so many rounds (three weeks of a round every half an hour), so
  // that a server that runs for years stays small. A Swiss event is shorter.
  static constexpr std::uint64_t kRounds = 1000;
  // Sit-outs count as recent for so many rounds: one day of a round every half an hour.
  static constexpr std::uint64_t kRecentRounds = 48;

  // Record in the order in which games end; that order is shogi-server's "last game". A game may end rounds after it
  // was paired.
  void record(Played game);
  // `id` was there in `round` and got no game because the number was odd. A round in which nobody plays is not a round:
  // it has no number, and nobody sat it out.
  void sit_out(std::string_view id, std::uint64_t round);

  std::uint64_t newest_round() const { return newest_; }
  const std::deque<Played>& last_games() const { return games_; }  // at most kGames, oldest first

  // As shogi-server asks it, over the last 100 games.
  const Played* last_decided(std::string_view id) const;      // null: none
  bool won_last(std::string_view id) const;                   // its last game with a winner
  std::string_view last_opponent(std::string_view id) const;  // in its last game with a winner; empty: none

  // Ours, over the last kRounds rounds.
  struct Standing {
    int balance = 0;                    // games with Black less games with White
    int same_colour = 0;                // its last games in one colour: +2 is Black twice running, -1 White once
    int half_points = 0;                // 2 for a win, 1 for no winner, 2 for a round sat out
    int byes = 0;                       // rounds sat out
    int float_direction = 0;            // in its last game: +1 the opponent had more points then, -1 fewer, 0 as many
    std::uint64_t last_round = 0;       // in which it last played or sat out
    std::string last_opponent;          // of its latest round, by round number
    std::deque<std::uint64_t> sat_out;  // the rounds of its recent sit-outs, oldest first
  };
  Standing standing(std::string_view id) const;  // of somebody unknown: zeros
  // The latest round in which the two met; 0: never.
  std::uint64_t last_met(std::string_view a, std::string_view b) const;
  // Rounds within the last kRecentRounds before `round` that it sat out.
  int recent_byes(std::string_view id, std::uint64_t round) const;

 private:
  using Pair = std::pair<std::string, std::string>;  // in ascending order
  Standing& touch(const std::string& id, std::uint64_t round);
  void note_sit_out(std::string_view id, std::uint64_t round);
  void forget_old_rounds();

  std::deque<Played> games_;
  std::map<std::string, Standing, std::less<>> standings_;
  std::map<Pair, std::uint64_t> met_;
  std::uint64_t newest_ = 0;
  std::uint64_t swept_ = 0;  // the newest round at the last forgetting
};

}  // namespace fuhyo::core::floodgate
