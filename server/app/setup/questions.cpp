#include "server/app/setup/questions.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <fmt/format.h>
#include <istream>
#include <optional>
#include <ostream>
#include <utility>

#include "engines/record/lines.h"
#include "engines/usi/levels.h"
#include "engines/usi/text.h"
#include "server/app/config/setters.h"
#include "server/core/tournament/settings.h"
#include "server/core/tournaments/running_event.h"
#include "server/net/web_guard.h"

namespace fuhyo::app {
namespace {

constexpr std::size_t kMaxEventName = 32;
constexpr std::string_view kEvening = "evening", kUsualClock = "300-5F";

// As the server would announce it.
bool is_event(std::string_view name, std::string_view clock) {
  using core::tournament::Setting;
  const std::array<Setting, 2> settings = {Setting{.key = "name", .value = std::string(name)},
                                           Setting{.key = "time", .value = std::string(clock)}};
  return core::read_stored_event(core::tournament::settings_text(settings), kMaxEventName).has_value();
}

bool take_name(const std::string& text, const Asking&, Answers& answers) {
  answers.name = text;
  return is_event(text, kUsualClock);
}

bool take_who(const std::string& text, const Asking&, Answers& answers) {
  answers.accounts = text == "accounts";
  return answers.accounts || text == "anybody";
}

bool take_clock(const std::string& text, const Asking&, Answers& answers) {
  answers.clock = text;
  return is_event(kEvening, text);
}

bool take_engines(const std::string& text, const Asking& asking, Answers& answers) {
  answers.engine_levels.clear();
  if (text == "none") return true;
  for (const std::string& word : split_list(text)) {
    const auto level = usi::to_integer(word);
    if (!level || *level < 1 || *level > usi::kHighestLevel) return false;
    answers.engine_levels.push_back(static_cast<int>(*level));
  }
  return asking.engines && !answers.engine_levels.empty() && answers.engine_levels.size() <= kMostSetupEngines;
}

std::optional<std::uint32_t> ipv4(const std::string& text) {
  in_addr address{};
  if (::inet_pton(AF_INET, text.c_str(), &address) != 1) return std::nullopt;
  return ntohl(address.s_addr);
}

// An address, a name, or the number of one that was offered.
bool take_address(const std::string& text, const Asking& asking, Answers& answers) {
  answers.address = text;
  if (ipv4(text)) return *ipv4(text) != INADDR_ANY;
  if (const auto number = usi::to_integer(text)) {
    if (*number < 1 || std::cmp_greater(*number, asking.addresses.size())) return false;
    answers.address = asking.addresses[static_cast<std::size_t>(*number) - 1];
    return true;
  }
  const bool has_letter = std::ranges::any_of(text, [](char c) { return c >= 'A' && c != '_'; });
  return has_letter && text.find(':') == text.npos && net::is_host(text);
}

bool take_page(const std::string& text, const Asking&, Answers& answers) {
  answers.page = text == "on";
  return answers.page || text == "off";
}

constexpr Phrase kAboutLevels = {
    "1 is a beginner, 30 the strongest. 8,8 is two engines at level 8. At most four; none: people and their programs.",
    "レベルは1がいちばん弱く、30がいちばん強いです。8,8 はレベル8のエンジン二つ。四つまで。none "
    "は、人とそのプログラムだけ。"};

const std::array<Question, 6> kQuestions = {{
    {.flag = "name",
     .takes = "NAME",
     .asked = {"Name of the event", "大会の名前（半角英数字）"},
     .help = {"Games and records are named after it. Letters, digits, - and _, at most 32.",
              "対局名と棋譜の名前はこれで始まります。半角の英数字と - と _、32文字まで。"},
     .wrong = {"A name has letters, digits, - and _, at most 32. It is not floodgate, and does not begin with buoy_.",
               "名前は半角の英数字と - と _、32文字までです。floodgate と、buoy_ で始まる名前は使えません。"},
     .initial = std::string(kEvening),
     .take = take_name},
    {.flag = "players",
     .takes = "anybody|accounts",
     .asked = {"Who may play: anybody, or accounts",
               "対局できる人: anybody（誰でも）か accounts（アカウントのある人）"},
     .help = {"accounts: only players for whom you make an account. Everybody may watch.",
              "accounts では、運営者がアカウントを作った人だけが対局できます。観戦は誰でもできます。"},
     .wrong = {"Answer anybody or accounts.", "anybody か accounts で答えてください。"},
     .initial = "anybody",
     .take = take_who},
    {.flag = "clock",
     .takes = "TOTAL-BYOYOMI|TOTAL-INCREMENTF",
     .asked = {"Clock, in seconds", "持ち時間（秒）"},
     .help = {"300-5F: 5 minutes, and 5 seconds more before each move. 600-30: 10 minutes, then 30 seconds a move. "
              "900-0: 15 minutes.",
              "300-5F は5分、1手ごとに5秒加算。600-30 は10分、切れたら1手30秒。900-0 は15分切れ負け。"},
     .wrong = {"A clock is written in seconds, as 300-5F or 600-30.",
               "持ち時間は 300-5F や 600-30 のように秒数で書いてください。"},
     .initial = std::string(kUsualClock),
     .take = take_clock},
    {.flag = "engines",
     .takes = "none|LEVEL,...",
     .asked = {"Engines that play along: levels with commas, or none",
               "参加するエンジン: レベル（コンマ区切り）か none（なし）"},
     .help = kAboutLevels,
     .wrong = {"Levels are numbers from 1 to 30 with commas between, at most four; or none.",
               "レベルは1から30までの数をコンマで区切って四つまで、または none です。"},
     .initial = "8,8",
     .take = take_engines},
    {.flag = "address",
     .takes = "ADDRESS|NAME",
     .asked = {"Address of this machine for players and browsers",
               "対局者とブラウザの接続先になるこのマシンのアドレス"},
     .help =
         {"A number of the list, an address of IPv4, or a name of this machine. With 127.0.0.1 nobody else gets in.",
          "一覧の番号、IPv4 アドレス、またはこのマシンの名前。127.0.0.1 ではほかのマシンから接続できません。"},
     .wrong = {"An address is a number of the list, or like 192.168.50.1 or shogi.example.",
               "一覧の番号か、192.168.50.1 や shogi.example のように答えてください。"},
     .initial = "",
     .take = take_address},
    {.flag = "page",
     .takes = "on|off",
     .asked = {"Page for browsers: on or off", "ブラウザ用のページ: on か off"},
     .help = {"on: people watch in browsers, and play there without a program.",
              "on では、ブラウザで観戦でき、プログラムがなくても対局できます。"},
     .wrong = {"Answer on or off.", "on か off で答えてください。"},
     .initial = "on",
     .take = take_page},
}};

// What this machine decides, and what is given.
Question fitted(Question question, const Asking& asking) {
  if (question.flag == "address" && !asking.addresses.empty()) question.initial = asking.addresses.front();
  if (question.flag == "engines" && !asking.engines) {
    question.initial = "none";
    question.wrong = {"fuhyo-nnue is not beside this program: none.",
                      "このプログラムの隣に fuhyo-nnue がありません。none と答えてください。"};
  }
  if (const auto given = asking.given.find(question.flag); given != asking.given.end())
    question.initial = given->second;
  return question;
}

void offer(const Asking& asking, std::ostream& out) {
  for (std::size_t i = 0; i < asking.addresses.size(); ++i)
    out << fmt::format("  {}  {}\n", i + 1, asking.addresses[i]);
}

// Until an answer is good. False: there are no more lines.
bool ask_until_good(const Question& question, const Asking& asking, Answers& answers, std::istream& in,
                    std::ostream& out) {
  if (question.flag == "address") offer(asking, out);
  for (std::string line;;) {
    out << fmt::format("{} [{}]: ", question.asked.in(asking.language), question.initial) << std::flush;
    if (!std::getline(in, line)) return false;
    const std::string answer(record::trim(line));
    if (answer != "?" && question.take(answer.empty() ? question.initial : answer, asking, answers)) return true;
    out << fmt::format("  {}\n", (answer == "?" ? question.help : question.wrong).in(asking.language));
  }
}

}  // namespace

bool Answers::is_local() const {
  const auto number = ipv4(address);
  return number ? *number >> 24 == IN_LOOPBACKNET : address == "localhost";
}

bool Answers::has_a_name() const { return !ipv4(address) && !is_local(); }

std::vector<Question> questions_of(const Asking& asking) {
  std::vector<Question> questions;
  for (const Question& each : kQuestions) questions.push_back(fitted(each, asking));
  return questions;
}

std::expected<Answers, std::string> ask_for_answers(const Asking& asking, std::istream& in, std::ostream& out) {
  constexpr Phrase kHow = {"Enter takes the answer in brackets, ? explains.",
                           "Enter で [ ] の中の答えになります。? で説明が出ます。"};
  constexpr Phrase kNoMore = {"there are no more answers, so nothing is written (--yes takes the defaults)",
                              "答えが途中で終わったので、何も書きませんでした（--yes で既定の答えになります）"};
  Answers answers;
  bool is_first = true;
  for (const Question& question : questions_of(asking)) {
    if (!asking.yes && !asking.given.contains(question.flag)) {
      if (std::exchange(is_first, false)) out << kHow.in(asking.language) << "\n";
      if (!ask_until_good(question, asking, answers, in, out))
        return std::unexpected(std::string(kNoMore.in(asking.language)));
    } else if (!question.take(question.initial, asking, answers)) {
      return std::unexpected(fmt::format("--{}: {}", question.flag, question.wrong.in(asking.language)));
    }
  }
  return answers;
}

}  // namespace fuhyo::app
