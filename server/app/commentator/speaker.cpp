#include "server/app/commentator/speaker.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <utility>

#include <boost/json.hpp>

#include "server/app/commentator/endpoint.h"
#include "server/app/commentator/prompt.h"
#include "server/app/serve/host_facts.h"
#include "server/core/commentary/filter.h"

namespace fuhyo::app {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::size_t kMostGames = 64;  // that are in memory
constexpr std::size_t kMostAsked = 8;   // questions that wait
constexpr std::size_t kFormer = 6;      // things that it said before, in a prompt
constexpr std::int64_t kRest_s = 30, kLongestRest_s = 3'600;
constexpr const char* kSpent = "spent";

// A line that a crash has cut is none.
std::vector<core::Told> read_said(const fs::path& file) {
  std::vector<core::Told> said;
  std::ifstream lines(file, std::ios::binary);
  for (std::string line; std::getline(lines, line);) {
    boost::system::error_code error;
    const json::value value = json::parse(line, error);
    const json::object* found = error ? nullptr : value.if_object();
    if (found == nullptr) continue;
    core::Told told;
    if (const json::value* ply = found->if_contains("ply"); ply != nullptr && ply->is_int64()) {
      told.ply = static_cast<std::int32_t>(ply->as_int64());
    }
    for (const auto& [key, text] : {std::pair("ja", &told.words.ja), std::pair("en", &told.words.en)}) {
      const json::value* words = found->if_contains(key);
      if (words != nullptr && words->is_string()) *text = std::string(words->as_string());
    }
    said.push_back(std::move(told));
  }
  return said;
}

}  // namespace

Speaker::Speaker(Persona persona, fs::path folder, std::function<void(std::string_view)> warn)
    : persona_(std::move(persona)),
      folder_(std::move(folder)),
      warn_(std::move(warn)),
      builtin_(persona_.name, persona_.english),
      budget_(persona_.limits),
      questions_({.calls_a_minute = persona_.limits.calls_a_minute, .calls_a_day = persona_.questions_a_day}) {
  std::error_code error;  // what cannot be written is told when it is
  fs::create_directories(folder_, error);
  std::ifstream spent(folder_ / kSpent);
  if (std::string line; std::getline(spent, line)) budget_.go_on(line);
  thread_ = std::thread([this] { run(); });
}

Speaker::~Speaker() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Speaker::hear(const core::Turn& turn, bool watched) {
  builtin_.hear(turn, watched);
  if (!watched) return;
  {
    const std::lock_guard lock(mutex_);
    heard_.insert_or_assign(turn.game, turn);
  }
  wake_.notify_one();
}

// The built-in words answer at once where too many ask.
void Speaker::ask(core::Question question, Answer answer) {
  auto turn = builtin_.newest(question.room);
  if (!turn) return;  // there has been no game to speak of
  {
    const std::lock_guard lock(mutex_);
    if (asked_.size() < kMostAsked) {
      asked_.push_back({.turn = std::move(*turn), .question = std::move(question), .answer = std::move(answer)});
      return wake_.notify_one();
    }
  }
  builtin_.answer(*turn, answer);
}

std::vector<core::Told> Speaker::said(core::GameId game) {
  const std::lock_guard lock(mutex_);
  Said said = said_of(game);
  for (core::Told& told : said) {
    if (!told.words.ja.empty()) told.words.ja = fmt::format("{}「{}」", persona_.name, told.words.ja);
    if (!told.words.en.empty()) told.words.en = fmt::format("{}: {}", persona_.name, told.words.en);
  }
  return said;
}

void Speaker::tell(Listener listener) {
  const std::lock_guard lock(mutex_);
  listener_ = std::move(listener);
}

Speaker::Said& Speaker::said_of(core::GameId game) {
  if (const auto known = said_.find(game); known != said_.end()) return known->second;
  if (said_.size() >= kMostGames) said_.erase(said_.begin());
  return said_.emplace(game, read_said(file_of(game))).first->second;
}

