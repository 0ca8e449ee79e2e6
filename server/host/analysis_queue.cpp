#include "server/host/analysis_queue.h"

#include <algorithm>
#include <span>

#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/game.h"

namespace fuhyo::host {
namespace {

using core::AnalysedLine;
using core::AnalysedPosition;
using core::AnalysisState;

// Beyond it, evaluations say nothing more than that a game is won.
constexpr int kMostCp = 100'000;

core::Valuation valuation(const usi::Score& score, shogi::Color side) {
  if (score.kind == usi::Score::Kind::cp) {
    const int cp = std::clamp(score.value, -kMostCp, kMostCp);
    return core::valuation_of_cp(side == shogi::BLACK ? cp : -cp);
  }
  const shogi::Color winner = score.kind == usi::Score::Kind::win ? side : ~side;
  return core::decided(winner, score.value > 0 ? std::optional(score.value) : std::nullopt);
}

// The beginning of a line that can be played.
std::vector<std::string> legal_part(shogi::Position position, std::span<const shogi::Move> line, std::size_t most) {
  std::vector<std::string> moves;
  for (const shogi::Move move : line.first(std::min(most, line.size()))) {
    if (!position.is_legal(move)) break;
    position.do_move(move);
    moves.push_back(shogi::to_usi(move));
  }
  return moves;
}

// Who is to move has no move; nothing else can be said of it.
AnalysedPosition mated(shogi::Color side) { return {.lines = {{.value = core::decided(~side, 0), .moves = {}}}}; }

std::size_t bytes_of(const core::AnalysedGame& positions) {
  std::size_t bytes = 256;
  for (const auto& position : positions) {
    bytes += sizeof position;
    if (!position) continue;
    for (const AnalysedLine& line : position->lines) bytes += sizeof line + line.moves.size() * sizeof(std::string);
  }
  return bytes;
}

}  // namespace

// ---- what is asked ----

AnalysisQueue::Job* AnalysisQueue::find(const Key& key) {
  Jobs& jobs = jobs_of(key);
  const auto found = std::ranges::find(jobs, key, &Job::key);
  return found == jobs.end() ? nullptr : &*found;
}

const AnalysisQueue::Kept* AnalysisQueue::kept(const Key& key, std::int64_t now) {
  const Kept* found = kept_.find(key);
  if (found == nullptr || !found->failed_at || now - *found->failed_at < limits_.failed_for_ms) return found;
  kept_.erase(key);
  return nullptr;
}

std::optional<AnalysisState> AnalysisQueue::admit(const Key& key, const core::PlayedGame& game,
                                                  const std::string& caller, std::int64_t now) {
  if (Job* job = find(key)) {
    job->asked_at = now;
    return std::nullopt;
  }
  if (away_) return AnalysisState::away;
  Jobs& jobs = jobs_of(key);
  forget_abandoned(jobs, now);
  const bool whole = key.ply == kWhole;
  const auto own = static_cast<std::size_t>(std::ranges::count(jobs, caller, &Job::caller));
  if (own >= (whole ? limits_.games_of_caller : limits_.positions_of_caller)) return AnalysisState::too_many;
  if (jobs.size() >= (whole ? limits_.games : limits_.positions)) return AnalysisState::full;
  jobs.push_back({.key = key,
                  .game = game,
                  .caller = caller,
                  .asked_at = now,
                  .positions = core::AnalysedGame(whole ? game.moves.size() + 1 : 1)});
  return std::nullopt;
}

AnalysisState AnalysisQueue::state_of(const Job& job) const {
  const bool begun = job.done > 0 || (running_ && running_->key == job.key);
  return begun ? AnalysisState::running : AnalysisState::queued;
}

core::PositionReport AnalysisQueue::position(const core::PlayedGame& game, std::size_t ply, int lines,
                                             const std::string& caller, std::int64_t now) {
  const Key key{core::value(game.id), static_cast<std::int64_t>(ply), lines};
  core::PositionReport report{.engine = engine_};
  if (const Kept* done = kept(key, now)) {
    report.state = done->failed_at ? AnalysisState::failed : AnalysisState::done;
    if (!done->failed_at) report.position = *done->positions.front();
    return report;
  }
  if (const auto refused = admit(key, game, caller, now)) {
    report.state = *refused;
    return report;
  }
  report.state = state_of(*find(key));
  if (running_ && running_->key == key) report.position = running_->answer;
  return report;
}

core::GameReport AnalysisQueue::game(const core::PlayedGame& game, const std::string& caller, std::int64_t now) {
  const Key key{core::value(game.id)};
  core::GameReport report{.engine = engine_};
  if (const Kept* done = kept(key, now)) {
    report.state = done->failed_at ? AnalysisState::failed : AnalysisState::done;
    report.done = done->positions.size();
    report.positions = done->positions;
    return report;
  }
  if (const auto refused = admit(key, game, caller, now)) {
    report.state = *refused;
    return report;
  }
  const Job& job = *find(key);
  report.state = state_of(job);
  report.done = job.done;
  report.positions = job.positions;
  return report;
}

void AnalysisQueue::forget_abandoned(Jobs& jobs, std::int64_t now) {
  std::erase_if(jobs, [&](const Job& job) {
    const bool whole = job.key.ply == kWhole;
    return now - job.asked_at > (whole ? limits_.game_patience_ms : limits_.patience_ms) &&
           !(running_ && running_->key == job.key);
  });
}

// ---- what the engine does ----

std::size_t AnalysisQueue::ply_of(const Job& job) {
  return job.key.ply == kWhole ? job.game.moves.size() - job.done : static_cast<std::size_t>(job.key.ply);
}

bool AnalysisQueue::take(Job& job, std::optional<AnalysedPosition> answer, std::int64_t now) {
  job.positions[job.key.ply == kWhole ? ply_of(job) : 0] = std::move(answer);
  job.attempts = 0;
  if (++job.done < job.positions.size()) return true;
  Kept kept{.positions = std::move(job.positions), .failed_at = std::nullopt};
  if (std::ranges::none_of(kept.positions, [](const auto& position) { return position.has_value(); })) {
    kept.failed_at = now;
  }
  const Key key = job.key;
  const std::size_t bytes = bytes_of(kept.positions);
  kept_.put(key, std::move(kept), bytes);
  std::erase_if(jobs_of(key), [&](const Job& each) { return each.key == key; });
  return false;
}

AnalysisQueue::Job* AnalysisQueue::choose() {
  if (positions_.empty() && games_.empty()) return nullptr;
  const bool whole = positions_.empty() || (!games_.empty() && !game_was_last_);
  game_was_last_ = whole;
  return whole ? &games_.front() : &positions_.front();
}

std::optional<AnalysisQueue::Task> AnalysisQueue::next(std::int64_t now) {
  if (away_ || running_) return std::nullopt;
  forget_abandoned(positions_, now);
  forget_abandoned(games_, now);
  while (Job* job = choose()) {
    if (auto task = begin(*job, now)) return task;
  }
  return std::nullopt;
}

std::optional<AnalysisQueue::Task> AnalysisQueue::begin(Job& job, std::int64_t now) {
  const auto moves = std::span(job.game.moves).first(ply_of(job));
  shogi::Position position = job.game.start;
  for (const shogi::Move move : moves) position.do_move(move);
  if (shogi::legal_moves(position).empty()) {
    take(job, mated(position.side_to_move()), now);
    return std::nullopt;
  }
  running_ = Running{.key = job.key, .position = position, .answer = {}, .exact = {}};
  const std::pair about{job.key.game, job.key.lines};
  Task task{.another = former_ != about,
            .lines = job.key.lines,
            .max_moves = job.game.max_moves,
            .declaration = job.game.declaration,
            .position = usi::position_text(job.game.start, moves),
            .limits = {.nodes = job.key.ply == kWhole ? game_nodes_ : nodes_}};
  former_ = about;
  return task;
}

void AnalysisQueue::said(const usi::Info& info) {
  if (!running_ || !info.score || info.pv.empty()) return;
  const int line = info.multipv.value_or(1);
  AnalysedPosition& answer = running_->answer;
  if (line < 1 || line > running_->key.lines || static_cast<std::size_t>(line) > answer.lines.size() + 1) return;
  const auto at = static_cast<std::size_t>(line - 1);
  const bool exact = info.score->bound == usi::Score::Bound::exact;
  if (at < answer.lines.size() && running_->exact[at] && !exact) return;
  auto moves = legal_part(running_->position, info.pv, limits_.moves);
  if (moves.empty()) return;
  if (at == answer.lines.size()) {
    answer.lines.emplace_back();
    running_->exact.push_back(false);
  }
  running_->exact[at] = exact;
  answer.lines[at] = {valuation(*info.score, running_->position.side_to_move()), std::move(moves)};
  if (at == 0) answer.depth = std::clamp(info.depth.value_or(0), 0, 1'000);
  if (info.nodes) answer.nodes = std::max<std::int64_t>(*info.nodes, 0);
}

bool AnalysisQueue::answered(const usi::BestMove& best, std::int64_t now) {
  if (!running_) return true;
  using Kind = usi::BestMove::Kind;
  AnalysedPosition& answer = running_->answer;
  const shogi::Color side = running_->position.side_to_move();
  if (best.kind == Kind::move && (answer.lines.empty() || !running_->position.is_legal(best.move))) return false;
  if (best.kind == Kind::win) answer.lines = {{.value = core::decided(side, std::nullopt), .moves = {}}};
  if (answer.lines.empty()) answer.lines = {{.value = core::decided(~side, std::nullopt), .moves = {}}};
  const Running done = *std::exchange(running_, std::nullopt);
  if (Job* job = find(done.key)) take(*job, done.answer, now);
  return true;
}

void AnalysisQueue::failed(std::int64_t now) {
  if (!running_) return;
  Job* job = find(std::exchange(running_, std::nullopt)->key);
  if (job != nullptr && ++job->attempts >= limits_.attempts) take(*job, std::nullopt, now);
}

void AnalysisQueue::set_away(bool away) {
  away_ = away;
  if (!away) return;
  running_.reset();
  positions_.clear();
  games_.clear();
}

}  // namespace fuhyo::host
