#include "engines/mix/engine.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

#include "engines/members/own_checks.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/declaring.h"
#include "engines/usi/time_manager.h"

namespace fuhyo::mix {
namespace {

// Members say more than anybody can read: in an analysis, too, it is told so often at most.
constexpr std::int64_t kLeastIntervalMs = 50;

std::int64_t unix_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

std::string percent(const Value& value) {
  if (value.kind == Value::Kind::win) return "mate";
  if (value.kind == Value::Kind::loss) return "mated";
  return fmt::format("{:.0f}%", value.chance * 100);
}

// "nnue 2g2f (2g2f 53%, 7g7f 51%); mcts 7g7f (...): 7g7f by values"
std::string told(const VoteResult& vote_result) {
  std::string text;
  for (const VoteResult::Ballot& ballot : vote_result.ballots) {
    if (!ballot.before.move) continue;
    std::string values;
    for (const auto& [move, value] : ballot.after.values) {
      values += fmt::format("{}{} {}", values.empty() ? "" : ", ", shogi::to_usi(move), percent(value));
    }
    text +=
        fmt::format("{}{} {} ({})", text.empty() ? "" : "; ", ballot.name, shogi::to_usi(ballot.before.move), values);
  }
  return fmt::format("{}: {} by {}", text, shogi::to_usi(vote_result.choice.move), to_text(vote_result.choice.reason));
}

}  // namespace

Engine::Engine(std::string beside) : beside_(std::move(beside)) {
  usi::add_common_options(options_);
  add_settings(options_);
  usi::add_time_options(options_);
}

std::expected<void, std::string> Engine::get_ready() {
  able_ = played_ = false;
  notes_.clear();
  auto settings = settings_of(options_, beside_);
  if (!settings) return std::unexpected(settings.error());
  settings_ = *std::move(settings);
  common_ = usi::common_options(options_);
  const auto errors = pool_.get_ready(settings_.members);
  notes_ = pool_.take_notes();
  for (const std::string& error : errors) {
    if (!error.empty()) return std::unexpected(error);
  }
  if (const auto opened = log_.open(settings_.decision_log); !opened) notes_.push_back(opened.error());
  able_ = true;
  return {};
}

// The members forget, too; what a GUI sends right after "isready" is no second game.
void Engine::new_game() {
  if (!able_ || !played_) return;
  able_ = std::ranges::all_of(pool_.get_ready(settings_.members), &std::string::empty);
  played_ = false;
}

VoteOptions Engine::vote_options(const usi::Game& game, const usi::GoLimits& limits, bool pondering) const {
  const shogi::Position root = game.current();
  const usi::TimeOptions time = usi::time_options(options_);
  return {.game = game,
          .moves = members::playable_moves(root, limits.searchmoves),
          .limits = limits,
          .plan = usi::TimePlan::make(limits, root.side_to_move(), root.ply(), time),
          .pondering = pondering,
          .analysis = limits.infinite || common_.consideration,
          .share_percent = settings_.share_percent,
          .first_weight = first_weight(settings_.weight_percent, settings_.late_weight_percent, root.ply()),
          .lines = static_cast<std::size_t>(common_.multi_pv),
          .max_moves = time.max_moves};
}

VoteResult Engine::vote(VoteOptions options, const usi::SearchControl& control,
                        const std::function<void(const usi::Info&)>& report) {
  bool pondering = options.pondering, begun = false;
  Vote vote(std::move(options), pool_.members());
  const auto look = [&](std::int64_t now) {
    if (!std::exchange(begun, true)) vote.begin(now, pondering ? now : now - control.clock_ms());
    if (pondering && !control.pondering()) {
      pondering = false;
      vote.ponderhit(now - control.clock_ms());
    }
    if (control.stopped()) vote.stop(now);
    vote.look(now);
    return vote.result().has_value();
  };
  const auto lines = [&](std::int64_t now) { return vote.lines(now); };
  pool_.run({.look = look, .lines = lines}, std::max(common_.pv_interval_ms, kLeastIntervalMs), report);
  return *vote.result();
}

usi::SearchResult Engine::search(const usi::Game& game, const usi::GoLimits& limits, const usi::SearchControl& control,
                                 const std::function<void(const usi::Info&)>& report) {
  const shogi::Position root = game.current();
  const auto requirement = shogi::DeclarationRequirement::of(common_.declaration, root);
  const auto declared = usi::win_by_declaration(root, requirement, report);
  if (declared && !limits.infinite && !common_.consideration) return {.best = *declared};
  VoteOptions asked = vote_options(game, limits, control.pondering());
  if (asked.moves.empty()) return {.best = {.kind = usi::BestMove::Kind::resign}};
  played_ = true;
  const VoteResult vote_result = vote(std::move(asked), control, report);
  // Neither an analysis nor what was thought about a move that the opponent did not make.
  const bool played = !limits.infinite && !control.pondering() && !control.restarting();
  usi::SearchResult result = conclude(game, vote_result, played, report, control.elapsed_ms());
  if (declared) result.best = *declared;
  return result;
}

void Engine::log(const std::string& line, const std::function<void(const usi::Info&)>& report) {
  if (const auto written = log_.write(line); !written) report({.text = written.error()});
}

usi::SearchResult Engine::conclude(const usi::Game& game, const VoteResult& vote_result, bool played,
                                   const std::function<void(const usi::Info&)>& report, std::int64_t time_ms) {
  for (const std::string& note : vote_result.notes) report({.text = note});
  if (vote_result.differed) {
    report({.text = told(vote_result)});
    if (played) log(to_json(vote_result, game.current(), unix_ms()), report);
  }
  usi::SearchResult result{
      .best = {.kind = usi::BestMove::Kind::move, .move = vote_result.choice.move, .ponder = vote_result.ponder},
      .nodes = vote_result.nodes};
  if (!vote_result.choice.value) return result;
  result.score = score_of(*vote_result.choice.value);
  report({.depth = vote_result.depth,
          .time_ms = time_ms,
          .nodes = vote_result.nodes,
          .score = result.score,
          .pv = vote_result.pv});
  return result;
}

usi::Checkmate Engine::solve_mate(const usi::Game& game, const usi::GoLimits& limits, const usi::SearchControl& control,
                                  const std::function<void(const usi::Info&)>& report) {
  if (!able_) {
    if (const auto ready = get_ready(); !ready) {
      report({.text = "Error! " + ready.error()});
      return {.kind = usi::Checkmate::Kind::timeout};
    }
  }
  played_ = true;
  return pool_.search_mate(game, limits.mate_ms.value_or(usi::kForever), control, kLeastIntervalMs, report);
}

std::vector<std::string> Engine::eval_lines(const shogi::Position&) {
  return {"eval: USI asks no engine for its evaluation; \"go nodes 1\" comes near it"};
}

}  // namespace fuhyo::mix
