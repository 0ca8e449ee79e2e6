#include "server/app/setup/files.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include "server/app/config/config.h"
#include "server/app/config/print.h"
#include "server/app/tournament/event_file.h"
#include "server/store/records/disk.h"

namespace fuhyo::app {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, kMostSetupEngines> kBirds = {"Kamome", "Chidori", "Suzume", "Mejiro"};
constexpr std::uint32_t kOwnerAlone = 0600;

// Lines "key = value", each with the reason for it.
class CommentedToml {
 public:
  explicit CommentedToml(Language language) : language_(language) {}
  std::string_view said(const Phrase& phrase) const { return phrase.in(language_); }
  void line(std::string_view key, std::string_view value, const Phrase& why) {
    text += fmt::format("{:<40} # {}\n", fmt::format("{} = {}", key, value), said(why));
  }
  void word(std::string_view key, std::string_view value, const Phrase& why) { line(key, quoted_toml(value), why); }

  std::string text;

 private:
  Language language_;
};

std::string seat_line(const Answers& answers, const SetupPlace& place, std::size_t number) {
  const std::string& program = number % 2 == 1 && !place.mcts.empty() ? place.mcts : place.nnue;
  return fmt::format("name={} engine='{}' game={} turn=+ level={}", kBirds.at(number), program, answers.game_name(),
                     answers.engine_levels[number]);
}

void add_engines(const Answers& answers, const SetupPlace& place, CommentedToml& toml) {
  if (answers.engine_levels.empty()) return;
  toml.line("engine-threads", std::to_string(answers.engine_levels.size()),
            {"so many engines may think at once", "同時に考えられるエンジンの数"});
  toml.text +=
      toml.said({"# turn=+: they do not play one another before the tournament, which gives out colours itself.\n",
                 "# turn=+: 大会が始まるまで互いに対局しない。大会の手番はサーバーが決める。\n"});
  toml.text += "engine = [\n";
  for (std::size_t i = 0; i < answers.engine_levels.size(); ++i) {
    toml.text += fmt::format("  {},\n", quoted_toml(seat_line(answers, place, i)));
  }
  toml.text += "]\n";
}

std::expected<void, std::string> check_setup(const fs::path& config, const fs::path& event) {
  const Checked checked = check_config({}, [](const char*) { return nullptr; }, config);
  if (!checked.problems.empty()) return std::unexpected(fmt::format("{}", fmt::join(checked.problems, "\n")));
  if (const auto read = read_event_file(event); !read) return std::unexpected(read.error());
  return {};
}

// The names under which both are looked at first.
fs::path draft(const fs::path& folder, const char* name) { return folder / fmt::format("{}.new", name); }

std::expected<void, std::string> write_drafts(const fs::path& folder, const std::string& config,
                                              const std::string& event) {
  const fs::path config_draft = draft(folder, kSetupConfig), event_draft = draft(folder, kSetupEvent);
  if (auto written = store::replace_file(config_draft, config, kOwnerAlone); !written) return written;
  if (auto written = store::replace_file(event_draft, event); !written) return written;
  return check_setup(config_draft, event_draft);
}

// By links, which unlike a renamed file take no name that somebody else has taken meanwhile.
std::expected<void, std::string> name_drafts(const fs::path& folder) {
  std::error_code error, ignored;
  fs::create_hard_link(draft(folder, kSetupEvent), folder / kSetupEvent, error);
  if (!error) {
    fs::create_hard_link(draft(folder, kSetupConfig), folder / kSetupConfig, error);
    if (error) fs::remove(folder / kSetupEvent, ignored);
  }
  if (error) return std::unexpected(fmt::format("cannot write into {}: {}", folder.string(), error.message()));
  return store::sync_folder(folder);
}

}  // namespace

std::string setup_config(const Answers& answers, const SetupPlace& place, const Operator& post, Language language) {
  const std::string host = answers.is_local() ? "127.0.0.1" : "0.0.0.0";
  CommentedToml toml(language);
  toml.text = toml.said({"# By fuhyo setup. `fuhyo config example` prints every setting.\n",
                         "# fuhyo setup が書いたファイル。すべての設定は fuhyo config example で表示される。\n"});
  std::error_code ignored;  // then it is relative to where the server is started
  const fs::path data = fs::absolute(place.folder, ignored).lexically_normal() / "data";
  toml.word("data", data.string(), {"everything that is kept", "保存するものはすべてここに入る"});
  toml.word("csa", fmt::format("{}:{}", host, place.csa_port),
            {"players; 0.0.0.0 is every address of this machine", "対局者の接続先。0.0.0.0 はこのマシンの全アドレス"});
  toml.word("http", answers.page ? fmt::format("{}:{}", host, place.http_port) : "off",
            {"browsers", "ブラウザの接続先"});
  if (answers.page && answers.has_a_name()) {
    toml.word("web-host", answers.address, {"the name that browsers ask for", "ブラウザが使う名前"});
  }
  toml.word("event", answers.name, {"Game_IDs begin so", "Game_ID の先頭に付く"});
  toml.word("clock", answers.clock,
            {"seconds; of the game that the start names", "起動時に案内する対局の持ち時間（秒）"});
  toml.word("accounts", answers.accounts ? "closed" : "open",
            {"who plays: open is anybody, closed who has an account",
             "open は誰でも、closed はアカウントのある人が対局できる"});
  if (answers.page) {
    toml.word("csa-websocket", "on", {"who has no program plays in his browser", "ブラウザだけでも対局できる"});
  }
  toml.line("loss-grace", "60", {"seconds to come back after a lost line", "接続が切れてから戻るまでの猶予（秒）"});
  toml.word("reconnect-tokens", "on",
            {"a page that is loaded again comes back", "ページを読み込み直しても対局に戻れる"});
  add_engines(answers, place, toml);
  return toml.text + "\n" + operator_toml(post);
}

std::string setup_event(const Answers& answers, Language language) {
  CommentedToml toml(language);
  toml.word("name", answers.name, {"games are named after it", "対局名はこれで始まる"});
  toml.word("format", "round-robin", {"everybody against everybody", "総当たり"});
  toml.word("time", answers.clock, {"seconds; F: added before each move", "持ち時間（秒）。F は1手ごとの加算"});
  toml.line("gap-s", "30", {"between rounds", "回戦の間隔（秒）"});
  toml.text += "\n[entry]\n";
  toml.line("max", "8", {"players at most", "参加者の上限"});
  return toml.text;
}

std::expected<void, std::string> write_setup(const fs::path& folder, const std::string& config,
                                             const std::string& event) {
  if (auto made = store::make_folder(folder); !made) return made;
  auto written = write_drafts(folder, config, event);
  if (written) written = name_drafts(folder);
  std::error_code ignored;
  for (const char* name : {kSetupConfig, kSetupEvent}) fs::remove(draft(folder, name), ignored);
  return written;
}

}  // namespace fuhyo::app
