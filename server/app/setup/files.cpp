#include "server/app/setup/files.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
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
  void line(std::string_view key, std::string_view value, const Phrase& why) {
    fmt::format_to(std::back_inserter(text), "{:<40} # {}\n", fmt::format("{} = {}", key, value), why.in(language_));
  }
  void word(std::string_view key, std::string_view value, const Phrase& why) { line(key, quoted_toml(value), why); }

  std::string text;

 private:
  Language language_;
};

// As the shell reads it back.
std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-+@%,:";
  if (!text.empty() && text.find_first_not_of(kPlain) == text.npos) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// Both want Black: until the tournament is announced they do not play one another under its name. In the tournament
// colours are the server's.
std::string seat_line(const Answers& answers, const SetupPlace& place, std::size_t number) {
  const std::string& program = number % 2 == 1 && !place.mcts.empty() ? place.mcts : place.nnue;
  return fmt::format("name={} engine='{}' game={} turn=+ level={}", kBirds.at(number), program, answers.game_name(),
                     answers.engine_levels[number]);
}

void add_engines(const Answers& answers, const SetupPlace& place, CommentedToml& toml) {
  if (answers.engine_levels.empty()) return;
  toml.line("engine-threads", std::to_string(answers.engine_levels.size()),
            {"so many engines may think at once", "同時に考えられるエンジンの数"});
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

std::expected<void, std::string> name_drafts(const fs::path& folder) {
  std::error_code error, ignored;
  fs::rename(draft(folder, kSetupEvent), folder / kSetupEvent, error);
  if (!error) {
    fs::rename(draft(folder, kSetupConfig), folder / kSetupConfig, error);
    if (error) fs::remove(folder / kSetupEvent, ignored);
  }
  if (error) return std::unexpected(fmt::format("cannot write into {}: {}", folder.string(), error.message()));
  return store::sync_folder(folder);
}

// Lines of two columns.
void add_rows(std::string& out, const std::vector<std::pair<std::string, std::string_view>>& rows) {
  std::size_t width = 0;
  for (const auto& [left, right] : rows) width = std::max(width, left.size());
  for (const auto& [left, right] : rows) out += fmt::format("  {:<{}}   {}\n", left, width, right);
}

std::string commands_to_come(const Answers& answers, const SetupPlace& place, Language language) {
  const auto path = [&](const char* name) { return shell_word((place.folder / name).lexically_normal().string()); };
  const std::string config = "--config " + path(kSetupConfig);
  const auto says = [&](Phrase phrase) { return phrase.in(language); };
  std::vector<std::pair<std::string, std::string_view>> rows = {
      {"fuhyo serve " + config,
       says({"starts the server; the next ones go into a second terminal", "サーバーを起動する。次からは別の端末で"})},
      {fmt::format("fuhyo tournament new {} {}", path(kSetupEvent), config),
       says({"announces the tournament", "大会を告知する"})},
      {fmt::format("fuhyo tournament start {} {}", answers.name, config),
       says({"begins it, when the players are there", "対局者がそろったら始める"})}};
  if (answers.accounts) {
    rows.insert(rows.begin() + 2, {{fmt::format("fuhyo admin {} account-add NAME", config),
                                    says({"a player", "対局者のアカウントを作る"})},
                                   {fmt::format("fuhyo admin {} token NAME", config),
                                    says({"his token, told once", "その人のトークン（一度だけ表示）"})}});
  }
  std::string out;
  add_rows(out, rows);
  return out;
}

std::string addresses_to_give(const Answers& answers, const SetupPlace& place, Language language) {
  const auto says = [&](Phrase phrase) { return phrase.in(language); };
  const std::string page = setup_page(answers, place), game = answers.game_name();
  std::vector<std::pair<std::string, std::string_view>> rows = {
      {fmt::format("{}:{}   {},WORD", answers.address, place.csa_port, game),
       says({"programs: server and password (CSA)", "プログラム: CSA の接続先とパスワード"})}};
  if (answers.page) {
    rows.emplace_back(page, says({"browsers: the boards", "ブラウザ: 観戦"}));
    rows.emplace_back(fmt::format("{}/play?game={}", page, game), says({"browsers: a seat", "ブラウザ: 対局"}));
  }
  std::string out;
  add_rows(out, rows);
  return out;
}

}  // namespace

std::string setup_config(const Answers& answers, const SetupPlace& place, const Operator& post, Language language) {
  const std::string host = answers.is_local() ? "127.0.0.1" : "0.0.0.0";
  CommentedToml toml(language);
  toml.text = Phrase{"# By fuhyo setup. `fuhyo config example` prints every setting.\n",
                     "# fuhyo setup が書いたファイル。すべての設定は fuhyo config example で表示される。\n"}
                  .in(language);
  const fs::path data = fs::absolute(place.folder).lexically_normal() / "data";
  toml.word("data", data.string(), {"everything that is kept", "保存するものはすべてここに入る"});
  toml.word("csa", fmt::format("{}:{}", host, place.csa_port),
            {"players; 0.0.0.0 is every address of this machine", "対局者の接続先。0.0.0.0 はこのマシンの全アドレス"});
  toml.word("http", answers.page ? fmt::format("{}:{}", host, place.http_port) : "off",
            {"browsers", "ブラウザの接続先"});
  if (answers.page && answers.has_a_name()) {
    toml.word("web-host", answers.address, {"the name that browsers ask for", "ブラウザが使う名前"});
  }
  toml.word("event", answers.name, {"Game_IDs begin so", "Game_ID の先頭に付く"});
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

std::string setup_page(const Answers& answers, const SetupPlace& place) {
  return fmt::format("http://{}:{}", answers.address, place.http_port);
}

std::string setup_report(const Answers& answers, const SetupPlace& place, const NewOperator& host, Language language) {
  const auto says = [&](Phrase phrase) { return phrase.in(language); };
  std::string out =
      fmt::format(fmt::runtime(says({"{} and {} are written.\nsecret of the operator {}, shown this once: {}\n",
                                     "{} と {} を書きました。\n運営者 {} の秘密の文字列（一度だけ表示）: {}\n"})),
                  kSetupConfig, kSetupEvent, host.post.name, host.secret);
  out += says({"\nType next:\n", "\n次に実行するコマンド:\n"});
  out += commands_to_come(answers, place, language);
  out += answers.accounts
             ? says({"\nGive to players (WORD is the token):\n", "\n対局者に伝えること（WORD はトークン）:\n"})
             : says({"\nGive to players (WORD is one of their own):\n",
                     "\n対局者に伝えること（WORD は各自の好きな言葉）:\n"});
  out += addresses_to_give(answers, place, language);
  if (answers.is_local()) {
    out += fmt::format(
        fmt::runtime(says({"\nOnly this machine reaches {}.\n", "\n{} にはこのマシンからしか接続できません。\n"})),
        answers.address);
  }
  return out;
}

}  // namespace fuhyo::app
