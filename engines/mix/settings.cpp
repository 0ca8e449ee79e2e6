#include "engines/mix/settings.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "engines/usi/time_manager.h"

namespace fuhyo::mix {
namespace {

constexpr std::array<std::string_view, kMostMembers> kCommands = {"fuhyo-nnue", "fuhyo-mcts", ""};
constexpr std::array<int, kMostMembers> kScales = {600, 756, 600};
std::string option_of(int member, std::string_view what) { return fmt::format("Engine{}{}", member + 1, what); }

void add_member(usi::OptionTable& table, int member) {
  const auto i = static_cast<std::size_t>(member);
  table.add_string(option_of(member, ""), std::string(kCommands[i]),
                   {"command of a USI engine that decides with the others; looked for beside this program first; "
                    "empty: none",
                    "合議に加わるUSIエンジンのコマンド。まずこのプログラムと同じフォルダーで探す。空なら使わない"});
  table.add_string(option_of(member, "Options"), "",
                   {"its options: NAME=VALUE, blanks between them, quotes around values with blanks: "
                    "EvalFile=nn.bin Threads=2",
                    "そのエンジンのオプション。「名前=値」を空白で区切る。値に空白があれば引用符で囲む。"
                    "例: EvalFile=nn.bin Threads=2"});
  table.add_string(option_of(member, "Name"), "",
                   {"how it is called in info lines and in the log; empty: as it calls itself",
                    "読み筋や記録での表示名。空ならエンジン自身の名前"});
  table.add_string(option_of(member, "Dir"), "",
                   {"its working folder; empty: that of this program", "作業フォルダー。空ならこのプログラムと同じ"});
  table.add_spin(option_of(member, "Scale"), kScales[i], 1, 100'000,
                 {"where it tells no chances (wdl): win rate = 1 / (1 + exp(-centipawns / this)); 600 is usual, 756 "
                  "for engines of dlshogi's kind",
                  "wdlを出力しないとき: 勝率 = 1 / (1 + exp(-評価値 / この値))。通常は600、dlshogi系は756"});
}

// Divides threads and memory among the members.
void deal_out(const usi::OptionTable& table, std::vector<MemberConfig>& members) {
  auto left = static_cast<std::int64_t>(members.size());
  std::int64_t threads = table.spin("Threads"), megabytes = table.spin("USI_Hash");
  for (MemberConfig& config : members) {
    const std::int64_t mine = std::max<std::int64_t>((threads + left - 1) / left, 1);
    const std::int64_t memory = std::max<std::int64_t>(megabytes / left, 1);
    threads -= mine, megabytes -= memory, --left;
    config.setup.if_declared = members::common_setup(table, mine, memory);
  }
}

}  // namespace

void add_settings(usi::OptionTable& table) {
  for (int member = 0; member < kMostMembers; ++member) add_member(table, member);
  table.add_spin("Weight", 50, 1, 99,
                 {"per cent that the first engine counts up to move 40; the others share the rest",
                  "40手目までの1番目のエンジンの重み(%)。残りを他のエンジンで等分する"});
  table.add_spin("WeightLate", 70, 1, 99,
                 {"per cent that it counts from move 120 on; between the two, it grows evenly",
                  "120手目以降の重み(%)。その間は少しずつ変わる"});
  table.add_spin("CrossExamination", 15, 0, 50,
                 {"per cent of a move's time in which engines that differ look at each other's moves; 0: none",
                  "意見が分かれたとき、互いの手を調べ合う時間の割合(%)。0なら調べない"});
  table.add_filename("DecisionLog", "",
                     {"file to which a line of JSON is appended whenever engines differ; empty: none",
                      "意見が分かれるたびに1行のJSONを追記するファイル。空なら記録しない"});
}

std::expected<Settings, std::string> settings_of(const usi::OptionTable& table, const std::string& beside) {
  Settings settings{.weight_percent = static_cast<int>(table.spin("Weight")),
                    .late_weight_percent = static_cast<int>(table.spin("WeightLate")),
                    .share_percent = static_cast<int>(table.spin("CrossExamination")),
                    .decision_log = table.text("DecisionLog")};
  for (int member = 0; member < kMostMembers; ++member) {
    const std::string& text = table.text(option_of(member, ""));
    if (text.empty()) continue;
    const auto command = members::parse_command(text, beside);
    if (!command) return std::unexpected(option_of(member, ": ") + command.error());
    const auto options = members::parse_options(table.text(option_of(member, "Options")));
    if (!options) return std::unexpected(option_of(member, "Options: ") + options.error());
    settings.members.push_back({.command = *command,
                                .folder = table.text(option_of(member, "Dir")),
                                .setup = {.name = table.text(option_of(member, "Name")),
                                          .options = *options,
                                          .scale = static_cast<double>(table.spin(option_of(member, "Scale"))),
                                          .max_moves = usi::time_options(table).max_moves}});
  }
  if (settings.members.empty()) return std::unexpected(std::string("Engine1, Engine2: there is no engine to ask"));
  deal_out(table, settings.members);
  return settings;
}

}  // namespace fuhyo::mix
