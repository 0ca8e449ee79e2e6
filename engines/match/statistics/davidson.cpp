// Newton's method on a likelihood that is concave in all its parameters.
#include "engines/match/statistics/davidson.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fuhyo::match {
namespace {

constexpr std::size_t kNone = SIZE_MAX;

// Which parameter is where: free strengths, then the first-move advantage, then ln(nu).
struct Layout {
  std::vector<std::size_t> strength;  // kNone: given
  std::size_t first_move = kNone, draw = kNone;
  std::size_t count = 0, free_strengths = 0;
  bool anchored = false;
  double lowest = 0, highest = 0;  // of the given strengths
};

Layout layout_of(const DavidsonModel& model, bool draws) {
  Layout layout;
  for (const auto& given : model.strengths) {
    layout.strength.push_back(given ? kNone : layout.count++);
    if (!given) continue;
    layout.lowest = layout.anchored ? std::min(layout.lowest, *given) : *given;
    layout.highest = layout.anchored ? std::max(layout.highest, *given) : *given;
    layout.anchored = true;
  }
  layout.free_strengths = layout.count;
  if (!model.first_move) layout.first_move = layout.count++;
  if (draws) layout.draw = layout.count++;
  return layout;
}

class Fit {
 public:
  // `even_games`: decided games between equals that are assumed beside those that were played.
  Fit(const DavidsonModel& model, std::span<const Meetings> games, bool draws, double even_games)
      : model_(model),
        games_(games),
        even_games_(even_games),
        layout_(layout_of(model, draws)),
        values_(layout_.count) {}

  // Up the hill until a step is too small to matter; false if there is no top in sight.
  bool climb() {
    constexpr int kSteps = 200;
    constexpr double kSmall = 1e-11;
    for (int step = 0; step < kSteps; ++step) {
      const auto factors = Cholesky::of(information());
      if (!factors) return false;
      const std::vector<double> direction = factors->solve(slope());
      const double size = advance(direction);
      if (is_far()) return false;
      if (size < kSmall) return is_determined();
    }
    return false;
  }

  // Where the likelihood grows for ever, it is flat in the end, so that the steps become small there, too.
  bool is_determined() const {
    const auto factors = Cholesky::of(information());
    if (!factors) return false;
    const Matrix variance = factors->inverse();
    for (std::size_t at = 0; at < layout_.count; ++at) {
      if (!(variance.row(at)[at] < kFar * kFar)) return false;
    }
    return true;
  }

  DavidsonFit result() const {
    DavidsonFit out;
    const std::size_t players = model_.strengths.size();
    for (std::size_t i = 0; i < players; ++i) out.strengths.push_back(strength(i));
    out.first_move = first_move();
    out.nu = nu();
    out.covariance = covariance();
    return out;
  }

 private:
  double strength(std::size_t player) const {
    const std::size_t at = layout_.strength[player];
    return at == kNone ? *model_.strengths[player] : values_[at];
  }
  // Some strength from all given ones, or another parameter from 0.
  bool is_far() const {
    for (std::size_t at = 0; at < layout_.count; ++at) {
      const bool of_player = at < layout_.free_strengths;
      const double low = of_player ? layout_.lowest : 0, high = of_player ? layout_.highest : 0;
      if (values_[at] < low - kFar || values_[at] > high + kFar) return true;
    }
    return false;
  }
  double first_move() const { return layout_.first_move == kNone ? *model_.first_move : values_[layout_.first_move]; }
  double nu() const { return layout_.draw == kNone ? 0 : std::exp(values_[layout_.draw]); }

  // What a parameter is to d: +1 for Black's strength and the first move, -1 for White's strength.
  struct Term {
    std::size_t at;
    double factor;
  };
  std::array<Term, 3> terms(const Meetings& games) const {
    return {{{layout_.strength[static_cast<std::size_t>(games.black)], 1},
             {layout_.strength[static_cast<std::size_t>(games.white)], -1},
             {layout_.first_move, 1}}};
  }
  Chances chances_in(const Meetings& games) const {
    const double d = strength(static_cast<std::size_t>(games.black)) - strength(static_cast<std::size_t>(games.white)) +
                     first_move();
    return chances(d, nu());
  }

  double log_likelihood() const {
    double sum = 0;
    const auto add = [&](std::int64_t count, double chance) {
      if (count > 0) sum += static_cast<double>(count) * std::log(chance);
    };
    for (const Meetings& each : games_) {
      const Chances chance = chances_in(each);
      add(each.black_wins, chance.win);
      add(each.white_wins, chance.loss);
      add(each.draws, chance.draw);
    }
    return sum - even_games_ * std::log(2 + nu());
  }

