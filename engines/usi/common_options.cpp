#include "engines/usi/common_options.h"

#include <algorithm>
#include <utility>

namespace fuhyo::usi {
namespace {

using enum shogi::DeclarationRule;

constexpr int kMostThreads = 512;
constexpr std::int64_t kMostHash = 1'048'576;  // megabytes
constexpr int kMostLines = 600;                // more than any position has moves
constexpr int kMate = 30'000;                  // centipawns, for ResignValue

// In the order in which GUIs show them.
constexpr std::array kRules = {NONE, POINTS_24, POINTS_24_H, POINTS_27, POINTS_27_H, TRY};

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  names.reserve(kRules.size());
  for (const shogi::DeclarationRule rule : kRules) names.emplace_back(shogi::entering_king_rule(rule));
  return names;
}

void add_search(OptionTable& table) {
  const CommonOptions initial;
  table.add_spin("Threads", initial.threads, 1, kMostThreads,
                 {"threads of the search; with more than one, results differ from run to run",
                  "探索に使うスレッド数。2以上では結果が毎回変わりうる"});
  table.add_spin(
      "USI_Hash", static_cast<std::int64_t>(initial.hash_mb), 1, kMostHash,
      {"megabytes of what is remembered: the transposition table, or the tree", "置換表または探索木の大きさ (MB)"});
  table.add_check(
      "USI_Ponder", initial.ponder,
      {"the GUI lets the engine think on the opponent's time", "相手の手番でも考える(先読み)。GUIが設定する"});
  table.add_check("Stochastic_Ponder", initial.stochastic_ponder,
                  {"on the opponent's time, think about the position before the move, not after the one expected",
                   "先読みのとき、予想手を指した局面ではなく1手前の局面を考える"});
  table.add_spin("MultiPV", initial.multi_pv, 1, kMostLines,
                 {"how many of the best moves to find and tell", "候補手をいくつ求めて表示するか"});
  table.add_spin("DepthLimit", 0, 0, 1'000,
                 {"no search goes deeper, unless \"go depth\" says so; 0: no limit",
                  "探索の深さの上限。0なら無制限。go depthが優先される"});
  table.add_spin("NodesLimit", 0, 0, INT64_MAX,
                 {"no search looks at more positions, unless \"go nodes\" says so; 0: no limit",
                  "探索する局面数の上限。0なら無制限。go nodesが優先される"});
}

void add_rules(OptionTable& table) {
  const CommonOptions initial;
  table.add_spin(
      "DrawValueBlack", initial.draw_value_cp[shogi::BLACK], -30'000, 30'000,
      {"what a draw is worth in centipawns to the engine as Black", "エンジンが先手のときの引き分けの価値(歩1枚=100)"});
  table.add_spin(
      "DrawValueWhite", initial.draw_value_cp[shogi::WHITE], -30'000, 30'000,
      {"what a draw is worth in centipawns to the engine as White", "エンジンが後手のときの引き分けの価値(歩1枚=100)"});
  table.add_spin("ResignValue", initial.resign_value, 0, 99'999,
                 {"resign once the evaluation is at or below minus this, in centipawns; 99999: never",
                  "評価値がこの値のマイナス以下になったら投了する。99999なら投了しない"});
  table.add_combo("EnteringKingRule", "CSARule27", rule_names(),
                  {"when to declare a win by entering king: never, by 31 points, by 28 (Black) or 27 (White), H: with "
                   "what a handicap left out credited to White; TryRule: king to 5a (5i)",
                   "入玉宣言の規則。なし、24点法(31点で勝ち)、27点法(先手28点・後手27点)、Hは駒落ち対応、TryRuleは"
                   "トライルール"});
  table.add_check("GenerateAllLegalMoves", initial.generate_all,
                  {"consider also moves that are never better than another, such as a bishop not promoting",
                   "角や歩の不成のような、損な指し手も候補に入れる"});
}

void add_output(OptionTable& table) {
  const CommonOptions initial;
  table.add_spin("PvInterval", initial.pv_interval_ms, 0, 100'000'000,
                 {"milliseconds between two lines about the search; 0: every one; analysis tells every one",
                  "読み筋を出力する間隔(ミリ秒)。0なら毎回。検討中は毎回出力する"});
  table.add_check("ConsiderationMode", initial.consideration,
                  {"for analysis: lines as long as they are known, and every one of them told",
                   "検討用。読み筋をできるだけ長く、すべて出力する"});
  table.add_check("OutputFailLHPV", initial.report_bounds,
                  {"tell values that are only bounds (lowerbound, upperbound), too",
                   "評価値が上限・下限しか分からないとき(fail low/high)の読み筋も出力する"});
  table.add_check(
      "OutputRepetition", initial.report_repetition,
      {"in analysis, end a line in which a position comes back with rep_draw, rep_win, rep_lose, rep_sup or "
       "rep_inf; some GUIs cannot read them",
       "検討中、千日手などで終わる読み筋の末尾にrep_draw等を付ける。読めないGUIもある"});
  table.add_check("USI_ShowWDL", initial.show_wdl,
                  {"add \"wdl W D L\" to each line: chances to win, draw and lose, per mille",
                   "読み筋に勝ち・引き分け・負けの見込み(千分率)を「wdl 勝 分 負」として加える"});
  table.add_filename("DebugLogFile", "",
                     {"file to which everything that is read and written is appended; empty: none",
                      "GUIとのやりとりを追記するファイル。空なら記録しない"});
}

}  // namespace

void add_common_options(OptionTable& table) {
  add_search(table);
  add_rules(table);
  add_output(table);
}

CommonOptions common_options(const OptionTable& table) {
  const auto number = [&](std::string_view name) { return static_cast<int>(table.spin(name)); };
  return {.threads = number("Threads"),
          .hash_mb = static_cast<std::size_t>(table.spin("USI_Hash")),
          .ponder = table.check("USI_Ponder"),
          .stochastic_ponder = table.check("Stochastic_Ponder"),
          .multi_pv = number("MultiPV"),
          .depth_limit = number("DepthLimit"),
          .nodes_limit = table.spin("NodesLimit"),
          .draw_value_cp = {number("DrawValueBlack"), number("DrawValueWhite")},
          .resign_value = number("ResignValue"),
          .declaration = *shogi::entering_king_rule_of(table.text("EnteringKingRule")),
          .generate_all = table.check("GenerateAllLegalMoves"),
          .pv_interval_ms = table.spin("PvInterval"),
          .consideration = table.check("ConsiderationMode"),
          .report_bounds = table.check("OutputFailLHPV"),
          .report_repetition = table.check("OutputRepetition"),
          .show_wdl = table.check("USI_ShowWDL")};
}

GoLimits with_limits(GoLimits limits, const CommonOptions& options) {
  if (!limits.depth && options.depth_limit > 0) limits.depth = options.depth_limit;
  if (!limits.nodes && options.nodes_limit > 0) limits.nodes = options.nodes_limit;
  return limits;
}

bool resigns(const Score& score, const CommonOptions& options) {
  if (options.resign_value >= 99'999 || score.bound == Score::Bound::lower) return false;
  if (score.kind == Score::Kind::win) return false;
  const int value = score.kind == Score::Kind::lose ? -kMate : score.value;
  return value <= -options.resign_value;
}

}  // namespace fuhyo::usi
