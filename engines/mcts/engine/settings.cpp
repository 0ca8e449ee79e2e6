#include "engines/mcts/engine/settings.h"

#include <charconv>

namespace fuhyo::mcts {
namespace {

constexpr std::string_view kVisits = "visits", kLowerBound = "lower_bound";

std::int64_t hundredths(float value) { return static_cast<std::int64_t>(value * 100 + 0.5F); }

void add_exploration(usi::OptionTable& options) {
  const Parameters initial;
  options.add_spin("C_init", hundredths(initial.exploration.init), 0, 10'000,
                   {"how much is explored, in hundredths: c = C_init + ln((N + C_base + 1) / C_base), N: visits",
                    "探索の広さ(1/100単位)。c = C_init + ln((N + C_base + 1) / C_base)、Nは訪問数"});
  options.add_spin("C_base", static_cast<std::int64_t>(initial.exploration.base), 1, 10'000'000,
                   {"visits after which more is explored", "探索の広さが増え始める訪問数の目安"});
  options.add_spin("C_fpu_reduction", hundredths(initial.first_play_reduction), 0, 100,
                   {"how much worse untried moves are taken for, in hundredths of the chance to win",
                    "未探索の手の勝率をどれだけ低く見積もるか(1/100単位)"});
  options.add_spin("C_init_root", hundredths(initial.root_exploration.init), 0, 10'000,
                   {"C_init of the position that is searched", "ルート局面でのC_init"});
  options.add_spin("C_base_root", static_cast<std::int64_t>(initial.root_exploration.base), 1, 10'000'000,
                   {"C_base of the position that is searched", "ルート局面でのC_base"});
  options.add_spin("C_fpu_reduction_root", hundredths(initial.root_first_play_reduction), 0, 100,
                   {"C_fpu_reduction of the position that is searched", "ルート局面でのC_fpu_reduction"});
  options.add_spin("Softmax_Temperature", hundredths(initial.temperature), 1, 10'000,
                   {"temperature of the network's policy, in hundredths: the higher, the more alike all moves are",
                    "方策の温度(1/100単位)。大きいほど各手の確率が均等に近づく"});
}

void add_choices(usi::OptionTable& options) {
  const Settings initial;
  options.add_spin("DNN_Batch_Size", initial.batch, 0, 1'024,
                   {"positions that a thread evaluates together; 0: what suits the network's back end",
                    "1スレッドがまとめて評価する局面数。0なら自動"});
  options.add_combo(
      "LeafMatePlies", std::to_string(initial.leaf_mate_plies), {"0", "1", "3", "5", "7"},
      {"how long a mate is looked for at each position, in plies; 0: none", "各局面で探す詰みの手数。0なら探さない"});
  options.add_check("Mate_Root_Search", initial.root_mate,
                    {"look for a long mate for a small share of the time before the search",
                     "探索の前に持ち時間の一部で長手数の詰みを調べる"});
  options.add_check("ReuseSubtree", initial.reuse,
                    {"keep what is known of the position from the search before", "前の探索の木を引き継ぐ"});
  options.add_combo("FinalMove", std::string(kVisits), {std::string(kVisits), std::string(kLowerBound)},
                    {"what to play: visits: the move that was looked at most; lower_bound: the one whose chance to win "
                     "is the highest that is certain enough (LCB)",
                     "着手の選び方。visitsは訪問数最大、lower_boundは勝率の信頼下限(LCB)最大"});
  options.add_spin("Gumbel_Playouts", initial.halving_playouts, 0, 100'000,
                   {"searches limited to so many playouts at most share them out by sequential halving; 0: never",
                    "プレイアウト数の上限がこの値以下の探索では逐次半減法(Gumbel)で手を絞る。0なら使わない"});
}

}  // namespace

void add_settings(usi::OptionTable& options) {
  add_choices(options);
  add_exploration(options);
}

Settings settings_of(const usi::OptionTable& options) {
  const auto part = [&](std::string_view name) { return static_cast<float>(options.spin(name)) / 100; };
  const auto whole = [&](std::string_view name) { return static_cast<float>(options.spin(name)); };
  Settings settings;
  settings.parameters = {.exploration = {.init = part("C_init"), .base = whole("C_base")},
                         .root_exploration = {.init = part("C_init_root"), .base = whole("C_base_root")},
                         .first_play_reduction = part("C_fpu_reduction"),
                         .root_first_play_reduction = part("C_fpu_reduction_root"),
                         .temperature = part("Softmax_Temperature")};
  settings.batch = static_cast<int>(options.spin("DNN_Batch_Size"));
  settings.leaf_mate_plies = options.text("LeafMatePlies").front() - '0';
  settings.root_mate = options.check("Mate_Root_Search");
  settings.reuse = options.check("ReuseSubtree");
  settings.final_move = options.text("FinalMove") == kVisits ? FinalMove::visits : FinalMove::lower_bound;
  settings.halving_playouts = options.spin("Gumbel_Playouts");
  return settings;
}

}  // namespace fuhyo::mcts
