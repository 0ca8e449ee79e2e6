#include "server/app/setup/report.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "server/app/commands.h"

namespace fuhyo::app {
namespace {

// As the shell reads it back.
std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-+@%,:";
  if (!text.empty() && text.find_first_not_of(kPlain) == text.npos) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
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

std::string setup_page(const Answers& answers, const SetupPlace& place) {
  return fmt::format("http://{}:{}", answers.address, place.http_port);
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
  } else if (answers.page) {
    out += says({"\nThe page, for phones:\n", "\nスマートフォン用（ページ）:\n"});
  }
  return out;
}

SetupEnd set_up(const Answers& answers, const SetupPlace& place, Language language) {
  const NewOperator host = make_operator("host", core::Role::host);
  if (const auto written =
          write_setup(place.folder, setup_config(answers, place, host.post, language), setup_event(answers, language));
      !written) {
    return {.code = kExitCannotCreate, .said = written.error(), .page = {}};
  }
  return {.code = kExitOk,
          .said = setup_report(answers, place, host, language),
          .page = answers.page && !answers.is_local() ? setup_page(answers, place) : ""};
}

}  // namespace fuhyo::app
