#include "server/core/games/game.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <variant>

#include "engines/record/csa_move.h"
#include "engines/shogi/declaration.h"
#include "engines/shogi/movegen.h"
#include "server/core/counted.h"

namespace fuhyo::core {
namespace {

Outcome win_for(shogi::Color side) { return side == shogi::BLACK ? Outcome::black_wins : Outcome::white_wins; }

EndKind end_kind(shogi::Illegal why) {
  if (why == shogi::Illegal::king_in_check) return EndKind::oute_kaihimore;
  if (why == shogi::Illegal::drop_pawn_mate) return EndKind::uchifuzume;
  return EndKind::illegal_move;
}

shogi::RepetitionRule repetition_rule(Rulebook rulebook) {
  return rulebook == Rulebook::official ? shogi::RepetitionRule::REAL : shogi::RepetitionRule::SHOGI_SERVER;
}

std::string square_name(shogi::Square s) {
  return fmt::format("{}{}", shogi::file_of(s), static_cast<char>('a' + shogi::rank_of(s) - 1));
}

}  // namespace

std::string describe_illegal(const shogi::Position& position, std::string_view line) {
  const auto csa = record::parse_csa_move(line);
  if (!csa) return "not a move";
  const auto move = record::resolve(position, *csa);
  if (!move) return record::why_unresolved(position, *csa);
  const shogi::Illegal why = position.why_illegal(*move);
  const std::string to = square_name(csa->to);
  if (why == shogi::Illegal::two_pawns) return "two pawns at " + to;
  if (why == shogi::Illegal::drop_pawn_mate) return "pawn-drop mate at " + to;
  if (why == shogi::Illegal::king_in_check) return "king left in check";
  return fmt::format("{} ({})", shogi::to_string(why), to);
}

TimeRule time_rule(const csa::GameName& name) {
  return TimeRule{.total_s = name.total_s,
                  .byoyomi_s = name.byoyomi_s,
                  .increment_s = name.increment_s,
                  .least_s = 0,
                  .stopwatch_s = name.stopwatch_s};
}

Clock first_clock(const GameOpened& opened) {
  Clock clock(opened.time, opened.time_of(shogi::WHITE));
  if (!opened.preset_spent) return clock;
  const auto free = static_cast<std::size_t>(std::max(opened.preset_free, 0));
  for (std::size_t i = free; i < opened.preset_moves.size(); ++i) {
    const std::string_view move = opened.preset_moves[i];
    clock.spend(move.starts_with('-') ? shogi::WHITE : shogi::BLACK, move_made(opened.game, move).spent_s);
  }
  return clock;
}

std::optional<shogi::Move> play(shogi::Position& position, std::string_view text) {
  const auto csa = record::parse_csa_move(text.substr(0, text.find(',')));
  const auto move = csa ? record::resolve(position, *csa) : std::nullopt;
  if (!move || !position.is_legal(*move)) return std::nullopt;
  position.do_move(*move);
  return move;
}

Game::Game(GameOpened opened, std::int32_t most_plies)
    : story_{std::move(opened)},
      most_plies_(story_.opened.max_moves > 0 ? std::min(story_.opened.max_moves, most_plies) : most_plies),
      repetition_(repetition_rule(story_.opened.rulebook)),
      clock_(first_clock(story_.opened)) {
  if (auto start = shogi::Position::from_sfen(story_.opened.start_sfen)) position_ = *start;
  repetition_.start(position_);
  for (const std::string& move : story_.opened.preset_moves) preset(move);
}

void Game::preset(std::string_view text) {
  const auto csa = record::parse_csa_move(text.substr(0, text.find(',')));
  if (!csa) return;
  if (const auto move = record::resolve(position_, *csa); move && position_.is_legal(*move)) make(*move, text);
}

void Game::apply(const Fact& fact) {
  story_.apply(fact);
  const auto* made = std::get_if<MoveMade>(&fact);
  if (made == nullptr) return;
  clock_.spend(to_move(), made->spent_s);
  preset(made->csa);
}

shogi::Repetition Game::make(shogi::Move move, std::string_view csa) {
  position_.do_move(move);
  last_move_ = csa.substr(0, csa.find(','));
  ++plies_;
  return repetition_.push(position_, position_.in_check());
}

GameEnded Game::end(EndKind kind, Outcome outcome, std::string line, std::string reason) const {
  GameEnded ended;
  ended.game = id();
  ended.kind = kind;
  ended.outcome = outcome;
  ended.plies = plies_;
  ended.line = std::move(line);
  ended.reason = std::move(reason);
  ended.final_board = record::csa_board(position_);
  return ended;
}

GameEnded Game::interrupted(std::string_view reason) const {
  return end(EndKind::chudan, Outcome::none, "%CHUDAN", std::string(reason));
}

GameEnded Game::adjudicated(Outcome outcome, std::string_view reason) const {
  return end(EndKind::adjudicated, outcome, "", std::string(reason));
}

Ruling Game::resigned_by(shogi::Color who) const {
  return Ruling{.move = {}, .echo = {}, .end = end(EndKind::toryo, win_for(~who), "%TORYO", "resigned")};
}

Ruling Game::lost_by_mover(EndKind kind, std::string line, std::string reason) const {
  return Ruling{.move = {}, .echo = {}, .end = end(kind, win_for(~to_move()), std::move(line), std::move(reason))};
}

Ruling Game::late(std::int64_t elapsed_us) const {
  return lost_by_mover(EndKind::time_up, "%TIME_UP", describe_lateness(elapsed_us, clock_.flag_us(to_move())));
}

Ruling Game::judge_silence(std::int64_t elapsed_us) {
  return clock_.is_late(to_move(), clock_.charge_s(to_move(), elapsed_us)) ? late(elapsed_us) : Ruling{};
}

Ruling Game::abandoned_by(shogi::Color who, std::string_view how) {
  return Ruling{.move = {}, .echo = {}, .end = end(EndKind::abnormal, win_for(~who), "%TORYO", std::string(how))};
}

Ruling Game::judge(const csa::Special& special, std::int64_t elapsed_us) {
  const std::int32_t spent_s = clock_.charge_s(to_move(), elapsed_us);
  if (clock_.is_late(to_move(), spent_s)) return late(elapsed_us);
  if (special.line.starts_with("%TORYO")) return lost_by_mover(EndKind::toryo, "%TORYO", "resigned");
  if (special.line.starts_with("%KACHI")) return declare("%KACHI", spent_s);
  return lost_by_mover(EndKind::illegal_move, special.line, "no such special move");
}

Ruling Game::declare(const std::string& line, std::int32_t spent_s) {
  const shogi::DeclarationVerdict verdict = shogi::judge_declaration(position_, opened().declaration);
  Ruling ruling;
  if (verdict.valid) {
    ruling.end = end(EndKind::kachi, win_for(to_move()), line, "declared the win");
  } else if (verdict.draw) {
    ruling.end = end(EndKind::kachi, Outcome::draw, line, "declared a draw: " + verdict.reason);
  } else {
    ruling = lost_by_mover(EndKind::illegal_kachi, line, "wrong declaration: " + verdict.reason);
  }
  ruling.echo = fmt::format("{},T{}", line, spent_s);
  ruling.end->spent_s = spent_s;
  return ruling;
}

Ruling Game::judge(const csa::MoveLine& line, std::int64_t elapsed_us) {
  const std::int32_t spent_s = clock_.charge_s(to_move(), elapsed_us);
  if (clock_.is_late(to_move(), spent_s)) return late(elapsed_us);
  const auto csa = record::parse_csa_move(line.move);
  const auto move = csa ? record::resolve(position_, *csa) : std::nullopt;
  const shogi::Illegal why = move ? position_.why_illegal(*move) : shogi::Illegal::no_piece;
  if (why != shogi::Illegal::none) {
    return lost_by_mover(end_kind(why), line.move, describe_illegal(position_, line.move) + ": " + line.move);
  }
  return play(*move, line, spent_s);
}

GameEnded Game::at_limit(shogi::Color mover) const {
  const bool mates = opened().rulebook == Rulebook::official && shogi::count_legal_moves(position_) == 0;
  if (mates)
    return end(EndKind::toryo, win_for(mover), "%TSUMI", fmt::format("mated by move {}, the last one", plies_));
  return end(EndKind::max_moves, Outcome::draw, "", counted(plies_, "move"));
}

Ruling Game::play(shogi::Move move, const csa::MoveLine& line, std::int32_t spent_s) {
  const shogi::Color mover = to_move();
  const shogi::Position before = position_;
  const bool tries = opened().declaration == shogi::DeclarationRule::TRY && shogi::try_move(position_) == move;
  clock_.spend(mover, spent_s);
  const shogi::Repetition repetition = make(move, line.move);
  Ruling ruling;
  ruling.echo = fmt::format("{},T{}", line.move, spent_s);
  ruling.move = MoveMade{.game = id(),
                         .ply = plies_,
                         .csa = line.move,
                         .spent_s = spent_s,
                         .remaining_s = clock_.remaining_s(mover),
                         .at = {},
                         .comment = line.comment};
  story_.add(*ruling.move);
  if (tries) {
    ruling.end = end(EndKind::kachi, win_for(mover), "", "the king has reached its goal");
  } else if (repetition != shogi::Repetition::NONE) {
    const bool draw = repetition == shogi::Repetition::DRAW;
    const shogi::Color loser = repetition == shogi::Repetition::MOVER_LOSES ? mover : ~mover;
    ruling.end = draw ? end(EndKind::sennichite, Outcome::draw, "", "fourfold repetition")
                      : end(EndKind::oute_sennichite, win_for(~loser), "", "perpetual check");
    // shogi-server takes the last move back before it writes the final board and counts the plies.
    ruling.end->final_board = record::csa_board(before);
    ruling.end->plies = plies_ - 1;
  } else if (plies_ >= most_plies_) {
    ruling.end = at_limit(mover);
  }
  return ruling;
}

}  // namespace fuhyo::core
