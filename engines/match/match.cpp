#include "engines/match/match.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include <boost/json.hpp>

#include "engines/jobs/fingerprint.h"

namespace fuhyo::match {
namespace {

using Failure = std::unexpected<std::string>;
namespace json = boost::json;

constexpr int kFailedStarts = 3;  // of an engine, one after the other: then it will not do any better
// Copies, one after the other: who has any choice left would have played another game by then.
constexpr std::int64_t kCopiesInRow = 20;

// Which openings they are.
std::string digest_of(const std::vector<Opening>& openings) {
  jobs::Fingerprint print;
  for (const Opening& opening : openings) {
    print.add(usi::position_text(opening.game.start, opening.game.moves) + "\n");
  }
  return print.text();
}

json::object rules_text(const Rules& rules) {
  json::object out{{"moveLimit", rules.move_limit},
                   {"declaration", static_cast<int>(rules.declaration)},
                   {"marginMs", rules.margin_ms}};
  const Adjudication& limits = rules.adjudication;
  if (limits.resign_cp) out["resign"] = json::array{*limits.resign_cp, limits.resign_moves, limits.both};
  if (limits.draw_cp) out["draw"] = json::array{*limits.draw_cp, limits.draw_moves, limits.draw_after};
  return out;
}

// Names them as far as they can be without being started.
std::expected<void, std::string> settle(std::vector<Contestant>& engines) {
  std::set<std::string> names;
  for (Contestant& engine : engines) {
    if (!engine.simple.empty()) {
      engine.engine = {};  // what was said for every engine says nothing to who is built in
      engine.time = {};
      if (engine.name.empty()) engine.name = engine.simple;
    }
    if (!engine.name.empty() && !names.insert(engine.name).second) {
      return Failure(fmt::format("two engines are called '{}'", engine.name));
    }
    if (engine.simple.empty() && engine.engine.command.empty()) {
      return Failure(fmt::format("engine '{}': no command is given", engine.name));
    }
  }
  return {};
}

const std::string& called(const Contestant& engine) {
  return engine.name.empty() ? engine.engine.command : engine.name;
}

}  // namespace

std::expected<void, std::string> try_out(std::vector<Contestant>& engines, const std::stop_token& stop) {
  if (auto settled = settle(engines); !settled) return settled;
  std::set<std::string> taken;
  for (const Contestant& engine : engines) taken.insert(engine.name);
  for (Contestant& engine : engines) {
    const auto told = Runner::try_out(engine, stop);
    if (!told) return Failure(fmt::format("engine '{}': {}", called(engine), told.error()));
    if (!engine.name.empty()) continue;
    engine.name = *told;
    for (int i = 2; !taken.insert(engine.name).second; ++i) engine.name = fmt::format("{} #{}", *told, i);
  }
  return {};
}

std::expected<Match, std::string> Match::make(MatchPlan plan) {
  if (plan.openings.empty()) plan.openings.emplace_back();
  plan.schedule.engines = static_cast<int>(plan.engines.size());
  plan.schedule.openings = static_cast<std::int64_t>(plan.openings.size());
  auto schedule = Schedule::make(plan.schedule);
  if (!schedule) return Failure(schedule.error());
  if (auto settled = settle(plan.engines); !settled) return Failure(settled.error());
  for (const Contestant& engine : plan.engines) {
    if (!engine.simple.empty() || engine.time != TimeControl{}) continue;
    return Failure(fmt::format("engine '{}' has no time control: --tc, or tc=... of its own", called(engine)));
  }
  if (plan.sprt) {
    if (auto defect = defect_of(*plan.sprt)) return Failure("SPRT: " + *defect);
    if (plan.engines.size() != 2) return Failure("an SPRT is a test of two engines");
  }
  return Match(std::move(plan), std::move(*schedule));
}

std::expected<void, std::string> Match::try_out(const std::stop_token& stop) {
  return match::try_out(plan_.engines, stop);
}

// Players that are built in draw lots: their games differ.
std::optional<std::string> Match::warning() const {
  const auto is_engine = [](const Contestant& each) { return each.simple.empty(); };
  const ScheduleOptions& options = schedule_.options();
  if (options.rounds <= options.openings || std::ranges::count_if(plan_.engines, is_engine) < 2) return std::nullopt;
  return fmt::format(
      "{} {} for {} rounds: engines that always answer alike repeat their games then, copies do not count, and the "
      "match ends when only copies come",
      options.openings, options.openings == 1 ? "opening" : "openings", options.rounds);
}

// What must be the same for games to belong together. How many there are to be, and how many at a time, may change.
std::string Match::terms() const {
  json::array engines;
  for (const Contestant& engine : plan_.engines) engines.push_back(json::value(to_text(engine)));
  const ScheduleOptions& schedule = plan_.schedule;
  return json::serialize(json::object{
      {"fuhyoMatch", 1},
      {"engines", std::move(engines)},
      {"rules", rules_text(plan_.runner.rules)},
      {"tournament", to_string(schedule.tournament)},
      {"seeds", schedule.tournament == Tournament::gauntlet ? schedule.seeds : 0},
      {"gamesPerEncounter", schedule.games_per_encounter},
      {"openings", schedule.openings},
      {"openingsDigest", digest_of(plan_.openings)},
      {"seed", plan_.runner.seed},
  });
}

std::expected<void, std::string> Match::resume() {
  done_.assign(static_cast<std::size_t>(schedule_.games()), false);
  if (plan_.ledger.empty()) return {};
  std::string wrong;
  const auto take = [&](const PlayedGame& game) {
    if (game.number < 0) wrong = "a game with a negative number";
    if (game.number < 0 || game.number >= schedule_.games()) return;  // of a longer match
    const auto index = static_cast<std::size_t>(game.number);
    if (done_[index]) return;
    if (game.engines != schedule_.at(game.number).engines) wrong = "a game of other engines than the schedule's";
    if (!wrong.empty()) return;
    done_[index] = true;
    standings_.add(game);
    ++resumed_;
  };
  auto ledger = Ledger::open(plan_.ledger, terms(), take);
  if (!ledger) return Failure(ledger.error());
  if (!wrong.empty()) return Failure(fmt::format("{}: {}", plan_.ledger, wrong));
  ledger_ = std::move(*ledger);
  return {};
}

Assignment Match::assignment(std::int64_t number) const {
  const Pairing pairing = schedule_.at(number);
  const Opening& opening = plan_.openings[static_cast<std::size_t>(pairing.opening)];
  Assignment out;
  out.game.number = number;
  out.game.engines = pairing.engines;
  out.game.opening = pairing.opening;
  out.game.opening_name = opening.name;
  out.game.start = opening.game;
  for (const std::size_t color : {0UZ, 1UZ}) {
    out.players[color] = plan_.engines[static_cast<std::size_t>(pairing.engines[color])];
  }
  return out;
}

std::optional<Assignment> Match::next() {
  while (next_ < schedule_.games() && done_[static_cast<std::size_t>(next_)]) ++next_;
  if (end_ || next_ >= schedule_.games()) return std::nullopt;
  return assignment(next_++);
}

bool Match::keep(const PlayedGame& game, std::stop_source& stop) {
  const auto give_up = [&](MatchEnd end, std::string why) {
    if (!end_) trouble_ = std::move(why);
    if (!end_) end_ = end;
    stop.request_stop();
    return end != MatchEnd::unwritable;
  };
  if (ledger_) {
    if (auto kept = ledger_->append(game); !kept) return give_up(MatchEnd::unwritable, kept.error());
  }
  done_[static_cast<std::size_t>(game.number)] = true;
  standings_.add(game);
  const std::string what = fmt::format("game {}, {} against {}: {} ({})", game.number + 1, game.names[0], game.names[1],
                                       to_string(game.ending), game.detail);
  if (plan_.stop_at_fault && is_fault(game.ending)) return give_up(MatchEnd::faulty, what);
  for (const int engine : game.engines) {
    if (standings_.failed_starts(engine) >= kFailedStarts) return give_up(MatchEnd::faulty, what);
  }
  if (const auto end = enough(); end && !end_) {
    end_ = end;
    stop.request_stop();
  }
  return true;
}

std::optional<MatchEnd> Match::add(const PlayedGame& game) {
  std::stop_source nobody_listens;
  keep(game, nobody_listens);
  return end_;
}

void Match::give_up(MatchEnd end, std::string why) {
  end_ = end;
  trouble_ = std::move(why);
}

std::optional<double> Match::log_likelihood_ratio() const {
  if (!plan_.sprt) return std::nullopt;
  const auto meeting = standings_.meetings().find({0, 1});
  if (meeting == standings_.meetings().end()) return 0;
  const bool pairs = plan_.schedule.games_per_encounter == 2;
  return pairs ? match::log_likelihood_ratio(*plan_.sprt, meeting->second.pairs)
               : match::log_likelihood_ratio(*plan_.sprt, meeting->second.games);
}

std::optional<MatchEnd> Match::enough() const {
  const auto ratio = log_likelihood_ratio();
  if (ratio && verdict(*plan_.sprt, *ratio) != Verdict::undecided) return MatchEnd::decided;
  const ScheduleOptions& options = schedule_.options();
  const bool again = standings_.games() > schedule_.games() / options.rounds * options.openings;
  if (again && standings_.repeats_in_row() >= kCopiesInRow) return MatchEnd::repeating;
  return std::nullopt;
}

MatchEnd Match::run(const Told& told, const std::stop_token& stop) {
  if (done_.empty()) done_.assign(static_cast<std::size_t>(schedule_.games()), false);
  if (const auto end = enough()) return *end;
  std::stop_source inner;
  const std::stop_callback outer(stop, [&] { inner.request_stop(); });
  const auto sink = [&](const PlayedGame& game) {
    if (keep(game, inner)) told(game);
  };
  Runner::run(plan_.runner, [this] { return next(); }, sink, inner.get_token());
  if (end_) return *end_;
  return stop.stop_requested() ? MatchEnd::interrupted : MatchEnd::played;
}

}  // namespace fuhyo::match
