#include "server/core/tournament/tie_breaks.h"

#include <algorithm>

#include "server/core/tournament/format_rules.h"

namespace fuhyo::core::tournament {
namespace {

bool is_paired_freely(const Ledger& ledger) { return rules_of(*ledger.settings).paired_freely; }

bool was_played(const Turn& turn) { return std::ranges::any_of(turn.marks, &Mark::played); }
bool was_decided(const Turn& turn) { return std::ranges::any_of(turn.marks, &Mark::decided); }

// The total of whom this round counts against; nothing: the round counts nowhere.
std::optional<Figure> opponents_total(const Ledger& ledger, const Line& line, const Turn& turn) {
  if (turn.annulled || turn.pending()) return std::nullopt;
  const bool freely = is_paired_freely(ledger);
  switch (turn.kind) {
    case Turn::Kind::none:
    case Turn::Kind::rest:
    case Turn::Kind::defaulted:
      return std::nullopt;
    case Turn::Kind::bye:
    case Turn::Kind::absent:
      return freely ? std::optional(line.points.milli) : std::nullopt;
    case Turn::Kind::walkover:
      return freely ? line.points.milli : ledger.lines[turn.opponent].points.milli;
    case Turn::Kind::game:
      break;
  }
  if (was_played(turn) || (was_decided(turn) && !freely)) return ledger.lines[turn.opponent].points.milli;
  return freely ? std::optional(line.points.milli) : std::nullopt;
}

Figure sonneborn_berger(const Ledger& ledger, const Line& line) {
  const bool freely = is_paired_freely(ledger);
  Figure sum = 0;
  for (const Turn& turn : line.turns) {
    if (turn.annulled) continue;
    if (turn.kind != Turn::Kind::game) {
      sum += turn.points.milli * opponents_total(ledger, line, turn).value_or(0);
      continue;
    }
    for (const Mark& mark : turn.marks) {
      const bool nobody = freely && mark.how == How::forfeit;
      sum += mark.points.milli * (nobody ? line : ledger.lines[turn.opponent]).points.milli;
    }
  }
  return sum;
}

std::vector<Figure> terms_of_buchholz(const Ledger& ledger, const Line& line) {
  std::vector<Figure> terms;
  for (const Turn& turn : line.turns) {
    if (const auto total = opponents_total(ledger, line, turn)) terms.push_back(*total);
  }
  return terms;
}

Figure buchholz(const Ledger& ledger, const Line& line, bool median) {
  std::vector<Figure> terms = terms_of_buchholz(ledger, line);
  std::ranges::sort(terms);
  const std::ptrdiff_t dropped = median ? 1 : 0;
  Figure sum = 0;
  if (std::ssize(terms) <= 2 * dropped) return 0;
  for (auto term = terms.begin() + dropped; term != terms.end() - dropped; ++term) sum += *term;
  return sum;
}

template <class Count>
Figure count_marks(const Line& line, Count count) {
  Figure sum = 0;
  for (const Turn& turn : line.turns) {
    if (turn.annulled || turn.kind == Turn::Kind::defaulted) continue;
    for (const Mark& mark : turn.marks) sum += count(turn, mark);
  }
  return sum;
}

bool is_win(const Mark& mark) { return mark.sign == Sign::win && mark.played(); }

bool is_fault(const Mark& mark) {
  if (mark.sign != Sign::loss) return false;
  if (mark.how == How::forfeit) return true;
  if (!mark.end) return false;
  switch (*mark.end) {
    case EndKind::abnormal:
    case EndKind::illegal_move:
    case EndKind::illegal_kachi:
    case EndKind::oute_kaihimore:
    case EndKind::uchifuzume:
      return true;
    default:
      return false;
  }
}

Figure beaten(const Ledger& ledger, const Line& line) {
  const bool freely = is_paired_freely(ledger);
  return count_marks(line, [&](const Turn& turn, const Mark& mark) -> Figure {
    const bool counts = mark.sign == Sign::win && (mark.played() || !freely);
    return counts ? ledger.lines[turn.opponent].points.milli : 0;
  });
}

Figure longest_run(const Line& line) {
  Figure run = 0, longest = 0;
  for (const Turn& turn : line.turns) {
    for (const Mark& mark : turn.marks) {
      if (turn.annulled || !mark.played()) continue;
      run = is_win(mark) ? run + 1 : 0;
      longest = std::max(longest, run);
    }
  }
  return longest;
}

// Twice the round in which a member was beaten, and one more for who won the game for the third place; of who is not
// beaten, twice the rounds that there are, and two more.
std::vector<Figure> reached(const Ledger& ledger) {
  const std::vector<int> beaten = beaten_in(ledger);
  std::vector<Figure> figures;
  for (std::size_t line = 0; line < beaten.size(); ++line) {
    if (beaten[line] == 0) {
      figures.push_back(2 * rounds_of(*ledger.settings, beaten.size()) + 2);
      continue;
    }
    Figure figure = 2 * beaten[line];
    if (beaten[line] < ledger.rounds) {
      const Turn& after = ledger.turn(line, beaten[line] + 1);
      const bool free = after.kind == Turn::Kind::bye || after.kind == Turn::Kind::walkover;
      const bool game = after.kind == Turn::Kind::game && !after.pending();
      figure += free || (game && knock_out_winner(ledger, line, after.opponent, beaten[line] + 1) == line) ? 1 : 0;
    }
    figures.push_back(figure);
  }
  return figures;
}

Figure figure_of(const Ledger& ledger, std::size_t place, TieBreak tie_break) {
  const Line& line = ledger.lines[place];
  switch (tie_break) {
    case TieBreak::points:
      return line.points.milli;
    case TieBreak::sonneborn_berger:
      return sonneborn_berger(ledger, line);
    case TieBreak::buchholz:
      return buchholz(ledger, line, false);
    case TieBreak::median:
      return buchholz(ledger, line, true);
    case TieBreak::beaten:
      return beaten(ledger, line);
    case TieBreak::wins:
      return count_marks(line, [](const Turn&, const Mark& mark) { return is_win(mark) ? 1 : 0; });
    case TieBreak::wins_as_white:
      return count_marks(line, [](const Turn&, const Mark& mark) { return is_win(mark) && !mark.black ? 1 : 0; });
    case TieBreak::longest_run:
      return longest_run(line);
    case TieBreak::faults:
      return count_marks(line, [](const Turn&, const Mark& mark) { return is_fault(mark) ? 1 : 0; });
    case TieBreak::fewest_moves:
      return count_marks(line, [](const Turn&, const Mark& mark) { return is_win(mark) ? mark.plies : 0; });
    case TieBreak::lot:
      return line.lot;
    case TieBreak::seed:
      return static_cast<Figure>(place) + 1;
    case TieBreak::direct:
    case TieBreak::reached:
      break;
  }
  return 0;
}

}  // namespace

std::vector<Figure> figures_of(const Ledger& ledger, TieBreak tie_break) {
  if (tie_break == TieBreak::reached) return reached(ledger);
  std::vector<Figure> figures;
  for (std::size_t line = 0; line < ledger.lines.size(); ++line) {
    figures.push_back(figure_of(ledger, line, tie_break));
  }
  return figures;
}

std::optional<std::vector<Figure>> direct_figures(const Ledger& ledger, std::span<const std::size_t> tied) {
  std::vector<Figure> figures;
  for (const std::size_t line : tied) {
    Figure points = 0;
    std::vector<bool> met(ledger.lines.size());
    met[line] = true;
    for (const Turn& turn : ledger.lines[line].turns) {
      const bool among = turn.kind == Turn::Kind::game && std::ranges::find(tied, turn.opponent) != tied.end();
      if (!among || turn.annulled || !was_decided(turn)) continue;
      points += turn.points.milli;
      met[turn.opponent] = true;
    }
    if (!std::ranges::all_of(tied, [&](std::size_t other) { return met[other]; })) return std::nullopt;
    figures.push_back(points);
  }
  return figures;
}

std::vector<int> beaten_in(const Ledger& ledger) {
  std::vector<int> beaten(ledger.lines.size());
  for (int round = 1; round <= ledger.rounds; ++round) {
    for (std::size_t line = 0; line < ledger.lines.size(); ++line) {
      const Turn& turn = ledger.turn(line, round);
      if (beaten[line] != 0 || turn.pending()) continue;
      const bool lost = turn.kind == Turn::Kind::game && knock_out_winner(ledger, line, turn.opponent, round) != line;
      const bool away = turn.kind == Turn::Kind::absent || turn.kind == Turn::Kind::none;
      if (lost || away || turn.kind == Turn::Kind::defaulted) beaten[line] = round;
    }
  }
  return beaten;
}

}  // namespace fuhyo::core::tournament