fs::path Speaker::file_of(core::GameId game) const {
  const auto number = core::value(game);
  return folder_ / std::to_string(number / 1'000) / fmt::format("{}.jsonl", number);
}

void Speaker::run() {
  while (const auto task = next()) {
    const auto* asked = std::get_if<Asked>(&*task);
    if (asked != nullptr && !may_answer()) {
      builtin_.answer(asked->turn, asked->answer);
      continue;
    }
    const core::Turn& turn = asked != nullptr ? asked->turn : std::get<core::Turn>(*task);
    budget_.call(wall_now());
    const auto text = find_words(turn, asked != nullptr ? &asked->question : nullptr);
    std::ofstream(folder_ / kSpent) << budget_.text() << '\n';
    if (closing_) return;
    if (text) away_ = false;
    if (!text) report(text.error());
    if (asked == nullptr) {
      if (text) keep(turn, *text);
    } else if (text) {
      asked->answer(persona_.name, *text);
    } else {
      builtin_.answer(asked->turn, asked->answer);
    }
  }
}

// Whoever asks does not wait until it may speak again.
bool Speaker::may_answer() {
  const core::Wall now = wall_now();
  if (rests_until_ > now || budget_.next(now) > now || questions_.next(now) > now) return false;
  questions_.call(now);
  return true;
}

// A question; or the newest turn of a game, when it may speak again. Nothing: this ends.
std::optional<Speaker::Task> Speaker::next() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (closing_) return std::nullopt;
    if (!asked_.empty()) {
      Task task = std::move(asked_.front());
      asked_.pop_front();
      return task;
    }
    const core::Wall now = wall_now(), may = std::max(budget_.next(now), rests_until_);
    if (heard_.empty()) {
      wake_.wait(lock);
    } else if (may > now) {
      wake_.wait_for(lock, std::chrono::microseconds(may.us - now.us));
    } else {
      auto found = heard_.upper_bound(served_);
      if (found == heard_.end()) found = heard_.begin();
      served_ = found->first;
      return heard_.extract(found).mapped();
    }
  }
}

std::expected<std::string, std::string> Speaker::find_words(const core::Turn& turn, const core::Question* question) {
  std::vector<std::string> former;
  {
    const std::lock_guard lock(mutex_);
    const Said& said = said_of(turn.game);
    for (auto told = said.end() - std::min<std::ptrdiff_t>(kFormer, std::ssize(said)); told != said.end(); ++told) {
      former.push_back(persona_.english ? told->words.en : told->words.ja);
    }
  }
  const std::string request = chat_request(persona_, former, turn, question);
  const auto answer = ask_endpoint(persona_, request, closing_);
  if (!answer) return std::unexpected(answer.error());
  const auto reply = read_chat_reply(answer->body);
  // Who does not tell what he counts is taken to count three bytes a token.
  const auto guess = static_cast<std::int64_t>(request.size() + answer->body.size()) / 3;
  budget_.spend(reply && reply->tokens > 0 ? reply->tokens : guess);
  if (answer->status == 429 || answer->status == 503) {
    const std::int64_t rest_s = answer->retry_after_s > 0 ? answer->retry_after_s : kRest_s;
    rests_until_ = core::Wall{wall_now().us + std::min(rest_s, kLongestRest_s) * core::kSecond};
  }
  if (answer->status != 200) return std::unexpected(fmt::format("it has answered with status {}", answer->status));
  if (!reply) return std::unexpected(reply.error());
  auto text = core::fit_to_say(reply->text, turn);
  if (!text) return std::unexpected("what it has said " + text.error());
  return std::move(*text);
}

void Speaker::keep(const core::Turn& turn, const std::string& text) {
  core::Told told{turn.ply, {}};
  (persona_.english ? told.words.en : told.words.ja) = text;
  {
    const std::lock_guard lock(mutex_);
    said_of(turn.game).push_back(told);
  }
  const fs::path file = file_of(turn.game);
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  const std::string line =
      json::serialize(json::object{{"ply", turn.ply}, {persona_.english ? "en" : "ja", text}}) + "\n";
  std::ofstream out(file, std::ios::binary | std::ios::app);
  out << line << std::flush;
  if (!out) report(fmt::format("{} cannot be written", file.string()));
  const std::lock_guard lock(mutex_);
  if (listener_) listener_(turn.game, turn.ply);
}

void Speaker::report(const std::string& fault) {
  if (!std::exchange(away_, true)) warn_(fmt::format("commentator: {}; the built-in words stand", fault));
}

}  // namespace fuhyo::app
