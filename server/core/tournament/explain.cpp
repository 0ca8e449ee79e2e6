#include "server/core/tournament/explain.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "server/core/counted.h"
#include "server/core/tournament/format_rules.h"
#include "server/core/tournament/standings.h"

namespace fuhyo::core::tournament {
namespace {

std::string seconds_text(std::int32_t seconds, bool en) {
  const std::int32_t minutes = seconds / 60, rest = seconds % 60;
  if (minutes == 0) return fmt::format("{} {}", rest, en ? "s" : "秒");
  std::string text = fmt::format("{} {}", minutes, en ? "min" : "分");
  if (rest != 0) text += fmt::format(" {} {}", rest, en ? "s" : "秒");
  return text;
}

// Writes one language; the other is the second argument.
class Writer {
 public:
  Writer(const Event& event, Language language, const TimeZone& zone, std::optional<Wall> now)
      : event_(event), en_(language == Language::en), language_(language), zone_(zone), now_(now) {}

  std::string write(std::size_t entrants) {
    const EventPlan plan = plan_of(event_, entrants);
    line(0, "{} ({})", "{} ({})", title(event_.title, event_.name), event_.name);
    line(0,
         "Players assumed: {}. Games at most: {}, without replays; {} from the first start to the end if all "
         "clocks run out.",
         "参加者 {} 名として計算。対局数は最大 {} 局 (指し直しを除く)、全局で時間を使い切ると開始から終了まで {}。",
         entrants, plan.games, duration_text(plan.longest_s));
    entries();
    apart();
    for (std::size_t i = 0, at = 0; i < event_.stages.size(); ++i) {
      const Stage& stage = event_.stages[i];
      line(0, "Stage {}: {}", "第 {} ステージ: {}", i + 1, title(stage.title, stage.name));
      for (const Division& division : stage.divisions) {
        this->division(division, i, plan.divisions[at++]);
        if (has_apart()) keeps_apart(division.settings, i, plan.divisions[at - 1], entrants);
      }
    }
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void line(int level, std::string_view en, std::string_view ja, const Arguments&... arguments) {
    text_.append(static_cast<std::size_t>(2 * level), ' ');
    text_ += fmt::format(fmt::runtime(en_ ? en : ja), arguments...);
    text_ += '\n';
  }
  std::string title(const Title& title, const std::string& name) const {
    const std::string& text = title.in(language_);
    return text.empty() ? name : text;
  }

  void entries() {
    if (event_.entry.open) {
      line(0, "Entries are open, for {} players at most.", "参加受付あり、定員 {} 名。", event_.entry.most);
    } else {
      line(0, "Only those of the file play: {}.", "参加者は設定ファイルの {} 名のみ。", event_.entrants.size());
    }
    if (event_.entry.late_until > 0) {
      line(0, "Late entries are welcome up to round {} of the first stage.",
           "途中参加は第 1 ステージの第 {} 回戦まで。", event_.entry.late_until);
    }
  }

  bool has_apart() const {
    const auto in_group = [](const Entrant& entrant) { return !entrant.groups.empty(); };
    return !event_.apart.empty() || std::ranges::any_of(event_.entrants, in_group);
  }

  void apart() {
    std::map<std::string_view, std::vector<std::string_view>> groups;
    for (const Entrant& entrant : event_.entrants) {
      for (const std::string& group : entrant.groups) groups[group].push_back(entrant.player);
    }
    for (const auto& [group, players] : groups) {
      line(0, "No two of {} meet: {}.", "{} 同士は対局しない: {}。", group, fmt::join(players, ", "));
    }
    for (const std::vector<PlayerId>& players : event_.apart) {
      line(0, "No two of these meet: {}.", "互いに対局しない: {}。", fmt::join(players, ", "));
    }
  }

  // What comes of it in a division; of the first stage, with as many made up as are missing.
  void keeps_apart(const DivisionSettings& settings, std::size_t stage, const DivisionPlan& plan,
                   std::size_t entrants) {
    const FormatRules& rules = rules_of(settings);
    if (rules.drawn_apart != nullptr) {
      line(2, "Who must not meet is drawn apart; in later rounds whoever wins goes on, and may meet.",
           "対局しない組は離して配置するが、勝ち進めば当たることがある。");
    } else if (!rules.has_choice() || (rules.takes("method") && !floodgate::is_ours(settings.method))) {
      line(2, "Who must not meet meets all the same: the format leaves no choice.",
           "この形式では対局しない組も当たる。");
    }
    if (stage != 0 || entrants < 2) return;
    Event event = event_;
    event.entrants.resize(std::min(event.entrants.size(), entrants), Entrant{});
    for (std::size_t i = event.entrants.size(); i < entrants; ++i) {
      event.entrants.push_back({.player = fmt::format("?{}", i + 1), .title = {}});
    }
    floodgate::SeededDraws draws(0);
    const auto formed = form_division(event, EventState(event), {plan.stage, plan.division}, draws);
    if (!formed) return;
    std::vector<Doubtful> doubts = formed->doubts;
    std::erase_if(doubts,
                  [](const Doubtful& one) { return one.what != Doubt::apart && one.what != Doubt::apart_rounds; });
    if (!doubts.empty()) line(2, "Doubtful: {}.", "要確認: {}。", to_text(doubts, language_));
  }

  void division(const Division& division, std::size_t stage, const DivisionPlan& plan) {
    const DivisionSettings& settings = division.settings;
    line(1, "{}: {}, {}", "{}: {}、{}", title(division.title, division.name), format_name(settings.format, language_),
         en_ ? fmt::format("{}, {}, {}", counted(plan.members, "player"), counted(plan.rounds, "round"),
                           counted(plan.games, "game"))
             : fmt::format("{} 名、{} 回戦、{} 局", plan.members, plan.rounds, plan.games));
    origin(division, stage);
    games(settings);
    clocks(settings);
    scoring(settings);
    tie_breaks(settings);
    timetable(settings, plan);
  }

  void origin(const Division& division, std::size_t stage) {
    if (stage == 0 && division.take == 0) return;
    const std::string from = division.from.empty() ? (en_ ? "the stage before" : "前ステージ") : division.from;
    if (division.take == 0) {
      line(2, "Plays: all who are left of {}.", "進出: {}の残り全員。", from);
    } else if (stage == 0) {
      line(2, "Plays: the next {} by seed.", "参加: シード順に次の {} 名。", division.take);
    } else {
      line(2, "Plays: the next {} of {} by rank.", "進出: 順位順に次の {} 名 ({})。", division.take, from);
    }
  }

  void games(const DivisionSettings& settings) {
    if (settings.games == 2) {
      line(2, "Each pairing plays both colours.", "各組は先後 1 局ずつの 2 局を指す。");
    } else if (settings.games > 1) {
      line(2, "Each pairing plays {} games, colours change.", "各組は先後を入れ替えながら {} 局を指す。",
           settings.games);
    }
    if (settings.cycles > 1) line(2, "Everything is played {} times.", "{} 巡する。", settings.cycles);
    if (settings.random_rounds > 0) {
      line(2, "Rounds drawn by lot, from the first on: {}.", "最初の {} 回戦は抽選。", settings.random_rounds);
    }
    if (settings.rematches) {
      line(2, "Two who have met are paired again where no round is left without it.",
           "再戦なしの組合せがなくなったときは再戦あり。");
    } else if (const std::size_t least = least_members(settings); least > 0) {
      line(2, "Nobody meets the same opponent again: that needs {} players; with fewer the host is asked.",
           "再戦なし: {} 名以上が必要。足りなければ主催者の判断を待つ。", least);
    }
    if (settings.third_place) line(2, "There is a game for the third place.", "三位決定戦あり。");
    if (rules_of(settings).takes("seeds")) {
      line(2, "The first {} meet all the others.", "上位シード {} 名が他の全員と対局。", settings.seeds);
    }
    if (!settings.positions.empty()) {
      line(2, "{} designated positions, by {}.", "指定局面 {} 個 ({})。", settings.positions.size(),
           to_string(settings.positions_by));
    }
  }

  void clocks(const DivisionSettings& settings) {
    if (settings.time[0] == settings.time[1]) {
      line(2, "Time: {}.", "持ち時間: {}。", time_text(settings.time[0], language_));
    } else {
      line(2, "Time: Black {}, White {}.", "持ち時間: 先手 {}、後手 {}。", time_text(settings.time[0], language_),
           time_text(settings.time[1], language_));
    }
    const bool official = settings.rulebook == Rulebook::official;
    if (settings.max_moves > 0 && official) {
      line(2, "A game of {} moves is a draw, unless the last one mates.", "{} 手で引き分け (最終手が詰みなら勝ち)。",
           settings.max_moves);
    } else if (settings.max_moves > 0) {
      line(2, "A game of {} moves is a draw.", "{} 手で引き分け。", settings.max_moves);
    } else {
      line(2, "There is no limit of moves.", "手数制限なし。");
    }
    if (official) {
      line(2, "Repetition and perpetual check: by the official rules.", "千日手・連続王手の千日手: 公式ルール。");
    } else {
      line(2, "Repetition and perpetual check: as shogi-server counts them.",
           "千日手・連続王手の千日手: shogi-server と同じ判定。");
    }
    line(2, "Declaration: {}.", "入玉宣言法: {}。", declaration_text(settings.declaration, language_));
  }

  void scoring(const DivisionSettings& settings) {
    const Scoring& s = settings.scoring;
    line(2, "Points: win {}, draw {} (Black) {} (White), loss {}; bye {}; by forfeit {} : {}; absent {}.",
         "勝点: 勝ち {}、引き分け 先手 {} 後手 {}、負け {}、抜け番 {}、不戦勝 {} 不戦敗 {}、欠席 {}。", to_text(s.win),
         to_text(s.draw_black), to_text(s.draw_white), to_text(s.loss), to_text(s.bye), to_text(s.forfeit_win),
         to_text(s.forfeit_loss), to_text(s.absent));
    if (rules_of(settings).eliminates) {
      line(2, "An even pairing plays up to {} more games; then {} decides.",
           "同点の組は最大 {} 局追加、それでも同点なら{}。", settings.replays, decider(settings.decider));
    } else if (settings.draws == DrawRule::replay) {
      line(2, "A drawn game is played again with colours changed, up to {} times.",
           "引き分けは先後を入れ替えて最大 {} 回まで指し直し。", settings.replays);
    }
    if (settings.withdrawn == WithdrawnGames::annul) {
      line(2, "Who leaves before half of his rounds is taken out of the table.",
           "半分未満で棄権した参加者の対局はすべて無効。");
    }
  }
  std::string_view decider(Decider decider) const {
    if (decider == Decider::lot) return en_ ? "the lot" : "抽選";
    return en_ ? "the better seed" : "上位シードの勝ち";
  }

  void tie_breaks(const DivisionSettings& settings) {
    std::string list;
    for (const TieBreak by : settings.tie_breaks) {
      list += fmt::format("{}{}", list.empty() ? "" : en_ ? ", " : "、", long_name(by, language_));
    }
    line(2, "Ranks are decided by {}.", "順位: {} の順。", list);
  }

  void timetable(const DivisionSettings& settings, const DivisionPlan& plan) {
    const Timetable& table = settings.timetable;
    for (std::size_t i = 0; i < table.starts.size(); ++i) {
      const bool past = now_ && wall_at_local(table.starts[i], zone_).us < now_->us;
      line(2, "Round {} starts at {}{}.", "第 {} 回戦開始: {}{}。", i + 1, local_text(table.starts[i], zone_),
           !past ? ""
           : en_ ? ", which is past"
                 : "（過去の時刻）");
    }
    line(2, "Rounds follow {} after the last result, told {} before; who is absent for {} has lost.",
         "次の回戦は前の回戦終了の {} 後、開始 {} 前に予告。{} 遅刻で不戦敗。", seconds_text(table.gap_s, en_),
         seconds_text(table.countdown_s, en_), table.forfeit_s == 0 ? "-" : seconds_text(table.forfeit_s, en_));
    line(2, "A game lasts {} at the longest, the division {}.", "1 局は最長 {}、全体で最長 {}。",
         duration_text(plan.game_s), duration_text(plan.longest_s));
  }

  const Event& event_;
  bool en_;
  Language language_;
  const TimeZone& zone_;
  std::optional<Wall> now_;
  std::string text_;
};

}  // namespace

std::string time_text(const TimeRule& time, Language language) {
  const bool en = language == Language::en;
  std::string text = seconds_text(time.total_s, en);
  if (time.byoyomi_s > 0)
    text += fmt::format(fmt::runtime(en ? ", then {} s a move" : "、切れたら 1 手 {} 秒"), time.byoyomi_s);
  if (time.increment_s > 0) {
    text += fmt::format(fmt::runtime(en ? " + {} s before each move" : "、1 手ごとに {} 秒加算"), time.increment_s);
  }
  if (time.stopwatch_s > 0) {
    text += fmt::format(fmt::runtime(en ? ", counted in {} s" : "、{} 秒未満切り捨て"), time.stopwatch_s);
  }
  return text;
}

std::string_view declaration_text(shogi::DeclarationRule rule, Language language) {
  const bool en = language == Language::en;
  switch (rule) {
    case shogi::DeclarationRule::POINTS_27:
      return en ? "28 points win for Black, 27 for White" : "27 点法 (先手 28 点、後手 27 点で勝ち)";
    case shogi::DeclarationRule::POINTS_27_H:
      return en ? "28 points win for Black, 27 for White, who is credited with what a handicap left out"
                : "27 点法 (先手 28 点、後手 27 点で勝ち、落とした駒は上手の点に加える)";
    case shogi::DeclarationRule::POINTS_24:
      return en ? "31 points win, 24 to 30 draw" : "24 点法 (31 点以上で勝ち、24～30 点は引き分け)";
    case shogi::DeclarationRule::POINTS_24_H:
      return en ? "31 points win, 24 to 30 draw; White is credited with what a handicap left out"
                : "24 点法 (31 点以上で勝ち、24～30 点は引き分け、落とした駒は上手の点に加える)";
    case shogi::DeclarationRule::TRY:
      return en ? "none; the king on the middle of the last rank wins (try)"
                : "なし、トライルール (先手は 5 一、後手は 5 九に玉が入れば勝ち)";
    case shogi::DeclarationRule::NONE:
      return en ? "none, who declares has lost" : "なし (宣言は反則負け)";
  }
  return "";
}

std::string_view format_name(Format format, Language language) {
  return language == Language::en ? rules_of(format).name_en : rules_of(format).name_ja;
}

std::size_t most_entrants(const Event& event) {
  return event.entry.open || event.entrants.empty() ? event.entry.most : event.entrants.size();
}

std::string explain(const Event& event, std::size_t entrants, Language language, const TimeZone& zone,
                    std::optional<Wall> now) {
  return Writer(event, language, zone, now).write(entrants);
}

}  // namespace fuhyo::core::tournament
