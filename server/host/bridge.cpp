#include "server/host/bridge.h"

#include <algorithm>

#include "engines/record/csa_move.h"
#include "engines/shogi/declaration.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/game.h"
#include "engines/usi/text.h"

namespace fuhyo::host {
namespace {

using usi::kForever;

// A Game_Summary has about 30 lines, plus one for each move made before; more than this is no summary.
constexpr std::size_t kSummaryLines = 5000;
// Moves of a principal variation that are passed on: a line must stay well below every server's limit.
constexpr std::size_t kCommentPlies = 32;
// The convention of floodgate's clients for a mate, and the bound for what engines invent.
constexpr int kMateScore = 100'000;
// Servers charge whole seconds, and some round up.
constexpr std::int64_t kRounding_ms = 1'000;
// Of what a move may use, the machine's lateness takes this part at most: short games are played all the same.
constexpr std::int64_t kReservePart = 4;

constexpr std::string_view kHostSays = "##[ADMIN] ";  // to players in extended mode

// "#WIN" and its like end a game; the line before them gave the reason.
std::string_view result_of(std::string_view line) {
  if (line == "#WIN") return "win";
  if (line == "#LOSE") return "lose";
  if (line == "#DRAW") return "draw";
  if (line == "#CENSORED") return "censored";
  if (line == "#CHUDAN") return "chudan";
  return {};
}

std::string_view usi_result(std::string_view result) { return result == "win" || result == "lose" ? result : "draw"; }

int comment_score(const usi::Score& score, shogi::Color us) {
  const int own = score.kind == usi::Score::Kind::win    ? kMateScore
                  : score.kind == usi::Score::Kind::lose ? -kMateScore
                                                         : std::clamp(score.value, -kMateScore, kMateScore);
  return us == shogi::BLACK ? own : -own;
}

}  // namespace

Bridge::Bridge(Config config) : config_(std::move(config)), driver_(config_.engine), open_(!config_.needs_seat) {}

void Bridge::send(std::string line, std::int64_t now) {
  last_sent_ = now;
  outputs_.push_back(ToServer{std::move(line)});
}

// ---- the connection ----

void Bridge::connected(std::int64_t now) {
  phase_ = Phase::greeting;
  last_sent_ = now;
  if (engine_ready_) log_in(now);
}

void Bridge::log_in(std::int64_t now) {
  phase_ = Phase::login;
  send("LOGIN " + config_.name + " " + config_.password + (config_.mode == Mode::x1 ? " x1" : ""), now);
}

void Bridge::logged_in(std::int64_t now) {
  log("logged in as " + config_.name);
  phase_ = Phase::waiting;
  if (finishing_) return leave(now);
  just_logged_in_ = true;
  if (config_.patience_ms > 0) patience_until_ = now + config_.patience_ms;
  waits_in_lobby_ = false;
  enter_lobby(now);
}

void Bridge::enter_lobby(std::int64_t now) {
  if (config_.mode != Mode::x1 || phase_ != Phase::waiting || !open_ || rests_until_ != kForever) return;
  waits_in_lobby_ = true;
  if (!config_.game.empty()) send("%%GAME " + config_.game + " " + config_.turn, now);
  outputs_.push_back(Lobby{true});
}

void Bridge::set_open(bool open, std::int64_t now) {
  open_ = open;
  if (config_.mode != Mode::x1 || phase_ != Phase::waiting || open_ == waits_in_lobby_) return;
  if (open_) return enter_lobby(now);
  waits_in_lobby_ = false;
  outputs_.push_back(Lobby{false});
  if (!config_.game.empty()) send("%%GAME", now);
}

void Bridge::seat(std::int64_t now) {
  if (phase_ != Phase::readying || seated_) return;
  seated_ = true;
  seat_until_ = kForever;
  agree_if_ready(now);
}

void Bridge::agree_if_ready(std::int64_t now) {
  if (phase_ != Phase::readying || !engine_ready_ || (config_.needs_seat && !seated_)) return;
  phase_ = Phase::agreed;
  send("AGREE", now);
}

void Bridge::lose_patience() {
  patience_until_ = kForever;
  const std::string game = config_.game.empty() ? "the same game" : config_.game;
  log("no game yet: servers pair only players who wait for the very same game name, here " + game);
}

// The opponent has waited long enough.
void Bridge::give_up_seat(std::int64_t now) {
  seat_until_ = kForever;
  if (phase_ != Phase::readying || seated_) return;
  warn("no seat for game " + summary_.game_id + ": it is not agreed to");
  phase_ = Phase::agreed;  // until the server says REJECT
  send("REJECT", now);
}

void Bridge::leave(std::int64_t now) {
  send("LOGOUT", now);
  phase_ = Phase::leaving;
  done_ = true;
  outputs_.push_back(Hangup{"leaving"});
}

void Bridge::finish(std::int64_t now) {
  finishing_ = true;
  if (phase_ == Phase::waiting) return leave(now);
  if (phase_ != Phase::offline && phase_ != Phase::greeting && phase_ != Phase::login) return;
  done_ = true;
  if (phase_ != Phase::offline) outputs_.push_back(Hangup{"leaving"});
}

void Bridge::disconnected(std::string_view why, std::int64_t now) {
  if (phase_ == Phase::playing || phase_ == Phase::agreed || phase_ == Phase::readying) {
    outputs_.push_back(Ended{.game_id = summary_.game_id, .result = "lost line", .reason = std::string(why)});
    driver_.game_over("lose", now);
    drain_engine(now);
  }
  phase_ = Phase::offline;
  hurry_at_ = fallback_at_ = seat_until_ = kForever;
  held_.reset();
  waits_in_lobby_ = false;
  if (finishing_) done_ = true;
}

void Bridge::server_line(std::string_view line, std::int64_t now) {
  if (line.empty() || phase_ == Phase::leaving) return;
  if (phase_ == Phase::summary) {
    summary_lines_.emplace_back(line);
    if (line == "END Game_Summary") return summary_complete(now);
    if (summary_lines_.size() > kSummaryLines) outputs_.push_back(Hangup{"the Game_Summary does not end"});
    return;
  }
  if (phase_ == Phase::login && line == "LOGIN:" + config_.name + " OK") return logged_in(now);
  if (phase_ == Phase::login && line.starts_with("LOGIN:incorrect")) {
    outputs_.push_back(Refused{"the server refused the login of '" + config_.name +
                               "': a wrong password, or a name that is in use, forbidden or not of the right form"});
  } else if (phase_ == Phase::login && line.starts_with("HTTP/")) {
    outputs_.push_back(Refused{"a web server listens at this port; engines need the CSA port (usually 4081)"});
  } else if (phase_ == Phase::waiting && line == "BEGIN Game_Summary") {
    phase_ = Phase::summary;
    patience_until_ = kForever;
    summary_lines_.clear();
  } else if (phase_ == Phase::waiting && line.starts_with("##[ERROR]")) {
    outputs_.push_back(Refused{std::string(line)});
  } else if (line.starts_with(kHostSays)) {
    log("the server says: " + std::string(line.substr(kHostSays.size())));
  } else if (phase_ == Phase::agreed && line.starts_with("START:")) {
    begin(now);
  } else if (line.starts_with("REJECT:") && (phase_ == Phase::agreed || phase_ == Phase::readying)) {
    end_reason_ = std::string(line);
    end_game("rejected", now);
  } else if (phase_ == Phase::playing && (line.front() == '+' || line.front() == '-')) {
    server_move(line, now);
  } else if (phase_ == Phase::playing && line.front() == '#' && !line.starts_with("##")) {
    server_end(line, now);
  }
}

// ---- a game begins ----

void Bridge::summary_complete(std::int64_t now) {
  const auto summary = parse_game_summary(summary_lines_);
  if (!summary) {
    warn(summary.error());
    send("REJECT", now);
    phase_ = Phase::agreed;  // until the server says REJECT
    return;
  }
  summary_ = *summary;
  clocks_ = Clocks(summary_.clocks);
  position_ = summary_.start;
  moves_.clear();
  for (const PresetMove& preset : summary_.moves) {
    clocks_.spend(position_.side_to_move(), preset.spent_ms);
    position_.do_move(preset.move);
    moves_.push_back(preset.move);
  }
  end_reason_.clear();
  lost_track_ = answered_ = think_wanted_ = false;
  offered_ = expected_ = {};
  restarts_ = 0;
  phase_ = Phase::readying;
  engine_ready_ = false;
  const bool goes_on = std::exchange(just_logged_in_, false) && !moves_.empty();
  greeted_ = goes_on;
  seated_ = false;
  thought_.reset();
  if (config_.needs_seat) {
    seat_until_ = now + config_.seat_ms;
    outputs_.push_back(
        SeatWanted{.game_id = summary_.game_id, .opponent = summary_.names[~summary_.us], .goes_on = goes_on});
  }
  if (driver_.running()) ready_engine(now);
  drain_engine(now);
}

// For the game of the summary.
void Bridge::ready_engine(std::int64_t now) {
  if (config_.level_by_game) driver_.set_option("Level", std::to_string(level_asked(summary_.game_id)));
  driver_.new_game(summary_.max_moves, now, summary_.declaration);
}

void Bridge::begin(std::int64_t now) {
  phase_ = Phase::playing;
  log("game " + summary_.game_id + " begins, " + (summary_.us == shogi::BLACK ? "black" : "white"));
  outputs_.push_back(Began{.game_id = summary_.game_id, .us = summary_.us});
  if (our_turn()) take_turn(now);
}

// ---- moves of the server ----

void Bridge::server_move(std::string_view line, std::int64_t now) {
  const auto csa = record::parse_csa_move(line.substr(0, 7));
  const auto move = csa && !lost_track_ ? record::resolve(position_, *csa) : std::nullopt;
  if (!move || !position_.is_legal(*move)) {
    lost_track_ = true;
    warn("the server sent a move that is impossible here: " + std::string(line) + " in " + position_.sfen());
    driver_.abandon(now);
    return drain_engine(now);
  }
  const std::string_view rest = line.substr(7);
  const auto spent = rest.starts_with(",T") ? parse_spent_ms(rest.substr(2)) : std::nullopt;
  const bool ours = csa->color == summary_.us;
  // Without a T value (old servers), the own measure is the best there is.
  clocks_.spend(csa->color, spent.value_or(ours ? (now - turn_begun_) / 1000 * 1000 : 0));
  position_.do_move(*move);
  moves_.push_back(*move);
  if (ours && thought_) {
    thought_->charged_ms = spent.value_or(-1);
    woke_late(spent.value_or(0) - kRounding_ms - (moved_at_ - turn_begun_), now);
    outputs_.push_back(*std::exchange(thought_, std::nullopt));
  }
  if (ours) {
    driver_.abandon(now);  // nothing to stop, unless the server moved for us
    start_ponder(now);
  } else if (expected_ && *move == expected_ && engine_ready_) {
    expected_ = {};
    turn_begun_ = asked_at_ = now;
    answered_ = false;
    hurried_at_.reset();
    set_hurry(now);
    driver_.ponderhit();
  } else {
    expected_ = {};
    take_turn(now);
  }
  drain_engine(now);
}

void Bridge::take_turn(std::int64_t now) {
  turn_begun_ = now;
  answered_ = false;
  hurried_at_.reset();
  info_ = {};
  if (restarts_ > config_.restarts) return play({.kind = usi::BestMove::Kind::resign}, now);
  think_wanted_ = true;
  set_hurry(now);
  // It may still be pondering on another move: it is asked once it has let go, so that it hears the time left by then.
  if (driver_.answer_owed()) driver_.abandon(now);
  think_if_wanted(now);
}

void Bridge::think_if_wanted(std::int64_t now) {
  if (think_wanted_ && engine_ready_ && in_game() && !driver_.answer_owed()) think(now);
}

void Bridge::think(std::int64_t now) {
  think_wanted_ = false;
  asked_at_ = now;
  driver_.think(position_line(), limits(now), now);
  set_hurry(now);
  drain_engine(now);
}

void Bridge::set_may_ponder(bool may, std::int64_t now) {
  may_ponder_ = may;
  if (may || !expected_) return;
  expected_ = {};
  driver_.abandon(now);
  drain_engine(now);
}

// ---- time ----

usi::GoLimits Bridge::limits(std::int64_t now) const {
  if (clocks_.unlimited(summary_.us)) return config_.unlimited;
  const std::int64_t gone = our_turn() ? now - turn_begun_ : 0;
  return clocks_.limits(summary_.us, gone + config_.margin_ms + reserve_ms(now));
}

std::int64_t Bridge::reserve_ms(std::int64_t now) const {
  return std::min(lateness_.reserve_ms(now), clocks_.budget_ms(summary_.us) / kReservePart);
}

std::int64_t Bridge::pace_ms() const {
  const auto more = position_.key() % static_cast<std::uint64_t>(config_.more_move_ms + 1);
  const std::int64_t pace = config_.min_move_ms + static_cast<std::int64_t>(more);
  return clocks_.unlimited(summary_.us) ? pace : std::min(pace, clocks_.budget_ms(summary_.us) / 2);
}

void Bridge::woke_late(std::int64_t late_ms, std::int64_t now) {
  if (phase_ < Phase::readying || phase_ > Phase::playing) return;
  lateness_.note(late_ms, now);
  if (fallback_at_ == kForever) return;
  const bool hurried = hurry_at_ == kForever;
  set_hurry(now);
  if (hurried) hurry_at_ = kForever;
}

// An engine that overstays is told to move while there is still time to; then its newest thought is played for it.
void Bridge::set_hurry(std::int64_t now) {
  if (clocks_.unlimited(summary_.us)) {
    const std::int64_t given = config_.unlimited.movetime_ms.value_or(60'000);
    hurry_at_ = given > kForever - now - config_.hang_ms ? kForever : now + given + config_.hang_ms;
    fallback_at_ = kForever;  // no flag falls: the driver's own time-out ends a hang
    return;
  }
  const std::int64_t budget = clocks_.budget_ms(summary_.us);
  const std::int64_t lead = std::max(config_.margin_ms / 2, std::min<std::int64_t>(200, budget / 4)) + reserve_ms(now);
  hurry_at_ = turn_begun_ + budget - lead;
  fallback_at_ = turn_begun_ + budget - lead / 2;
}

void Bridge::tick(std::int64_t now) {
  driver_.tick(now);
  drain_engine(now);
  const std::int64_t due = std::min({hurry_at_, fallback_at_, held_ ? held_->at : kForever});
  if (due < now) woke_late(now - due, now);
  if (held_ && now >= held_->at) {
    const usi::BestMove best = held_->best;
    held_.reset();
    play(best, now);
  }
  if (now >= seat_until_) give_up_seat(now);
  if (now >= patience_until_) lose_patience();
  if (now >= rests_until_) {
    rests_until_ = kForever;
    enter_lobby(now);
  }
  if (now >= hurry_at_) {
    hurry_at_ = kForever;
    hurried_at_ = now;
    driver_.hurry(now);
    drain_engine(now);
  }
  if (now >= fallback_at_) {
    fallback_at_ = kForever;
    play_fallback(now);
  }
  const bool logged_in = phase_ != Phase::offline && phase_ != Phase::greeting && phase_ != Phase::leaving;
  if (logged_in && config_.keep_alive_ms > 0 && now - last_sent_ >= config_.keep_alive_ms) send("", now);
}

std::int64_t Bridge::deadline() const {
  std::int64_t at = std::min({driver_.deadline(), hurry_at_, fallback_at_, held_ ? held_->at : kForever, seat_until_,
                              patience_until_, rests_until_});
  const bool logged_in = phase_ != Phase::offline && phase_ != Phase::greeting && phase_ != Phase::leaving;
  if (logged_in && config_.keep_alive_ms > 0) at = std::min(at, last_sent_ + config_.keep_alive_ms);
  return at;
}

// ---- the engine ----

void Bridge::engine_started(std::int64_t now) {
  engine_ready_ = false;
  driver_.start(now);
  // Ready comes after "readyok": whatever the engine has to load is loaded before we log in, agree or move.
  phase_ >= Phase::readying ? ready_engine(now) : driver_.new_game(0, now, summary_.declaration);
  drain_engine(now);
}

void Bridge::engine_line(std::string_view line, std::int64_t now) {
  driver_.line(line, now);
  drain_engine(now);
}

void Bridge::engine_closed(std::string_view why, std::int64_t now) {
  driver_.closed();
  engine_failed(driver_.with_complaint("the engine ended: " + std::string(why)), now);
}

void Bridge::drain_engine(std::int64_t now) {
  for (std::string& line : driver_.take_lines()) outputs_.push_back(ToEngine{std::move(line)});
  for (usi::Driver::Event& event : driver_.take_events()) {
    if (std::holds_alternative<usi::Driver::Ready>(event)) engine_ready(now);
    if (auto* said = std::get_if<usi::Driver::Said>(&event)) {
      const bool main_line = said->info.multipv.value_or(1) == 1;
      if (main_line && said->info.score && !said->info.pv.empty()) info_ = std::move(said->info);
    }
    if (auto* got = std::get_if<usi::Driver::Answer>(&event)) answer(got->best, now);
    if (auto* note = std::get_if<usi::Driver::Noted>(&event)) warn("engine: " + note->text);
    if (auto* failed = std::get_if<usi::Driver::Failed>(&event)) engine_failed(failed->why, now);
  }
  for (std::string& line : driver_.take_lines()) outputs_.push_back(ToEngine{std::move(line)});
}

void Bridge::engine_ready(std::int64_t now) {
  engine_ready_ = true;
  if (phase_ == Phase::greeting) log_in(now);
  agree_if_ready(now);
  think_if_wanted(now);
}

void Bridge::engine_failed(std::string why, std::int64_t now) {
  engine_ready_ = false;
  expected_ = {};
  hurry_at_ = fallback_at_ = kForever;
  hurried_at_.reset();
  warn(why);
  outputs_.push_back(RestartEngine{std::move(why)});
  if (phase_ == Phase::readying) {
    phase_ = Phase::agreed;  // until the server says REJECT
    return send("REJECT", now);
  }
  if (phase_ != Phase::playing) return;
  ++restarts_;
  if (!our_turn() || answered_ || held_) return;
  if (restarts_ > config_.restarts) {
    warn("the engine failed " + std::to_string(restarts_) + " times in this game");
    return play({.kind = usi::BestMove::Kind::resign}, now);
  }
  think_wanted_ = true;
  set_hurry(now);
}

void Bridge::answer(const usi::BestMove& best, std::int64_t now) {
  if (!in_game() || !our_turn() || answered_ || lost_track_) return;
  hurry_at_ = fallback_at_ = kForever;
  if (hurried_at_) woke_late(now - *std::exchange(hurried_at_, std::nullopt), now);
  thought_ = Thought{.waited_ms = asked_at_ - turn_begun_, .thought_ms = now - asked_at_, .charged_ms = -1};
  const std::int64_t at = turn_begun_ + pace_ms();
  if (now >= at) return play(best, now);
  held_ = HeldMove{.best = best, .at = at};
}

void Bridge::play(const usi::BestMove& best, std::int64_t now) {
  if (!in_game() || !our_turn() || answered_) return;
  if (best.kind == usi::BestMove::Kind::move) {
    offered_ = best.ponder;
    return play_move(best.move, now);
  }
  answered_ = true;
  hurry_at_ = fallback_at_ = kForever;
  const auto terms = shogi::DeclarationRequirement::of(summary_.declaration.value_or(shogi::DeclarationRule::POINTS_27),
                                                       summary_.start);
  if (best.kind == usi::BestMove::Kind::win && shogi::can_declare(position_, terms)) return send("%KACHI", now);
  if (best.kind == usi::BestMove::Kind::win)
    warn("the engine declares a win that it does not have: " + position_.sfen());
  send("%TORYO", now);
}

void Bridge::play_move(shogi::Move move, std::int64_t now) {
  answered_ = true;
  moved_at_ = now;
  hurry_at_ = fallback_at_ = kForever;
  if (const shogi::Illegal why = position_.why_illegal(move); why != shogi::Illegal::none) {
    warn("the engine plays an illegal move, " + shogi::to_usi(move) + " (" + std::string(shogi::to_string(why)) +
         "), in " + position_.sfen());
    return send("%TORYO", now);
  }
  const bool greets = !std::exchange(greeted_, true) && !config_.greeting.empty();
  const std::string said = greets ? ",'" + config_.greeting : config_.comments ? comment(move) : "";
  send(record::to_csa(position_, move) + said, now);
}

// The flag is about to fall and the engine is silent. What it thought last is better than nothing; and where it said
// nothing at all, any move is better than a game lost for certain.
void Bridge::play_fallback(std::int64_t now) {
  if (!in_game() || !our_turn() || answered_ || lost_track_) return;
  const bool thought = !info_.pv.empty() && position_.is_legal(info_.pv.front());
  const auto legal = shogi::legal_moves(position_);
  if (legal.empty()) return;  // mated: nothing to save
  warn(std::string("the engine is late: playing ") + (thought ? "its newest line" : "any legal move") + " instead");
  driver_.abandon(now);
  if (hurried_at_) woke_late(now - *std::exchange(hurried_at_, std::nullopt), now);
  offered_ = {};
  think_wanted_ = false;
  thought_ = Thought{.waited_ms = asked_at_ - turn_begun_, .thought_ms = now - asked_at_, .charged_ms = -1};
  play_move(thought ? info_.pv.front() : legal[0], now);
  drain_engine(now);
}

void Bridge::start_ponder(std::int64_t now) {
  expected_ = {};
  if (!config_.ponder || !may_ponder_ || !engine_ready_ || !offered_ || clocks_.unlimited(summary_.us)) return;
  if (!position_.is_legal(offered_)) return;
  expected_ = std::exchange(offered_, {});
  info_ = {};
  std::vector<shogi::Move> line = moves_;
  line.push_back(expected_);
  usi::GoLimits times = limits(now);
  driver_.ponder(usi::position_text(summary_.start, line), std::move(times));
}

std::string Bridge::position_line() const { return usi::position_text(summary_.start, moves_); }

// ",'* 30 -3334FU +2726FU": the score as Black sees it, then the moves that follow the one played.
std::string Bridge::comment(shogi::Move played) const {
  if (!info_.score || info_.pv.empty() || info_.pv.front() != played) return {};
  std::string out = ",'* " + std::to_string(comment_score(*info_.score, summary_.us));
  shogi::Position position = position_;
  for (std::size_t i = 0; i < std::min(info_.pv.size(), kCommentPlies); ++i) {
    if (!position.is_legal(info_.pv[i])) break;
    if (i > 0) out += " " + record::to_csa(position, info_.pv[i]);
    position.do_move(info_.pv[i]);
  }
  return out;
}

// ---- a game ends ----

void Bridge::server_end(std::string_view line, std::int64_t now) {
  const std::string_view result = result_of(line);
  if (result.empty()) {
    end_reason_ = std::string(line);
    return;
  }
  ++games_played_;
  end_game(std::string(result), now);
}

void Bridge::end_game(std::string result, std::int64_t now) {
  hurry_at_ = fallback_at_ = seat_until_ = kForever;
  held_.reset();
  think_wanted_ = false;
  waits_in_lobby_ = false;
  if (config_.needs_seat) open_ = false;  // others may have waited longer
  if (config_.rest_ms > 0) rests_until_ = now + config_.rest_ms;
  driver_.game_over(usi_result(result), now);
  drain_engine(now);
  outputs_.push_back(Ended{.game_id = summary_.game_id, .result = std::move(result), .reason = end_reason_});
  phase_ = Phase::waiting;
  if (finishing_ || (config_.games > 0 && games_played_ >= config_.games)) return leave(now);
  if (config_.mode == Mode::x1) {
    enter_lobby(now);
  } else {
    phase_ = Phase::leaving;
    outputs_.push_back(Hangup{"the game is over"});  // the server forgets a CSA-mode player after its game
  }
}

}  // namespace fuhyo::host
