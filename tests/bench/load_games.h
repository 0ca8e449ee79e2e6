// Scripted games between pairs of clients of a CSA server, each a closed loop: a move is sent when the one before it
// has arrived at the opponent, or a fixed time after that. One thread.
#pragma once

#include <array>
#include <functional>
#include <map>

#include "tests/bench/load_poller.h"
#include "tests/bench/measure.h"

namespace fuhyo::bench {

// Black's rook walks a cycle of six, White's one of five: no position comes back within 60 plies.
constexpr std::array<std::string_view, 6> kBlackMoves = {"+2838HI\n", "+3848HI\n", "+4858HI\n",
                                                         "+5868HI\n", "+6878HI\n", "+7828HI\n"};
constexpr std::array<std::string_view, 5> kWhiteMoves = {"-8272HI\n", "-7262HI\n", "-6252HI\n", "-5242HI\n",
                                                         "-4282HI\n"};

inline std::string_view scripted_move(int ply) {
  const auto turn = static_cast<std::size_t>(ply / 2);
  return ply % 2 == 0 ? kBlackMoves[turn % kBlackMoves.size()] : kWhiteMoves[turn % kWhiteMoves.size()];
}

inline bool is_move_echo(std::string_view text) {
  return text.size() > 8 && (text[0] == '+' || text[0] == '-') && text.substr(7, 2) == ",T";
}

enum class Mode : std::uint8_t { csa, x1, raw };  // raw: never logs in; for held connections only

struct GameOptions {
  Mode mode = Mode::csa;
  int pairs = 10;
  int plies = 160;   // of a game; even, at most 180, because the script then repeats a position for the fourth time
  int rounds = 1;    // games that each pair plays, one after the other
  int pace_ms = 0;   // from the arrival of a move to the answer; 0: at once
  int apart_ms = 0;  // between the first moves of two games; 0: a thousandth of the pace
  int at_once = 32;  // pairs that are between connecting and START at the same time
  std::string game = "load";
  std::string name = "L";
  int total_s = 3600, byoyomi_s = 60;
  int setup_s = 120, limit_s = 300;
};

struct SentMove {
  int game = 0;
  Clock::time_point due;  // when it was to be sent
};

struct GameFigures {
  int started = 0, finished = 0;  // games
  double setup_s = 0, wall_s = 0;
  // From when the mover was to send to the opponent's receipt, one a move: what this program is late with counts too.
  std::vector<double> echo_ms;
  std::vector<SentMove> sent;  // in each game in the order of its moves
  std::map<std::string, int> errors;
};

class GameLoad : public LineHandler {
 public:
  GameLoad(Poller& poller, GameOptions options) : poller_(poller), options_(std::move(options)) {}

  // `measuring` is called when every game of the first round has begun, right before the first move.
  GameFigures run(const std::function<void()>& measuring) {
    set_up();
    measuring();
    measuring_ = true;
    const auto began = last_over_ = Clock::now();
    running_ = figures_.started;
    for (Game& game : games_) {
      if (game.started == 2) play(game);
    }
    while (running_ > 0 && seconds_since(began) < options_.limit_s) {
      poller_.poll(*this, patience_ms());
      make_due_moves();
    }
    figures_.wall_s = std::chrono::duration<double>(last_over_ - began).count();
    return std::move(figures_);
  }

 private:
  enum Seat : std::size_t { kBlack, kWhite };
  struct Game {
    int number = 0, round = 0;
    Connection* seat[2] = {};
    int started = 0, over = 0, ply = 0;
    Clock::time_point sent;
  };
  struct Place {
    Game* game = nullptr;
    Seat seat = kBlack;
  };

  void line(Connection& connection, std::string_view text) override {
    const auto found = places_.find(connection.id());
    if (found == places_.end()) return;
    const Place place = found->second;
    if (is_move_echo(text)) return (text[0] == '+') == (place.seat == kBlack) ? void() : moved(place, connection);
    if (text.starts_with("END Game_Summary")) return connection.send("AGREE\n");
    if (text.starts_with("START:")) return game_started(*place.game);
    if (text.starts_with("##[LOGIN]")) return ask_for_game(connection, place);
    if (text == "#WIN" || text == "#LOSE" || text == "#DRAW" || text == "#CENSORED") return over(*place.game);
    if (text.starts_with("#") && !text.starts_with("##") && text != "#RESIGN") error(text);
    if (text.starts_with("LOGIN:incorrect") || text.starts_with("##[ERROR]") || text.starts_with("REJECT")) error(text);
  }
  void closed(Connection& connection) override {
    const auto found = places_.find(connection.id());
    if (found == places_.end()) return;
    const Place place = found->second;
    places_.erase(found);
    place.game->seat[place.seat] = nullptr;
    // In CSA mode the server closes a player's connection as soon as its own end lines are written.
    const bool expected = place.game->over == 2 || (place.game->over == 1 && options_.mode == Mode::csa);
    if (!expected) error("closed by server");
  }

