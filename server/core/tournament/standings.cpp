#include "server/core/tournament/standings.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/core/tournament/pairing.h"
#include "server/core/tournament/tie_breaks.h"

namespace fuhyo::core::tournament {
namespace {

using Places = std::vector<std::size_t>;

// Splits the field by one tie-break after the other.
class Ranking {
 public:
  explicit Ranking(const Ledger& ledger) : ledger_(ledger) {
    standings_.by = ledger.settings->tie_breaks;
    for (const TieBreak tie_break : standings_.by) {
      columns_.push_back(tie_break == TieBreak::direct ? std::vector<Figure>{} : figures_of(ledger, tie_break));
    }
    direct_.resize(standings_.by.size(), std::vector<std::optional<Figure>>(ledger.rows.size()));
  }

  Standings rank() {
    Places all(ledger_.rows.size());
    for (std::size_t place = 0; place < all.size(); ++place) all[place] = place;
    if (!all.empty()) split(all, 0);
    return std::move(standings_);
  }

 private:
  void split(const Places& tied, std::size_t by) {
    if (tied.size() == 1 || by == standings_.by.size()) return settle(tied);
    const TieBreak tie_break = standings_.by[by];
    std::vector<std::pair<Figure, std::size_t>> order;
    if (tie_break == TieBreak::direct) {
      const auto figures = direct_figures(ledger_, tied);
      if (!figures) return split(tied, by + 1);
      for (std::size_t i = 0; i < tied.size(); ++i) {
        direct_[by][tied[i]] = (*figures)[i];
        order.emplace_back((*figures)[i], tied[i]);
      }
    } else {
      for (const std::size_t place : tied) order.emplace_back(columns_[by][place], place);
    }
    const int sense = less_is_better(tie_break) ? 1 : -1;
    std::ranges::sort(order, {}, [sense](const auto& one) { return std::pair(sense * one.first, one.second); });
    for (std::size_t from = 0; from < order.size();) {
      Places same;
      std::size_t to = from;
      for (; to < order.size() && order[to].first == order[from].first; ++to) same.push_back(order[to].second);
      split(same, by + 1);
      if (to < order.size()) standings_.rows.back().before_next = by;
      from = to;
    }
  }

  // They share a rank.
  void settle(const Places& tied) {
    const int rank = static_cast<int>(standings_.rows.size()) + 1;
    for (const std::size_t place : tied) {
      Standing row{.place = place,
                   .player = ledger_.rows[place].player,
                   .rank = rank,
                   .shared = tied.size() > 1,
                   .points = ledger_.rows[place].points,
                   .figures = {},
                   .before_next = {}};
      for (std::size_t by = 0; by < columns_.size(); ++by) {
        row.figures.push_back(columns_[by].empty() ? direct_[by][place] : columns_[by][place]);
      }
      standings_.rows.push_back(std::move(row));
    }
  }

  const Ledger& ledger_;
  Standings standings_;
  std::vector<std::vector<Figure>> columns_;  // by tie-break and place; empty: direct
  std::vector<std::vector<std::optional<Figure>>> direct_;
};

struct Names {
  std::string_view short_en, short_ja, long_en, long_ja;
};
Names names_of(TieBreak tie_break) {
  switch (tie_break) {
    case TieBreak::points:
      return {"Pts", "勝点", "points", "勝点"};
    case TieBreak::direct:
      return {"Dir", "直接", "direct encounter", "直接対決"};
    case TieBreak::sonneborn_berger:
      return {"SB", "SB", "Sonneborn-Berger", "SB (ゾンネボーン・ベルガー)"};
    case TieBreak::buchholz:
      return {"Buch", "ソルコフ", "Buchholz (Solkoff)", "ソルコフ (ブッフホルツ)"};
    case TieBreak::median:
      return {"MD", "MD", "median Buchholz", "ミディアム"};
    case TieBreak::beaten:
      return {"Beat", "勝者点", "points of beaten opponents", "勝った相手の勝点の和"};
    case TieBreak::wins:
      return {"Win", "勝数", "games won", "勝数"};
    case TieBreak::wins_as_white:
      return {"WinW", "後手勝", "games won with White", "後手番の勝数"};
    case TieBreak::longest_run:
      return {"Run", "連勝", "longest winning run", "最長連勝"};
    case TieBreak::faults:
      return {"Flt", "失格", "fewer forfeits and faults", "不戦敗・反則・切断負けの少なさ"};
    case TieBreak::fewest_moves:
      return {"Ply", "手数", "fewer moves in won games", "勝局の手数の少なさ"};
    case TieBreak::lot:
      return {"Lot", "抽選", "lot", "抽選"};
    case TieBreak::seed:
      return {"No", "番号", "seed", "シード順"};
    case TieBreak::reached:
      return {"Rd", "進出", "the round reached", "進出した回戦"};
  }
  return {};
}

}  // namespace

bool less_is_better(TieBreak tie_break) {
  return tie_break == TieBreak::faults || tie_break == TieBreak::fewest_moves || tie_break == TieBreak::lot ||
         tie_break == TieBreak::seed;
}

Standings standings_of(const Ledger& ledger) { return Ranking(ledger).rank(); }

Standings standings_of(const Event& event, const EventState& state, DivisionKey division) {
  Standings standings = standings_of(ledger_of(event, state, division));
  standings.final = is_over(event, state, division);
  return standings;
}

std::string figure_text(TieBreak tie_break, Figure figure) {
  switch (tie_break) {
    case TieBreak::points:
    case TieBreak::direct:
    case TieBreak::buchholz:
    case TieBreak::median:
    case TieBreak::beaten:
      return to_text(Points{figure});
    case TieBreak::sonneborn_berger: {
      std::string text = to_text(Points{figure / 1000});
      const std::int64_t rest = std::abs(figure) % 1000;
      if (rest == 0) return text;
      text =
          fmt::format("{}{}.{:06}", figure < 0 ? "-" : "", std::abs(figure) / 1'000'000, std::abs(figure) % 1'000'000);
      text.erase(text.find_last_not_of('0') + 1);
      return text;
    }
    default:
      return std::to_string(figure);
  }
}

std::string explain_rank(const Standings& standings, std::size_t row, Language language) {
  if (row + 1 >= standings.rows.size()) return {};
  const Standing& a = standings.rows[row];
  const Standing& b = standings.rows[row + 1];
  const bool en = language == Language::en;
  if (!a.before_next) {
    return en ? fmt::format("{} and {} share rank {}", a.player, b.player, a.rank)
              : fmt::format("{} と {} は同順位 ({} 位)", a.player, b.player, a.rank);
  }
  if (*a.before_next == 0) return {};
  const TieBreak by = standings.by[*a.before_next];
  const std::string mine = figure_text(by, a.figures[*a.before_next].value_or(0));
  const std::string yours = figure_text(by, b.figures[*a.before_next].value_or(0));
  return en ? fmt::format("{} before {} by {} ({} : {})", a.player, b.player, long_name(by, language), mine, yours)
            : fmt::format("{} は {} より上位: {} ({} : {})", a.player, b.player, long_name(by, language), mine, yours);
}

std::string_view short_name(TieBreak tie_break, Language language) {
  const Names names = names_of(tie_break);
  return language == Language::en ? names.short_en : names.short_ja;
}

std::string_view long_name(TieBreak tie_break, Language language) {
  const Names names = names_of(tie_break);
  return language == Language::en ? names.long_en : names.long_ja;
}

}  // namespace fuhyo::core::tournament