  std::vector<double> slope() const {
    std::vector<double> out(layout_.count);
    for (const Meetings& each : games_) {
      const Chances chance = chances_in(each);
      const auto games = static_cast<double>(each.games());
      const double lead = static_cast<double>(each.black_wins - each.white_wins) - games * (chance.win - chance.loss);
      for (const Term& term : terms(each)) {
        if (term.at != kNone) out[term.at] += term.factor * lead / 2;
      }
      if (layout_.draw != kNone) out[layout_.draw] += static_cast<double>(each.draws) - games * chance.draw;
    }
    if (layout_.draw != kNone) out[layout_.draw] -= even_games_ * chances(0, nu()).draw;
    return out;
  }

  // Fisher's information; without a given strength, with the mean of the strengths held.
  Matrix information() const {
    Matrix out(layout_.count);
    for (const Meetings& each : games_) {
      const Chances chance = chances_in(each);
      const auto games = static_cast<double>(each.games());
      const double lead = (chance.win - chance.loss) / 2;
      const double spread = games * ((chance.win + chance.loss) / 4 - lead * lead);
      for (const Term& a : terms(each)) {
        if (a.at == kNone) continue;
        for (const Term& b : terms(each)) {
          if (b.at != kNone) out.row(a.at)[b.at] += a.factor * b.factor * spread;
        }
        if (layout_.draw == kNone) continue;
        out.row(a.at)[layout_.draw] -= a.factor * games * lead * chance.draw;
        out.row(layout_.draw)[a.at] -= a.factor * games * lead * chance.draw;
      }
      if (layout_.draw != kNone) out.row(layout_.draw)[layout_.draw] += games * chance.draw * (1 - chance.draw);
    }
    if (layout_.draw != kNone) {
      const double draw = chances(0, nu()).draw;
      out.row(layout_.draw)[layout_.draw] += even_games_ * draw * (1 - draw);
    }
    if (layout_.anchored) return out;
    for (std::size_t i = 0; i < layout_.free_strengths; ++i) {
      for (std::size_t j = 0; j < layout_.free_strengths; ++j) out.row(i)[j] += kHold;
    }
    return out;
  }

  // Goes as far in the direction as the likelihood grows; how far that was in the parameter that moved most.
  double advance(const std::vector<double>& direction) {
    constexpr int kHalvings = 40;
    const std::vector<double> from = values_;
    const double before = log_likelihood();
    // Between two far apart whom it beat and lost to, the slope is steep where the likelihood hardly bends.
    double longest = kLongestStep;
    for (const double each : direction) longest = std::max(longest, std::abs(each));
    double share = kLongestStep / longest;
    for (int i = 0; i < kHalvings; ++i) {
      for (std::size_t at = 0; at < values_.size(); ++at) values_[at] = from[at] + share * direction[at];
      if (log_likelihood() >= before) break;
      share /= 2;
    }
    double most = 0;
    for (std::size_t at = 0; at < values_.size(); ++at) most = std::max(most, std::abs(values_[at] - from[at]));
    return most;
  }

  Matrix covariance() const {
    const std::size_t players = model_.strengths.size();
    Matrix out(players + 2);
    const auto factors = Cholesky::of(information());
    if (!factors) return out;
    const Matrix free = factors->inverse();
    std::vector<std::size_t> at = layout_.strength;
    at.push_back(layout_.first_move);
    at.push_back(layout_.draw);
    // What holding the mean has put in between.
    const auto count = static_cast<double>(layout_.free_strengths);
    const double held = layout_.anchored ? 0 : 1 / (kHold * count * count);
    for (std::size_t i = 0; i < at.size(); ++i) {
      for (std::size_t j = 0; j < at.size(); ++j) {
        if (at[i] == kNone || at[j] == kNone) continue;
        out.row(i)[j] = free.row(at[i])[at[j]] - (i < players && j < players ? held : 0);
      }
    }
    return out;
  }

  static constexpr double kHold = 1, kFar = 20, kLongestStep = 4;  // 20: more than 3,000 Elo

  const DavidsonModel& model_;
  std::span<const Meetings> games_;
  double even_games_;
  Layout layout_;
  std::vector<double> values_;
};

}  // namespace

Chances chances(double d, double nu) {
  const double win = std::exp(d / 2), loss = std::exp(-d / 2), all = win + loss + nu;
  return {.win = win / all, .loss = loss / all, .draw = nu / all};
}

std::expected<DavidsonFit, std::string> fit_davidson(const DavidsonModel& model, std::span<const Meetings> games) {
  const bool draws = std::ranges::any_of(games, [](const Meetings& each) { return each.draws > 0; });
  for (const double even_games : {0.0, 1.0}) {
    Fit fit(model, games, draws, even_games);
    if (fit.climb()) return fit.result();
    if (!draws) break;
  }
  return std::unexpected("the games do not determine the ratings and the first-move advantage");
}

}  // namespace fuhyo::match
