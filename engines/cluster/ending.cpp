// What comes back from nodes, and how it ends a move: mates, answers, and what is left where there are none.
#include <algorithm>
#include <fmt/format.h>

#include "engines/cluster/cluster.h"
#include "engines/members/own_checks.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"
#include "engines/usi/table_lines.h"

namespace fuhyo::cluster {
namespace {

// Where no clock runs, a node that says nothing for so long is left out once another one has answered.
constexpr std::int64_t kSilenceMs = 60'000;
// Of a mate that a node has found: positions after other defences, and how many of them are tried here at a time.
constexpr std::size_t kMostDefences = 2'000;
constexpr int kOwnMates = 16;

// The positions of the line as entries: won for the side that mates, lost for the other one.
std::vector<usi::TableEntry> entries_of(shogi::Position position, const std::vector<shogi::Move>& line) {
  std::vector<usi::TableEntry> entries;
  for (std::size_t i = 0; i < line.size() && entries.size() < usi::kMostTableEntries; ++i) {
    const bool attacks = i % 2 == 0;
    const int value = usi::kTableMate - static_cast<int>(line.size() - i);
    entries.push_back({.key = position.key(),
                       .move = line[i],
                       .depth = usi::kDeepestTableEntry,
                       .bound = attacks ? usi::Score::Bound::lower : usi::Score::Bound::upper,
                       .value = attacks ? value : -value});
    position.do_move(line[i]);
  }
  return entries;
}

// The positions after all defences that the line, which ends with a mate, does not have; each once.
void add_defences(usi::Game game, const std::vector<shogi::Move>& line, std::set<shogi::Key>& seen,
                  std::vector<usi::Game>& open) {
  shogi::Position position = game.current();
  for (std::size_t i = 0; i < line.size() && seen.size() <= kMostDefences; ++i) {
    for (const shogi::Move other : shogi::legal_moves(position)) {
      if (i % 2 == 0 || other == line[i] || !seen.insert(position.key_after(other)).second) continue;
      open.push_back(game);
      open.back().moves.push_back(other);
    }
    position.do_move(line[i]);
    game.moves.push_back(line[i]);
  }
}

}  // namespace

// ---- mates ----

void Cluster::look_for_mates(std::int64_t now) {
  for (Post& post : posts_) {
    if (outcome_) return;
    if (post.task == Task::mate && post.member->answered()) {
      hear_mate(post, now);
    } else if (!pondering_ && !request_.analysis && is_voter(post) && !post.member->lines().empty()) {
      const usi::Info& line = post.member->lines().front();
      const bool whole = line.score && line.score->kind == usi::Score::Kind::win &&
                         line.score->value == static_cast<int>(line.pv.size());
      if (whole && wins(line.pv)) finish_by({.move = line.pv.front(), .line = line}, Reason::mate, now);
    }
  }
}

void Cluster::hear_mate(Post& post, std::int64_t now) {
  const auto& answer = post.member->mate();
  if (!answer || answer->kind == usi::Checkmate::Kind::not_implemented)
    return refuse_mate(post, "does not know \"go mate\"");
  const bool first = post.claim.line.empty(), mates = answer->kind == usi::Checkmate::Kind::mate;
  const usi::Game& asked = first ? post.target.game : post.claim.open.back();
  if (first && !mates) {
    post.task = Task::none;
  } else if (!mates || !members::ends_in_mate(asked.current(), answer->line)) {
    refuse_mate(post, "its mate is none, and is left out");
  } else {
    if (first) post.claim.line = answer->line;
    const usi::Game mated = asked;
    if (!first) post.claim.open.pop_back();
    add_defences(mated, answer->line, post.claim.seen, post.claim.open);
    ask_defences(post, now);
  }
}

// It is not asked again; another node may be.
void Cluster::refuse_mate(Post& post, std::string_view why) {
  notes_.push_back(fmt::format("{}: {}", post.member->name(), why));
  post.knows_mates = false;
  post.task = Task::none;
  mates_asked_.erase(post.target.position);
}

// The node itself, which knows most about it, unless a short mate is found here.
void Cluster::ask_defences(Post& post, std::int64_t now) {
  std::vector<usi::Game>& open = post.claim.open;
  for (int i = 0; i < kOwnMates && !open.empty() && members::short_mate(open.back(), request_.max_moves); ++i) {
    open.pop_back();
  }
  const bool endless = post.claim.seen.size() > kMostDefences;
  if (!open.empty() && !endless) return post.member->ask(open.back(), {.mate_ms = usi::kForever}, now);
  post.task = Task::none;
  if (open.empty()) return take_mate(post, now);
  notes_.push_back(fmt::format("{}: its mate has too many defences, and is left out", post.member->name()));
}

void Cluster::take_mate(const Post& post, std::int64_t now) {
  const auto of_post = [&](const Target& target) { return is_on(post, target); };
  const auto target = std::ranges::find_if(targets_, of_post);
  if (target == targets_.end()) return;
  const std::vector<shogi::Move>& line = post.claim.line;
  mates_[target->position] = line;
  if (exchanges()) {
    const auto entries = entries_of(target->game.current(), line);
    Exchange::send(exchange_nodes(), target->search, usi::to_text(target->search, entries));
  }
  notes_.push_back(fmt::format("{}: mate in {}", post.member->name(), line.size()));
  if (pondering_ || request_.analysis || target != targets_.begin() || !wins(line)) return;
  const usi::Score score{.kind = usi::Score::Kind::win, .value = static_cast<int>(line.size())};
  finish_by({.move = line.front(), .line = {.score = score, .pv = line}}, Reason::mate, now);
}

bool Cluster::wins(const std::vector<shogi::Move>& line) const {
  const shogi::Position position = request_.game.current();
  const auto plies = position.ply() + static_cast<std::int64_t>(line.size());
  if (request_.max_moves > 0 && plies > request_.max_moves) return false;
  return !line.empty() && playable(line.front()) && members::ends_in_mate(position, line) &&
         !usi::brings_back(request_.game, line.front());
}

// ---- the end of a move ----

std::int64_t Cluster::hurry_at() const {
  if (!schedule_.limited()) return usi::kForever;
  const std::int64_t last = schedule_.last_ms;
  return at(std::min(schedule_.end_ms, std::max(last - modes_.answer_ms, last * 3 / 4)));
}

// Whether it is not waited for any more.
bool Cluster::is_given_up(const Post& post, bool another_answered, std::int64_t now) const {
  if (!post.working() || now >= patience_ends_ || now >= at(schedule_.last_ms)) return true;
  if (!another_answered) return false;
  return now >= at(schedule_.late_ms) || (!schedule_.limited() && now - post.member->heard_ms() >= kSilenceMs);
}

void Cluster::look_for_end(std::int64_t now) {
  const bool due = stopped_ || now >= hurry_at();
  const auto voter_answered = [&](const Post& post) { return is_voter(post) && post.member->answered(); };
  const bool answered = std::ranges::any_of(posts_, voter_answered);
  bool waiting = lister_ != nullptr && !due, voters = false;
  for (const Post& post : posts_) {
    if (due && post.role != Role::mate && post.working()) post.member->hurry(now);
    voters = voters || is_voter(post);
    waiting = waiting || (is_voter(post) && !is_given_up(post, answered, now));
  }
  // One that was restarted a moment ago is waited for if there is nobody else.
  const auto starts = [](const Post& post) {
    return post.role != Role::mate && post.member->state() == members::Member::State::starting;
  };
  if (!voters && may_begin(now) && std::ranges::any_of(posts_, starts)) return;
  // An analysis goes on until it is stopped, or nobody is left who could go on.
  if (!waiting && (stopped_ || !answered || !request_.limits.infinite)) conclude(now);
}

// What it plays; nothing if that cannot be played.
std::optional<Opinion> Cluster::answer_of(const Post& post) {
  const usi::BestMove& best = *post.member->best();
  const auto drop = [&](std::string_view why) {
    notes_.push_back(post.member->name() + ": its answer is left out: " + std::string(why));
    return std::nullopt;
  };
  if (best.kind == usi::BestMove::Kind::win) return drop("a declaration that the rules set here do not allow");
  // It has given up, which is ours to decide; its line still says how it would defend.
  if (best.kind == usi::BestMove::Kind::resign) return line_of(post);
  if (!playable(best.move)) return drop(shogi::to_usi(best.move) + " may not be played");
  Opinion opinion{.move = best.move, .expected = best.ponder};
  for (const usi::Info& line : post.member->lines()) {
    if (line.pv.empty() || line.pv.front() != best.move) continue;
    opinion.line = line;
    if (!opinion.expected && line.pv.size() > 1) opinion.expected = line.pv[1];
    break;
  }
  return opinion;
}

// By its last line.
std::optional<Opinion> Cluster::line_of(const Post& post) const {
  if (post.member->lines().empty()) return std::nullopt;
  const usi::Info& line = post.member->lines().front();
  if (line.pv.empty() || !line.score) return std::nullopt;
  if (post.target.move) {
    const usi::Info seen = before_move(line, post.target.move);
    return Opinion{.move = post.target.move, .line = seen, .below = true, .expected = line.pv.front()};
  }
  if (!playable(line.pv.front())) return std::nullopt;
  return Opinion{.move = line.pv.front(), .line = line, .expected = line.pv.size() > 1 ? line.pv[1] : shogi::Move{}};
}

std::vector<shogi::Move> Cluster::refuted(const std::vector<Opinion>& opinions) const {
  std::vector<shogi::Move> moves;
  for (const Target& target : targets_) {
    if (target.move && mates_.contains(target.position)) moves.push_back(target.move);
  }
  std::set<shogi::Move> candidates;
  for (const Opinion& opinion : opinions) {
    const bool lost = opinion.line.score && opinion.line.score->kind == usi::Score::Kind::lose;
    if (opinion.below && lost) moves.push_back(opinion.move);
    candidates.insert(opinion.move);
  }
  if (candidates.size() < 2) return moves;
  const shogi::Position position = request_.game.current();
  for (const shogi::Move move : candidates) {
    if (members::allows_short_mate(position, move)) moves.push_back(move);
  }
  return moves;
}

void Cluster::conclude(std::int64_t now) {
  std::vector<Opinion> opinions;
  for (const Post& post : posts_) {
    std::optional<Opinion> opinion;
    if (is_voter(post) && post.member->best()) {
      opinion = answer_of(post);
    } else if (is_voter(post)) {
      notes_.push_back(post.member->name() + ": has not answered, and is left out of this move");
    } else if (post.task == Task::search && post.target.move) {
      opinion = line_of(post);
    }
    if (opinion) opinions.push_back(*std::move(opinion));
  }
  if (const auto chosen = choose(opinions, refuted(opinions))) {
    return finish_by(opinions[*chosen], Reason::vote, now);
  }
  if (!opinions.empty()) return finish_by(opinions.front(), Reason::vote, now);
  conclude_from_lines(now, false);
}

void Cluster::conclude_from_lines(std::int64_t now, bool keep) {
  for (const Post& post : posts_) {
    if (post.role == Role::mate || !is_on(post, root())) continue;
    if (const auto opinion = line_of(post)) return finish_by(*opinion, Reason::last_line, now, keep);
  }
  const shogi::Move move = members::safe_move(request_.game.current(), request_.moves);
  finish({.move = move, .reason = Reason::fallback}, now, keep);
}

void Cluster::finish_by(const Opinion& opinion, Reason reason, std::int64_t now, bool keep) {
  Outcome outcome{.move = opinion.move, .reason = reason};
  if (opinion.line.score) outcome.line = opinion.line;
  shogi::Position after = request_.game.current();
  after.do_move(opinion.move);
  if (opinion.expected && after.is_legal(opinion.expected)) outcome.ponder = opinion.expected;
  finish(std::move(outcome), now, keep);
}

void Cluster::finish(Outcome outcome, std::int64_t now, bool keep) {
  outcome.nodes = nodes();
  const Exchange::Counts counts = exchange_.take_counts();
  if (counts.batches > 0) {
    notes_.push_back(fmt::format("{} batches of entries passed on, {} bytes", counts.batches, counts.bytes));
  }
  if (counts.flooded > 0) notes_.push_back(fmt::format("{} batches of entries beyond the limit", counts.flooded));
  outcome.notes = std::move(notes_);
  outcome_ = std::move(outcome);
  if (!keep) rest(now);
}

}  // namespace fuhyo::cluster
