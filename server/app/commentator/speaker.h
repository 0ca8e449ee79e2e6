// The commentator that asks an endpoint for its words, one call after the other, on a thread of its own. What it has
// said is kept in a folder, a file a game. Where it may not ask, gets no answer, or one that must not be shown, the
// built-in words stand, also as an answer to a question.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

#include "server/app/commentator/builtin.h"
#include "server/app/commentator/persona.h"

namespace fuhyo::app {

class Speaker final : public core::Commentator {
 public:
  // `warn` is called on the speaker's thread: once, until it works again.
  Speaker(Persona persona, std::filesystem::path folder, std::function<void(std::string_view)> warn);
  ~Speaker() override;  // gives up what is under way
  Speaker(const Speaker&) = delete;
  Speaker& operator=(const Speaker&) = delete;

  bool finds_words() const override { return true; }
  void hear(const core::Turn& turn, bool watched) override;
  void ask(core::Question question, Answer answer) override;
  std::vector<core::Told> said(core::GameId game) override;
  void tell(Listener listener) override;

 private:
  using Said = std::vector<core::Told>;

  struct Asked {
    core::Turn turn;
    core::Question question;
    Answer answer;
  };
  using Task = std::variant<core::Turn, Asked>;

  void run();
  bool may_answer();
  std::optional<Task> next();
  std::expected<std::string, std::string> find_words(const core::Turn& turn, const core::Question* question);
  void keep(const core::Turn& turn, const std::string& text);
  void report(const std::string& fault);
  Said& said_of(core::GameId game);  // under mutex_
  std::filesystem::path file_of(core::GameId game) const;

  const Persona persona_;
  const std::filesystem::path folder_;
  const std::function<void(std::string_view)> warn_;
  BuiltinCommentator builtin_;  // answers where it cannot
  core::Budget budget_;         // the thread's
  core::Budget questions_;      // likewise, beside it
  core::Wall rests_until_{};    // likewise: the endpoint wants to be left alone
  bool away_ = false;           // likewise

  std::mutex mutex_;  // of what follows
  std::condition_variable wake_;
  std::deque<Asked> asked_;
  std::map<core::GameId, core::Turn> heard_;  // of which it has not spoken, the newest of each game
  core::GameId served_{};                     // the last game: the others come first
  std::map<core::GameId, Said> said_;         // of the newest kMostGames
  Listener listener_;
  std::atomic<bool> closing_{false};
  std::thread thread_;
};

}  // namespace fuhyo::app
