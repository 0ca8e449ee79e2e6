#include "server/core/tournament/tie_breaks.h"

#include <algorithm>

#include "server/core/tournament/format_rules.h"

namespace fuhyo::core::tournament {
namespace {

bool is_paired_freely(const Ledger& ledger) { return rules_of(*ledger.settings).paired_freely; }

bool was_played(const RoundCell& cell) { return std::ranges::any_of(cell.marks, &Mark::played); }
bool was_decided(const RoundCell& cell) { return std::ranges::any_of(cell.marks, &Mark::decided); }

// The total of whom this round counts against; nothing: the round counts nowhere.
std::optional<Figure> opponents_total(const Ledger& ledger, const LedgerRow& row, const RoundCell& cell) {
  if (cell.annulled || cell.pending()) return std::nullopt;
  const bool freely = is_paired_freely(ledger);
  switch (cell.kind) {
    case RoundCell::Kind::none:
    case RoundCell::Kind::rest:
    case RoundCell::Kind::defaulted:
      return std::nullopt;
    case RoundCell::Kind::bye:
    case RoundCell::Kind::absent:
      return freely ? std::optional(row.points.milli) : std::nullopt;
    case RoundCell::Kind::walkover:
      return freely ? row.points.milli : ledger.rows[cell.opponent].points.milli;
    case RoundCell::Kind::game:
      break;
  }
  if (was_played(cell) || (was_decided(cell) && !freely)) return ledger.rows[cell.opponent].points.milli;
  return freely ? std::optional(row.points.milli) : std::nullopt;
}

Figure sonneborn_berger(const Ledger& ledger, const LedgerRow& row) {
  const bool freely = is_paired_freely(ledger);
  Figure sum = 0;
  for (const RoundCell& cell : row.cells) {
    if (cell.annulled) continue;
    if (cell.kind != RoundCell::Kind::game) {
      sum += cell.points.milli * opponents_total(ledger, row, cell).value_or(0);
      continue;
    }
    for (const Mark& mark : cell.marks) {
      const bool nobody = freely && mark.how == How::forfeit;
      sum += mark.points.milli * (nobody ? row : ledger.rows[cell.opponent]).points.milli;
    }
  }
  return sum;
}

std::vector<Figure> terms_of_buchholz(const Ledger& ledger, const LedgerRow& row) {
  std::vector<Figure> terms;
  for (const RoundCell& cell : row.cells) {
    if (const auto total = opponents_total(ledger, row, cell)) terms.push_back(*total);
  }
  return terms;
}

Figure buchholz(const Ledger& ledger, const LedgerRow& row, bool median) {
  std::vector<Figure> terms = terms_of_buchholz(ledger, row);
  std::ranges::sort(terms);
  const std::ptrdiff_t dropped = median ? 1 : 0;
  Figure sum = 0;
  if (std::ssize(terms) <= 2 * dropped) return 0;
  for (auto term = terms.begin() + dropped; term != terms.end() - dropped; ++term) sum += *term;
  return sum;
}

template <class Count>
Figure count_marks(const LedgerRow& row, Count count) {
  Figure sum = 0;
  for (const RoundCell& cell : row.cells) {
    if (cell.annulled || cell.kind == RoundCell::Kind::defaulted) continue;
    for (const Mark& mark : cell.marks) sum += count(cell, mark);
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

Figure beaten(const Ledger& ledger, const LedgerRow& row) {
  const bool freely = is_paired_freely(ledger);
  return count_marks(row, [&](const RoundCell& cell, const Mark& mark) -> Figure {
    const bool counts = mark.sign == Sign::win && (mark.played() || !freely);
    return counts ? ledger.rows[cell.opponent].points.milli : 0;
  });
}

Figure longest_run(const LedgerRow& row) {
  Figure run = 0, longest = 0;
  for (const RoundCell& cell : row.cells) {
    for (const Mark& mark : cell.marks) {
      if (cell.annulled || !mark.played()) continue;
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
  for (std::size_t place = 0; place < beaten.size(); ++place) {
    if (beaten[place] == 0) {
      figures.push_back(2 * rounds_of(*ledger.settings, beaten.size()) + 2);
      continue;
    }
    Figure figure = 2 * beaten[place];
    if (beaten[place] < ledger.rounds) {
      const RoundCell& after = ledger.cell(place, beaten[place] + 1);
      const bool free = after.kind == RoundCell::Kind::bye || after.kind == RoundCell::Kind::walkover;
      const bool game = after.kind == RoundCell::Kind::game && !after.pending();
      figure += free || (game && knock_out_winner(ledger, place, after.opponent, beaten[place] + 1) == place) ? 1 : 0;
    }
    figures.push_back(figure);
  }
  return figures;
}

Figure figure_of(const Ledger& ledger, std::size_t place, TieBreak tie_break) {
  const LedgerRow& row = ledger.rows[place];
  switch (tie_break) {
    case TieBreak::points:
      return row.points.milli;
    case TieBreak::sonneborn_berger:
      return sonneborn_berger(ledger, row);
    case TieBreak::buchholz:
      return buchholz(ledger, row, false);
    case TieBreak::median:
      return buchholz(ledger, row, true);
    case TieBreak::beaten:
      return beaten(ledger, row);
    case TieBreak::wins:
      return count_marks(row, [](const RoundCell&, const Mark& mark) { return is_win(mark) ? 1 : 0; });
    case TieBreak::wins_as_white:
      return count_marks(row, [](const RoundCell&, const Mark& mark) { return is_win(mark) && !mark.black ? 1 : 0; });
    case TieBreak::longest_run:
      return longest_run(row);
    case TieBreak::faults:
      return count_marks(row, [](const RoundCell&, const Mark& mark) { return is_fault(mark) ? 1 : 0; });
    case TieBreak::fewest_moves:
      return count_marks(row, [](const RoundCell&, const Mark& mark) { return is_win(mark) ? mark.plies : 0; });
    case TieBreak::lot:
      return row.lot;
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
  for (std::size_t place = 0; place < ledger.rows.size(); ++place) {
    figures.push_back(figure_of(ledger, place, tie_break));
  }
  return figures;
}

std::optional<std::vector<Figure>> direct_figures(const Ledger& ledger, std::span<const std::size_t> tied) {
  std::vector<Figure> figures;
  for (const std::size_t place : tied) {
    Figure points = 0;
    std::vector<bool> met(ledger.rows.size());
    met[place] = true;
    for (const RoundCell& cell : ledger.rows[place].cells) {
      const bool among = cell.kind == RoundCell::Kind::game && std::ranges::find(tied, cell.opponent) != tied.end();
      if (!among || cell.annulled || !was_decided(cell)) continue;
      points += cell.points.milli;
      met[cell.opponent] = true;
    }
    if (!std::ranges::all_of(tied, [&](std::size_t other) { return met[other]; })) return std::nullopt;
    figures.push_back(points);
  }
  return figures;
}

std::vector<int> beaten_in(const Ledger& ledger) {
  std::vector<int> beaten(ledger.rows.size());
  for (int round = 1; round <= ledger.rounds; ++round) {
    for (std::size_t place = 0; place < ledger.rows.size(); ++place) {
      const RoundCell& cell = ledger.cell(place, round);
      if (beaten[place] != 0 || cell.pending()) continue;
      const bool lost =
          cell.kind == RoundCell::Kind::game && knock_out_winner(ledger, place, cell.opponent, round) != place;
      const bool away = cell.kind == RoundCell::Kind::absent || cell.kind == RoundCell::Kind::none;
      if (lost || away || cell.kind == RoundCell::Kind::defaulted) beaten[place] = round;
    }
  }
  return beaten;
}

}  // namespace fuhyo::core::tournament
