// The commentator that speaks in the built-in words alone. Any thread.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/commentary/commentator.h"

namespace fuhyo::app {

class BuiltinCommentator final : public core::Commentator {
 public:
  explicit BuiltinCommentator(std::string name = "commentator", bool english = false);

  bool finds_words() const override { return false; }
  void hear(const core::Turn& turn, bool watched) override;
  void ask(core::Question question, Answer answer) override;
  std::vector<core::Told> said(core::GameId /*game*/) override { return {}; }
  void tell(Listener /*listener*/) override {}

  // Of the game that moved last in the room.
  std::optional<core::Turn> newest(std::string_view room) const;
  void answer(const core::Turn& turn, const Answer& answer) const;

 private:
  const std::string name_;
  const bool english_;  // in its answers; else it speaks Japanese
  mutable std::mutex mutex_;
  std::map<std::string, core::Turn, std::less<>> newest_;  // by room; under mutex_
};

}  // namespace fuhyo::app
