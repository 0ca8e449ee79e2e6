// A whole match: tests the engines, schedules and plays the games, keeps and counts them. Ends early when the test has
// decided or an engine cannot be started.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engines/match/contestant.h"
#include "engines/match/ledger.h"
#include "engines/match/openings.h"
#include "engines/match/runner.h"
#include "engines/match/schedule.h"
#include "engines/match/standings.h"
#include "engines/match/statistics/sprt.h"

namespace fuhyo::match {

struct MatchPlan {
  std::vector<Contestant> engines{};
  ScheduleOptions schedule{};  // its numbers of engines and openings are set by make()
  std::vector<Opening> openings{};
  RunnerOptions runner{};
  std::optional<Sprt> sprt{};  // of the first two engines, by pairs if encounters have two games
  bool stop_at_fault = false;  // else the engine is restarted and the match goes on
  std::string ledger{};        // file; empty: games are not kept
};

// Why a match is over.
enum class MatchEnd : std::uint8_t {
  played,       // every game
  decided,      // by the SPRT
  repeating,    // openings have run out, and the games are copies of earlier ones
  interrupted,  // asked to stop; the match can continue from its ledger
  faulty,       // an engine failed under stop_at_fault, or could not be started any more
  unwritable,   // the ledger; it holds the games so far
};

// Starts each engine once. An engine without a name gets the one that it sends (with a number if that is taken). They
// need no time control. Errors: also two engines of one name, or one without a command.
std::expected<void, std::string> try_out(std::vector<Contestant>& engines, const std::stop_token& stop);

class Match {
 public:
  // Errors: those of Schedule, the openings and Sprt; two engines of one name.
  static std::expected<Match, std::string> make(MatchPlan plan);

  // As above, with its own engines.
  std::expected<void, std::string> try_out(const std::stop_token& stop);
  // A warning before the match: there are fewer openings than rounds.
  std::optional<std::string> warning() const;
  // Reads the games of the ledger, if there is one.
  std::expected<void, std::string> resume();

  // `told`: called after each game that is kept, one at a time.
  using Told = std::function<void(const PlayedGame&)>;
  MatchEnd run(const Told& told, const std::stop_token& stop);

  // The game of that number before it is played.
  Assignment assignment(std::int64_t number) const;
  // Adds a game that was played elsewhere, after resume(). Returns the end of the match; nothing: it goes on.
  std::optional<MatchEnd> add(const PlayedGame& game);
  // Ends a match whose games are played elsewhere. `why`: for trouble().
  void give_up(MatchEnd end, std::string why);
  bool is_played(std::int64_t number) const { return done_[static_cast<std::size_t>(number)]; }

  const MatchPlan& plan() const { return plan_; }
  const Schedule& schedule() const { return schedule_; }
  const Standings& standings() const { return standings_; }
  std::int64_t resumed() const { return resumed_; }  // games that were there before
  // Of the SPRT so far; nothing without one.
  std::optional<double> log_likelihood_ratio() const;
  // The end of the match, if the games so far are enough: decided or repeating.
  std::optional<MatchEnd> enough() const;
  const std::string& trouble() const { return trouble_; }  // of MatchEnd::faulty and unwritable, in words

 private:
  Match(MatchPlan plan, Schedule schedule)
      : plan_(std::move(plan)), schedule_(std::move(schedule)), standings_(schedule_) {}

  std::string terms() const;
  std::optional<Assignment> next();
  bool keep(const PlayedGame& game, std::stop_source& stop);  // false: the ledger could not be written

  MatchPlan plan_;
  Schedule schedule_;
  Standings standings_;
  std::vector<bool> done_;  // by the number of the game
  std::int64_t next_ = 0, resumed_ = 0;
  std::optional<Ledger> ledger_;
  std::optional<MatchEnd> end_;
  std::string trouble_;
};

}  // namespace fuhyo::match
