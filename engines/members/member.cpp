#include "engines/members/member.h"

#include <algorithm>

#include "engines/shogi/usi_move.h"
#include "engines/usi/table_lines.h"
#include "engines/usi/text.h"

namespace fuhyo::members {
namespace {

// "stop" is answered within so much, or the engine hangs and is ended. A move never waits for it.
constexpr std::int64_t kStopMs = 10'000;
// An engine that says that it cannot get ready rarely ends by itself, but may have more to say.
constexpr std::int64_t kLastWordsMs = 2'000;
constexpr std::size_t kMostNotes = 50;     // kept until they are taken
constexpr std::size_t kLongestNote = 500;  // bytes
constexpr std::size_t kMostLines = 600;    // of MultiPV
constexpr std::size_t kMostTables = 256;   // kept until they are taken
constexpr std::string_view kMultiPv = "MultiPV";
constexpr int kUnknown = -1;

}  // namespace

// ---- what happens to it ----

void Member::start(std::int64_t now) {
  driver_ = usi::Driver(usi::Driver::Config{.any_positions = true, .stop_ms = kStopMs});
  driver_.start(now);
  state_ = State::starting;
  greeted_ = false;
  why_off_.clear();
  error_.clear();
  error_deadline_ = usi::kForever;
  honours_searchmoves_ = true;
  table_keys_.reset();
  tables_in_.clear();
  tables_out_.clear();
  asked_ = false;
}

void Member::line(std::string_view text, std::int64_t now) {
  heard_ms_ = now;
  std::string_view rest = text;
  const std::string_view word = usi::next_word(rest);
  if (word == "tt") return hear_table(text, rest);
  if (word == "info" && usi::peek_word(rest) == "string") {
    usi::next_word(rest);
    note(usi::trim(rest));
    if (state_ == State::starting && usi::trim(rest).starts_with("Error")) {
      error_ = std::string(usi::trim(rest)).substr(0, kLongestNote);
      error_deadline_ = now + kLastWordsMs;
    }
  } else if (word == "info" && asked_ && rest.find(" score ") != std::string_view::npos) {
    said_ = name() + ":" + std::string(rest);
  }
  driver_.line(text, now);
  for (const usi::Driver::Event& event : driver_.take_events()) handle(event, now);
}

void Member::tick(std::int64_t now) {
  if (state_ == State::starting && now >= error_deadline_) return fail(error_);
  driver_.tick(now);
  for (const usi::Driver::Event& event : driver_.take_events()) handle(event, now);
}

std::int64_t Member::deadline() const { return std::min(driver_.deadline(), error_deadline_); }

void Member::closed(std::string_view why) {
  driver_.closed();
  fail(error_.empty() ? "has ended: " + std::string(why) : error_);
}

void Member::fail(std::string why) {
  if (state_ == State::off) return;
  state_ = State::off;
  asked_ = false;
  error_deadline_ = usi::kForever;
  why_off_ = std::move(why);
  note(why_off_);
}

void Member::handle(const usi::Driver::Event& event, std::int64_t now) {
  if (std::holds_alternative<usi::Driver::Ready>(event) && state_ == State::starting) {
    if (std::exchange(greeted_, true)) {
      state_ = State::ready;
      error_deadline_ = usi::kForever;
    } else {
      send_options();
      driver_.new_game(setup_.max_moves, now);
    }
  }
  if (const auto* failed = std::get_if<usi::Driver::Failed>(&event)) fail(error_.empty() ? failed->why : error_);
  if (const auto* noted = std::get_if<usi::Driver::Noted>(&event)) note(noted->text);
  if (!asked_ || answered()) return;
  if (const auto* said = std::get_if<usi::Driver::Said>(&event)) hear(said->info);
  if (const auto* solved = std::get_if<usi::Driver::Solved>(&event)) mate_ = solved->answer;
  if (const auto* answer = std::get_if<usi::Driver::Answer>(&event)) {
    best_ = answer->best;
    const bool other = best_->kind == usi::BestMove::Kind::move && best_->move != examining_;
    if (examining_ && !from_behind_ && other) {
      answered_other_move_ = true;
      honours_searchmoves_ = false;
      examined_.reset();
      note("does not honour searchmoves: from now on it is asked of positions after moves");
    }
  }
}

// ---- what it is asked ----

void Member::send_options() {
  lines_set_ = 0;
  for (const auto& [option, value] : setup_.if_declared) {
    if (driver_.declared().has(option)) driver_.set_option(option, value);
  }
  for (const auto& [option, value] : setup_.options) driver_.set_option(option, value);
}

void Member::prepare(Setup setup, std::int64_t now) {
  setup_ = std::move(setup);
  if (state_ != State::ready) return;
  state_ = State::starting;
  asked_ = false;
  send_options();
  driver_.new_game(setup_.max_moves, now);
}

void Member::begin_question(std::int64_t now) {
  asked_ = true;
  waits_ = false;
  answered_other_move_ = from_behind_ = false;
  examining_ = {};
  best_.reset();
  mate_.reset();
  examined_.reset();
  said_.clear();
  heard_ms_ = now;
}

void Member::ask(std::string position, const usi::GoLimits& limits, std::int64_t now, const Terms& terms) {
  begin_question(now);
  lines_.clear();
  nodes_ = nodes_before_ = 0;
  search_ = terms.search;
  std::vector<std::string> first;
  if (terms.lines != 0 && terms.lines != lines_set_ && driver_.declared().has(kMultiPv)) {
    first.push_back("setoption name MultiPV value " + std::to_string(terms.lines));
    lines_set_ = terms.lines;
  }
  if (terms.search != 0 && table_keys_) {
    first.push_back(usi::to_text(usi::TableSearch{.number = terms.search, .slice = terms.slice}));
  }
  driver_.think(std::move(position), limits, now, std::move(first));
  if (!driver_.thinking()) lines_set_ = kUnknown;  // it waits, and another question may take its place
}

void Member::examine(const usi::Game& game, shogi::Move move, const usi::GoLimits& limits, std::int64_t now) {
  begin_question(now);
  examining_ = move;
  nodes_before_ = nodes_;
  from_behind_ = !honours_searchmoves_;
  usi::GoLimits given = limits;
  given.searchmoves.clear();
  std::vector<shogi::Move> moves = game.moves;
  if (from_behind_) {
    moves.push_back(move);
  } else {
    given.searchmoves = {move};
  }
  driver_.think(usi::position_text(game.start, moves), given, now);
}

void Member::abandon(std::int64_t now) {
  asked_ = false;
  driver_.abandon(now);
}

void Member::next_slice() {
  waits_ = false;
  send_table(std::make_shared<const std::string>(usi::to_text(usi::TableNext{search_})));
}

// ---- what it says ----

void Member::hear_table(std::string_view line, std::string_view rest) {
  if (line.size() > usi::kLongestTableLine) return;
  if (const auto number = usi::batch_number(rest)) {
    if (tables_in_.size() == kMostTables) return;
    tables_in_.push_back({.search = *number, .line = std::make_shared<const std::string>(line)});
    return;
  }
  const auto said = usi::parse_table_line(rest);
  if (!said) return;
  if (const auto* keys = std::get_if<usi::TableKeys>(&*said)) table_keys_ = keys->digest;
  if (const auto* waits = std::get_if<usi::TableWaits>(&*said)) waits_ = waits->search == search_;
}

void Member::hear(const usi::Info& info) {
  if (info.nodes) nodes_ = std::max(nodes_, nodes_before_ + *info.nodes);
  if (examining_) return hear_examined(info);
  const bool says_nothing = info.pv.empty() || !value_of(info, setup_.scale);
  const auto number = static_cast<std::size_t>(std::max(info.multipv.value_or(1), 1));
  if (says_nothing || number > kMostLines) return;
  if (lines_.size() < number) lines_.resize(number);
  lines_[number - 1] = info;
}

void Member::hear_examined(const usi::Info& info) {
  const auto value = value_of(info, setup_.scale);
  if (!value || info.multipv.value_or(1) != 1) return;
  const bool of_another_move = !from_behind_ && !info.pv.empty() && info.pv.front() != examining_;
  if (!of_another_move) examined_ = from_behind_ ? before_move(*value) : *value;
}

std::vector<std::pair<shogi::Move, Value>> Member::values() const {
  std::vector<std::pair<shogi::Move, Value>> values;
  for (const usi::Info& info : lines_) {
    if (info.pv.empty()) continue;
    const auto known = [&](const auto& each) { return each.first == info.pv.front(); };
    const auto value = value_of(info, setup_.scale);
    if (value && std::ranges::none_of(values, known)) values.emplace_back(info.pv.front(), *value);
  }
  return values;
}

// ---- what is known of it ----

std::string Member::name() const {
  if (!setup_.name.empty()) return setup_.name;
  return driver_.engine_name().empty() ? "engine" : driver_.engine_name();
}

void Member::note(std::string_view text) {
  if (notes_.size() < kMostNotes) notes_.push_back(name() + ": " + std::string(text.substr(0, kLongestNote)));
}

}  // namespace fuhyo::members
