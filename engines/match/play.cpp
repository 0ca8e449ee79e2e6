#include "engines/match/play.h"

#include <fmt/format.h>
#include <utility>

#include "engines/match/adjudicator.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/repetition.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::match {
namespace {

using shogi::Color;
using shogi::Repetition;

GameResult win_of(Color color) { return color == shogi::BLACK ? GameResult::black_wins : GameResult::white_wins; }

class GameRunner {
 public:
  GameRunner(PlayedGame game, const std::array<Player*, 2>& players, const Rules& rules, std::stop_token stop)
      : game_(std::move(game)),
        players_(players),
        rules_(rules),
        stop_(std::move(stop)),
        position_(game_.start.start),
        history_(shogi::RepetitionRule::REAL),
        clocks_{Clock(game_.times[shogi::BLACK]), Clock(game_.times[shogi::WHITE])},
        adjudicator_(rules.adjudication),
        line_(usi::position_text(game_.start.start, {})) {}

  PlayedGame play() {
    begin();
    while (!over_) next_move();
    for (const Color color : {shogi::BLACK, shogi::WHITE}) {
      const int points = half_points(game_.result, color);
      players_[color]->game_over(points == 2 ? "win" : points == 0 ? "lose" : "draw");
    }
    return std::move(game_);
  }

 private:
  void end(GameResult result, Ending ending, std::string detail = {}) {
    over_ = true;
    game_.result = result;
    game_.ending = ending;
    game_.detail = std::move(detail);
  }
  void lose(Color color, Ending ending, std::string detail = {}) { end(win_of(~color), ending, std::move(detail)); }

  void begin() {
    history_.start(position_);
    for (const shogi::Move move : game_.start.moves) make(move);
    const GameOptions options{.number = game_.number, .move_limit = rules_.move_limit, .stop = stop_};
    const auto black = players_[shogi::BLACK]->new_game(options);
    const auto white = players_[shogi::WHITE]->new_game(options);
    if (!black && !white)
      return end(GameResult::draw, black.error().ending, black.error().why + "; " + white.error().why);
    if (!black) lose(shogi::BLACK, black.error().ending, black.error().why);
    if (!white) lose(shogi::WHITE, white.error().ending, white.error().why);
  }

  Repetition make(shogi::Move move) {
    const bool check = position_.gives_check(move);
    if (plies_++ == 0) line_ += " moves";
    line_ += ' ';
    line_ += shogi::to_usi(move);
    position_.do_move(move);
    return history_.push(position_, check);
  }

  void next_move() {
    const Color mover = position_.side_to_move();
    if (shogi::count_legal_moves(position_) == 0) return lose(mover, Ending::mate);
    if (rules_.move_limit != 0 && plies_ >= rules_.move_limit) return end(GameResult::draw, Ending::move_limit);
    const auto reply = players_[mover]->think({.line = line_,
                                               .position = position_,
                                               .limits = go_limits(game_.times, clocks_, mover),
                                               .patience_us = patience_us(mover),
                                               .stop = stop_});
    if (!reply) return lose(mover, reply.error().ending, reply.error().why);
    const auto over_us = clocks_[mover].spend(reply->data.spent_us);
    if (over_us && *over_us > rules_.margin_ms * 1000) {
      return lose(mover, Ending::time_up, fmt::format("{:.1f} ms over", static_cast<double>(*over_us) / 1000));
    }
    switch (reply->best.kind) {
      case usi::BestMove::Kind::resign:
        return lose(mover, Ending::resignation);
      case usi::BestMove::Kind::win:
        return declare(mover);
      case usi::BestMove::Kind::move:
        return move(mover, *reply);
    }
  }

  std::int64_t patience_us(Color mover) const {
    const auto budget = clocks_[mover].budget_us();
    return budget ? *budget + rules_.hang_ms * 1000 : rules_.patience_ms * 1000;
  }

  void declare(Color mover) {
    const auto verdict = shogi::judge_declaration(position_, rules_.declaration);
    if (verdict.valid) return end(win_of(mover), Ending::declaration);
    if (verdict.draw) return end(GameResult::draw, Ending::declaration);
    lose(mover, Ending::false_declaration, verdict.reason);
  }

  void move(Color mover, const SearchReply& reply) {
    const shogi::Move made = reply.best.move;
    if (const shogi::Illegal why = position_.why_illegal(made); why != shogi::Illegal::none) {
      return lose(mover, Ending::illegal_move, fmt::format("{}: {}", shogi::to_usi(made), shogi::to_string(why)));
    }
    const bool tries = rules_.declaration == shogi::DeclarationRule::TRY && shogi::try_move(position_) == made;
    game_.moves.push_back(reply.data);
    const std::string line = line_;
    const Repetition repetition = make(made);
    if (tries) return end(win_of(mover), Ending::declaration);
    if (repetition == Repetition::DRAW) return end(GameResult::draw, Ending::repetition);
    if (repetition == Repetition::MOVER_LOSES) return lose(mover, Ending::perpetual_check);
    if (repetition == Repetition::OPPONENT_LOSES) return lose(~mover, Ending::perpetual_check);
    if (const auto ended = adjudicator_.moved(mover, reply.data.score, plies_)) {
      return end(ended->result, ended->ending);
    }
    players_[mover]->ponder(line, reply, go_limits(game_.times, clocks_, mover));
  }

  PlayedGame game_;
  std::array<Player*, 2> players_;
  const Rules& rules_;
  std::stop_token stop_;
  shogi::Position position_;
  shogi::RepetitionHistory history_;
  std::array<Clock, 2> clocks_;
  Adjudicator adjudicator_;
  std::string line_;
  int plies_ = 0;
  bool over_ = false;
};

}  // namespace

std::optional<PlayedGame> play(PlayedGame game, const std::array<Player*, 2>& players, const Rules& rules,
                               const std::function<std::int64_t()>& now_ms, const std::stop_token& stop) {
  game.began_ms = now_ms();
  game.moves.clear();
  PlayedGame played = GameRunner(std::move(game), players, rules, stop).play();
  if (stop.stop_requested()) return std::nullopt;
  played.ended_ms = now_ms();
  return played;
}

}  // namespace fuhyo::match
