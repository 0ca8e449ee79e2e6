#include "server/core/tournament/simulation.h"

#include <cmath>
#include <utility>

namespace fuhyo::core::tournament {
namespace {

constexpr std::uint64_t kMillion = 1'000'000;
constexpr int kShortest = 40, kLengths = 120;  // plies

}  // namespace

Simulation::Simulation(const Event& event, std::map<PlayerId, double> strengths, const Chances& chances,
                       std::uint64_t seed)
    : event_(event), strengths_(std::move(strengths)), chances_(chances), draws_(seed), state_(event) {}

bool Simulation::step() {
  if (!pair()) return false;
  play();
  return true;
}

bool Simulation::pair() {
  for (int stage = 0; stage < static_cast<int>(event_.stages.size()); ++stage) {
    const auto divisions = event_.stages[static_cast<std::size_t>(stage)].divisions.size();
    bool all_over = true;
    for (int division = 0; division < static_cast<int>(divisions); ++division) {
      const DivisionKey key{stage, division};
      if (is_over(event_, state_, key)) {
        if (!state_.is_formed(key)) stuck_ = NotYet::too_few;
        continue;
      }
      if (advance(key)) return true;
      all_over = false;
    }
    if (!all_over) return false;
  }
  return false;
}

bool Simulation::advance(DivisionKey division) {
  if (!state_.is_formed(division)) {
    auto formed = form_division(event_, state_, division, draws_);
    if (formed) {
      apply(std::move(formed->division));
    } else {
      stuck_ = formed.error();
    }
    return formed.has_value();
  }
  auto round = next_round(event_, state_, division, draws_);
  if (round) {
    apply(std::move(round->round));
  } else {
    stuck_ = round.error();
  }
  return round.has_value();
}

void Simulation::play() {
  for (int stage = 0; stage < static_cast<int>(event_.stages.size()); ++stage) {
    const auto divisions = event_.stages[static_cast<std::size_t>(stage)].divisions.size();
    for (int division = 0; division < static_cast<int>(divisions); ++division) {
      for (;;) {
        const Ledger ledger = ledger_of(event_, state_, {stage, division});
        if (!ledger.pending()) break;
        for (const DueGame& game : ledger.due) apply(result_of(game));
      }
    }
  }
}

std::expected<void, std::string> Simulation::decide(const Decision& decision) {
  if (const auto checked = check(event_, state_, decision); !checked) return std::unexpected(checked.error());
  apply(decision);
  return {};
}

void Simulation::apply(Decision decision) {
  state_.apply(decision);
  decisions_.push_back(std::move(decision));
}

bool Simulation::happens(double share) {
  return static_cast<double>(draws_.below(kMillion)) < share * static_cast<double>(kMillion);
}

double Simulation::strength(const PlayerId& player) const {
  if (const auto found = strengths_.find(player); found != strengths_.end()) return found->second;
  const Entrant* entrant = state_.entrant(player);
  return entrant == nullptr ? 0 : entrant->rate;
}

GameResult Simulation::result_of(const DueGame& game) {
  GameResult result{.game = game.game, .black = game.black, .white = game.white, .end = {}, .record = {}};
  const bool spoilt = draws_.below(2) == 0;  // by Black, if anybody spoils it
  if (happens(chances_.forfeits)) {
    result.how = How::forfeit;
    result.outcome = spoilt ? Outcome::white_wins : Outcome::black_wins;
    return result;
  }
  if (happens(chances_.replays)) {
    result.how = How::replayed;
    return result;
  }
  result.plies = kShortest + static_cast<int>(draws_.below(kLengths));
  if (happens(chances_.crashes)) {
    result.end = EndKind::abnormal;
    result.outcome = spoilt ? Outcome::white_wins : Outcome::black_wins;
    return result;
  }
  if (happens(chances_.draws)) {
    result.end = EndKind::sennichite;
    result.outcome = Outcome::draw;
    return result;
  }
  const double difference = strength(game.black) - strength(game.white) + chances_.first_move;
  result.end = EndKind::toryo;
  result.outcome = happens(1 / (1 + std::pow(10, -difference / 400))) ? Outcome::black_wins : Outcome::white_wins;
  return result;
}

}  // namespace fuhyo::core::tournament
