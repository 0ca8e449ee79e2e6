#include "engines/usi/driver.h"

#include <algorithm>

#include "engines/usi/text.h"

namespace fuhyo::usi {
namespace {

constexpr std::string_view kEnteringKingRule = "EnteringKingRule", kMaxMovesToDraw = "MaxMovesToDraw";
constexpr std::size_t kLongestComplaint = 300;

}  // namespace

void Driver::enter(State state, std::int64_t deadline) {
  state_ = state;
  deadline_ = deadline;
}

void Driver::fail(std::string why, bool wrong_answer) {
  enter(State::off, kForever);
  pending_ = {};
  early_.reset();
  lines_.clear();
  events_.push_back(Failed{with_complaint(std::move(why)), wrong_answer});
}

std::string Driver::with_complaint(std::string why) const {
  return complaint_.empty() ? why : std::move(why) + "; it said: " + complaint_;
}

// An engine that has said that it cannot get ready rarely says more.
std::int64_t Driver::patience_ms() const {
  return last_words_ ? std::min(config_.readyok_ms, config_.last_words_ms) : config_.readyok_ms;
}

// ---- what happens ----

void Driver::start(std::int64_t now) {
  pending_ = {};
  early_.reset();
  lines_.clear();
  declared_ = {};
  entering_king_rule_.reset();
  complaint_.clear();
  send("usi");
  enter(State::greeting, now + config_.usiok_ms);
}

void Driver::line(std::string_view text, std::int64_t now) {
  if (state_ == State::off) return;
  std::string_view rest = text;
  const std::string_view word = next_word(rest);
  if (word == "usiok" && state_ == State::greeting) {
    greeted(now);
  } else if (word == "readyok" && state_ == State::readying) {
    if (!complaint_.empty()) events_.push_back(Noted{with_complaint("it is ready")});
    complaint_.clear();
    enter(State::idle, kForever);
    send("usinewgame");
    events_.push_back(Ready{});
    proceed(now);
  } else if (word == "bestmove") {
    answered(rest, now);
  } else if (word == "checkmate") {
    solved(rest, now);
  } else if (word == "info" && (state_ == State::thinking || state_ == State::pondering)) {
    Said said{parse_info(rest)};
    spoke_ = spoke_ || said.info.score.has_value();
    events_.push_back(std::move(said));
  } else if (word == "info" && !answer_owed()) {
    complain(rest);
  } else if (word == "id" && next_word(rest) == "name") {
    name_ = std::string(trim(rest));
  } else if (word == "option") {
    declared_.declare(rest);
  }
  if (state_ == State::readying) deadline_ = now + patience_ms();  // any sign of life counts
}

void Driver::complain(std::string_view info) {
  if (next_word(info) != "string") return;
  const std::string_view text = trim(info);
  if (!text.starts_with("Error") && !text.starts_with("error")) return;
  complaint_ = text.substr(0, kLongestComplaint);
  last_words_ = state_ == State::readying;
}

void Driver::greeted(std::int64_t now) {
  if (const auto* rule = declared_.find(kEnteringKingRule)) entering_king_rule_ = rule->value;
  for (const std::string& why : declared_.refusals(config_.options)) {
    events_.push_back(Noted{why.substr(0, kLongestComplaint)});  // it may hold choices without end
  }
  send_option("USI_Ponder", config_.ponder ? "true" : "false");
  for (const auto& [name, value] : config_.if_declared) {
    if (declared_.has(name)) send_option(name, value);
  }
  for (const auto& [name, value] : config_.options) send_option(name, value);
  enter(State::idle, kForever);
  if (!pending_.new_game) events_.push_back(Ready{});
  proceed(now);
}

void Driver::send_option(std::string_view name, std::string_view value) {
  if (name == kEnteringKingRule && entering_king_rule_) entering_king_rule_ = std::string(value);
  std::string line = "setoption name ";
  send(line.append(name).append(" value ").append(value));
}

void Driver::answered(std::string_view rest, std::int64_t now) {
  if (!answer_owed()) {
    events_.push_back(Noted{"stale answer ignored: bestmove" + std::string(rest)});
    return;
  }
  const State before = state_;
  const std::int64_t deadline_before = deadline_;
  enter(State::idle, kForever);
  if (before == State::dropping) return dropped(now);
  const auto best = parse_bestmove(rest);
  if (!best) return fail(best.error(), true);
  // In a game a side cannot make the same move twice running: its piece has left the square, or stands on the one
  // dropped on. So this is the former answer, said again, unless a score shows that it has thought about the new one.
  if (!config_.any_positions && !spoke_ && best->move && best->move == last_answer_ && asked_ != answered_for_) {
    enter(before, deadline_before);
    repeated_ = usi::to_text(*best);
    events_.push_back(Noted{"stale answer ignored: bestmove" + std::string(rest)});
    return;
  }
  last_answer_ = best->move;
  answered_for_ = asked_;
  if (before == State::pondering) {
    early_ = *best;
  } else {
    events_.push_back(Answer{*best});
  }
}

void Driver::solved(std::string_view rest, std::int64_t now) {
  const bool owed = mate_asked_ && (state_ == State::thinking || state_ == State::dropping);
  if (!owed) {
    events_.push_back(Noted{"stale answer ignored: checkmate" + std::string(rest)});
    return;
  }
  if (state_ == State::dropping) return dropped(now);
  enter(State::idle, kForever);
  auto answer = parse_checkmate(rest);
  if (!answer) return fail(answer.error());
  events_.push_back(Solved{*std::move(answer)});
}

void Driver::dropped(std::int64_t now) {
  enter(State::idle, kForever);
  proceed(now);
  if (state_ == State::idle) events_.push_back(Ready{});
}

void Driver::tick(std::int64_t now) {
  if (now < deadline_) return;
  switch (state_) {
    case State::greeting:
      return fail("no usiok within " + std::to_string(config_.usiok_ms) + " ms");
    case State::readying:
      return fail("no readyok within " + std::to_string(patience_ms()) + " ms");
    case State::thinking:
      if (!repeated_.empty()) return fail("nothing but the former answer again: " + repeated_, true);
      [[fallthrough]];
    case State::dropping:
      return fail("no bestmove within " + std::to_string(config_.stop_ms) + " ms after stop");
    default:
      deadline_ = kForever;
  }
}

void Driver::closed() {
  enter(State::off, kForever);
  pending_ = {};
  early_.reset();
  lines_.clear();
}

// ---- what is wanted ----

void Driver::set_option(std::string name, std::string value) {
  pending_.options.emplace_back(std::move(name), std::move(value));
}

void Driver::new_game(std::int64_t max_moves, std::int64_t now, std::optional<shogi::DeclarationRule> declaration) {
  abandon(now);
  pending_.new_game = true;
  pending_.max_moves = max_moves;
  pending_.declaration = declaration;
  proceed(now);
}

void Driver::think(std::string position, GoLimits limits, std::int64_t now, std::vector<std::string> first) {
  if (answer_owed()) abandon(now);
  early_.reset();
  limits.ponder = false;
  pending_.position = std::move(position);
  pending_.first = std::move(first);
  pending_.limits = std::move(limits);
  proceed(now);
}

void Driver::ponder(std::string position, GoLimits limits) {
  if (state_ != State::idle) return;  // pondering is a luxury: never queued
  early_.reset();
  limits.ponder = true;
  search(std::move(position), limits);
}

void Driver::ponderhit() {
  if (early_) {
    events_.push_back(Answer{*std::exchange(early_, std::nullopt)});
  } else if (state_ == State::pondering) {
    send("ponderhit");
    enter(State::thinking, kForever);
  }
}

void Driver::hurry(std::int64_t now) {
  if (state_ != State::thinking || hurried_) return;
  hurried_ = true;
  send("stop");
  deadline_ = now + config_.stop_ms;
}

void Driver::abandon(std::int64_t now) {
  pending_.position.clear();
  early_.reset();
  if (state_ != State::thinking && state_ != State::pondering) return;
  if (!hurried_) send("stop");
  enter(State::dropping, now + config_.stop_ms);
}

void Driver::game_over(std::string_view result, std::int64_t now) {
  if (!running()) return;
  abandon(now);
  pending_.game_over = std::string(result);
  proceed(now);
}

void Driver::quit() {
  if (!running()) return;
  send("quit");
  enter(State::off, kForever);
}

void Driver::proceed(std::int64_t now) {
  if (state_ != State::idle) return;
  if (!pending_.game_over.empty()) send("gameover " + std::exchange(pending_.game_over, {}));
  if (std::exchange(pending_.new_game, false)) {
    last_answer_ = {};
    for (const auto& [name, value] : std::exchange(pending_.options, {})) send_option(name, value);
    if (declared_.find(kMaxMovesToDraw) != nullptr) send_option(kMaxMovesToDraw, std::to_string(pending_.max_moves));
    const std::string_view rule = pending_.declaration ? shogi::entering_king_rule(*pending_.declaration) : "";
    if (!rule.empty() && entering_king_rule_.value_or(std::string(rule)) != rule) send_option(kEnteringKingRule, rule);
    send("isready");
    last_words_ = false;
    return enter(State::readying, now + patience_ms());
  }
  if (pending_.position.empty()) return;
  for (std::string& line : std::exchange(pending_.first, {})) send(std::move(line));
  search(std::exchange(pending_.position, {}), std::exchange(pending_.limits, {}));
}

void Driver::search(std::string position, const GoLimits& limits) {
  asked_ = position;
  send(std::move(position));
  send(to_text(limits));
  hurried_ = spoke_ = false;
  repeated_.clear();
  mate_asked_ = limits.mate_ms.has_value();
  enter(limits.ponder ? State::pondering : State::thinking, kForever);
}

}  // namespace fuhyo::usi