  void set_up() {
    const auto began = Clock::now();
    games_.resize(static_cast<std::size_t>(options_.pairs));
    int begun = 0;
    while (figures_.started < options_.pairs && seconds_since(began) < options_.setup_s) {
      while (begun < options_.pairs && begun - figures_.started < options_.at_once) {
        Game& game = games_[static_cast<std::size_t>(begun)];
        game.number = begun++;
        if (!begin(game)) return;
      }
      poller_.poll(*this, 50);
    }
    figures_.setup_s = seconds_since(began);
  }
  bool begin(Game& game) { return seat_player(game, kBlack) && seat_player(game, kWhite); }
  bool seat_player(Game& game, Seat seat) {
    const auto connection = poller_.connect();
    if (!connection) {
      error(connection.error());
      return false;
    }
    game.seat[seat] = *connection;
    const Place place{.game = &game, .seat = seat};
    places_[(*connection)->id()] = place;
    log_in(**connection, place);
    return true;
  }
  // Names change from round to round, as the server may not have noticed yet that the former player has gone; after
  // three they come again.
  void log_in(Connection& connection, const Place& place) {
    const char colour = place.seat == kBlack ? 'b' : 'w';
    const std::string name = fmt::format("{}{}{}r{}", options_.name, colour, place.game->number, place.game->round % 3);
    connection.send(options_.mode == Mode::x1 ? fmt::format("LOGIN {} trip x1\n", name)
                                              : fmt::format("LOGIN {} {}-{},trip\n", name, game_name(*place.game),
                                                            colour == 'b' ? 'B' : 'W'));
  }
  void ask_for_game(Connection& connection, const Place& place) {
    connection.send(fmt::format("%%GAME {} {}\n", game_name(*place.game), place.seat == kBlack ? '+' : '-'));
  }
  std::string game_name(const Game& game) const {
    return fmt::format("{}{}-{}-{}", options_.game, game.number, options_.total_s, options_.byoyomi_s);
  }
  void game_started(Game& game) {
    if (++game.started != 2) return;
    ++figures_.started;
    if (measuring_) play(game);
  }
  // The first moves are spread, of later rounds over the pace, or all games would move at once for ever.
  void play(Game& game) {
    if (options_.pace_ms == 0) return move(game, Clock::now());
    const auto part = options_.apart_ms > 0 && game.round == 0
                          ? std::chrono::milliseconds(options_.apart_ms) * game.number
                          : std::chrono::milliseconds(options_.pace_ms) * (game.number % 1'000) / 1'000;
    due_.emplace(Clock::now() + part, &game);
  }
  void move(Game& game, Clock::time_point due) {
    game.sent = due;
    figures_.sent.push_back({.game = game.number, .due = due});
    game.seat[game.ply % 2]->send(scripted_move(game.ply));
  }
  void make_due_moves() {
    while (!due_.empty() && due_.begin()->first <= Clock::now()) {
      const auto [due, game] = *due_.begin();
      due_.erase(due_.begin());
      if (game->over == 0 && game->seat[game->ply % 2] != nullptr) move(*game, due);
    }
  }
  int patience_ms() const {
    if (due_.empty()) return 200;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(due_.begin()->first - Clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 200));
  }
  // The move of `place`'s opponent has arrived: answer it.
  void moved(const Place& place, Connection& connection) {
    Game& game = *place.game;
    const auto now = Clock::now();
    figures_.echo_ms.push_back(std::chrono::duration<double, std::milli>(now - game.sent).count());
    if (++game.ply >= options_.plies) return connection.send("%TORYO\n");
    if (options_.pace_ms == 0) return move(game, now);
    due_.emplace(now + std::chrono::milliseconds(options_.pace_ms), &game);
  }
  void over(Game& game) {
    if (++game.over != 2) return;
    ++figures_.finished;
    last_over_ = Clock::now();
    if (game.round + 1 < options_.rounds) return next_round(game);
    --running_;
  }
  void next_round(Game& game) {
    Connection* const old[2] = {game.seat[kBlack], game.seat[kWhite]};
    game = Game{.number = game.number, .round = game.round + 1, .seat = {}, .sent = {}};
    for (const Seat seat : {kBlack, kWhite}) {
      if (options_.mode == Mode::x1) {
        game.seat[seat] = old[seat];
        ask_for_game(*old[seat], {.game = &game, .seat = seat});
        continue;
      }
      if (old[seat]) {
        places_.erase(old[seat]->id());
        poller_.close(*old[seat]);
      }
      if (!seat_player(game, seat)) --running_;
    }
  }
  void error(std::string_view what) { ++figures_.errors[std::string(what.substr(0, 60))]; }

  Poller& poller_;
  const GameOptions options_;
  std::vector<Game> games_;
  std::unordered_map<std::uint64_t, Place> places_;  // by connection
  std::multimap<Clock::time_point, Game*> due_;      // moves that are thought about
  GameFigures figures_;
  bool measuring_ = false;
  int running_ = 0;  // pairs that have games left
  Clock::time_point last_over_;
};

}  // namespace fuhyo::bench
